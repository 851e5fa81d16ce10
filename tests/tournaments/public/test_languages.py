"""Every public page has an address in French and in English, and its links keep the language."""

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import urljoin, urlsplit

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient
from django.urls import get_script_prefix, resolve, reverse

from clubs.policy import Audience, get_access
from tests.every_page.test_every_page import build_full_night
from tests.saved_states import rolled_back
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

LANGUAGES = {"fr": "fr-CA", "en": "en"}
OTHER_LANGUAGES = {"fr": "en", "en": "fr"}
SITE_URL = "http://testserver"


def iter_public_addresses(paths: dict[str, str]) -> Iterator[str]:
    """Yield the address of every public page, with its query."""
    for address in paths.values():
        if get_access(resolve(urlsplit(address).path).func) is Audience.PUBLIC:
            yield address


def iter_shared_addresses(paths: dict[str, str]) -> Iterator[str]:
    """Return the public pages that are identical for all readers.

    Excluded are the own page, which belongs to a phone, and the offline page, which may appear at any address.
    """
    own = (paths["/e/<slug:short>/mine"], "/offline")
    return (address for address in iter_public_addresses(paths) if address not in own)


def iter_paths(page: Page) -> Iterator[str]:
    """Yield the paths of the page's links and forms on this site, without style sheets, icons and translations."""
    for element in page.find_all("a", "form", "link"):
        there = element.attrs.get("href") or element.attrs.get("action") or ""
        if element.attrs.get("type", "").endswith("+oembed"):
            continue  # tested in test_embedding
        if element.attrs.get("hreflang") or element.attrs.get("rel") in {"icon", "stylesheet", "canonical"}:
            continue
        parts = urlsplit(urljoin(page.path, there))
        if parts.scheme in {"", "http"}:
            yield parts.path


@cache
def read(stage: str, language: str) -> dict[str, Page]:
    """Return every public page in this language, read with a browser that prefers the other language."""
    reader = Browser(language=OTHER_LANGUAGES[language])
    with rolled_back():
        _, paths = build_full_night(stage)
        return {address: reader.open(f"/{language}{address}") for address in iter_public_addresses(paths)}


NIGHTLY = pytest.mark.long("the full run opens this stage in the other language")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "language"),
    [
        ("playing", "en"),
        ("ended", "fr"),
        pytest.param("playing", "fr", marks=NIGHTLY),
        pytest.param("ended", "en", marks=NIGHTLY),
    ],
)
def test_every_public_page_links_within_its_language(stage: str, language: str) -> None:
    pages = read(stage, language)
    linked: set[str] = set()
    for address, page in pages.items():
        assert page.status == 200, address
        assert page.path.startswith(f"/{language}/"), address
        assert page.find_one("html").attrs["lang"] == LANGUAGES[language], address
        assert page.response.headers["Content-Language"] == language
        for path in iter_paths(page):
            assert path.startswith((f"/{language}/", "/static/")), (address, path)
            linked.add(path)
    build_full_night(stage)
    reader = Browser(language=OTHER_LANGUAGES[language])
    for path in linked - {page.path for page in pages.values()}:
        assert reader.client.get(path, follow=True).status_code in (200, 405), path


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_public_page_declares_its_alternate_languages(language: str) -> None:
    pages = read("playing", language)
    for address in iter_shared_addresses(build_full_night("playing")[1]):
        page = pages[address]
        path = page.path.removeprefix(f"/{language}")
        links = [one.attrs for one in page.find_all("link") if "hreflang" in one.attrs]
        assert {attrs["hreflang"]: attrs["href"] for attrs in links} == {
            "fr-CA": f"{SITE_URL}/fr{path}",
            "en": f"{SITE_URL}/en{path}",
            "x-default": f"{SITE_URL}{path}",
        }
        assert page.find_one("link", rel="canonical").attrs["href"] == f"{SITE_URL}/{language}{path}"


class TestAddressWithoutLanguage:
    """Addresses without a language are printed on cards and in QR codes."""

    def test_neutral_address_uses_the_browser_language(self) -> None:
        hall = Hall()
        for language, lang in LANGUAGES.items():
            page = Browser(language=language).open(f"/e/{hall.event.short}")
            assert page.find_one("html").attrs["lang"] == lang
            assert page.find_one("link", rel="canonical").attrs["href"] == f"{SITE_URL}/e/{hall.event.short}"
            assert "/en/" not in page.find_link(hall.event.club.name)

    def test_language_prefix_does_not_affect_later_requests(self) -> None:
        hall, reader = Hall(), Browser(language="en")
        reader.open(f"/fr/e/{hall.event.short}")
        assert (get_script_prefix(), reverse("clubs")) == ("/", "/c")
        assert reader.open(f"/e/{hall.event.short}").find_one("html").attrs["lang"] == "en"


@pytest.mark.long
def test_concurrent_requests_keep_their_own_language() -> None:
    paths = [f"{language}/rules" for language in ("/fr", "/en", "")] * 4

    async def request_concurrently() -> list[str]:
        answers = await asyncio.gather(*(AsyncClient().get(path) for path in paths))
        return [answer.content.decode() for answer in answers]

    for path, html in zip(paths, async_to_sync(request_concurrently)(), strict=True):
        assert set(re.findall(r'<a href="(.*)/rules/canadian"', html)) == {path.removesuffix("/rules")}


class TestLanguageSwitch:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_switch_links_to_the_same_page_and_query(self) -> None:
        hall = Hall()
        page = Browser(language="en").open(f"/e/{hall.event.short}?who=a")
        assert page.find_link("Français") == f"/fr/e/{hall.event.short}?who=a"
        page = Browser(language="en").open(page.find_link("Français"))
        assert page.find_link("English") == f"/en/e/{hall.event.short}?who=a"


class TestPrivatePage:
    @pytest.mark.long
    def test_private_page_redirects_to_its_neutral_address(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/fr/e/{hall.event.short}/desk?part=1")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert page.response.redirect_chain == [(f"/e/{hall.event.short}/desk?part=1", 302)]
        assert page.find_one("html").attrs["lang"] == "fr-CA"

    @pytest.mark.slow
    def test_table_code_form_keeps_the_page_language(self) -> None:
        hall, reader = Hall(), Browser(language="en")
        home = reader.open("/fr/")
        page = reader.send(home, home.find_form(control_name="code"), code=hall.code)
        assert (page.path, page.find_one("html").attrs["lang"]) == (hall.table, "fr-CA")

    def test_language_prefix_never_redirects_to_another_site(self) -> None:
        for path in ("/fr//evil.example/", "/en//evil.example/club/x", "/fr/\\evil.example/"):
            assert Browser().client.get(path).status_code == 404


class TestPolling:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_polling_request_keeps_the_page_language(self) -> None:
        hall, reader = Hall(), Browser(language="en")
        page = reader.open(f"/fr/e/{hall.event.short}")
        (asking,) = [one for one in page.find_all() if "hx-get" in one.attrs]
        assert asking.attrs["hx-get"] == f"/fr/e/{hall.event.short}"
        tag = re.search(r'"If-None-Match": "(.*)"', asking.attrs["hx-headers"])
        assert tag is not None
        headers = {"HX-Request": "true", "If-None-Match": tag[1].replace('\\"', '"')}
        assert reader.open(f"/fr/e/{hall.event.short}", **headers).status == 304
        assert reader.open(f"/en/e/{hall.event.short}", **headers).status == 200
