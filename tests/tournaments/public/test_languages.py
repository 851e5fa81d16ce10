"""French and English by address: every public page has an address in each, and what it links to keeps it."""

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import urljoin, urlsplit

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient
from django.urls import get_script_prefix, resolve, reverse

from clubs.policy import Audience, opening_of
from tests.every_page.test_every_page import a_full_night
from tests.saved_states import taken_back
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

LANGUAGES = {"fr": "fr-CA", "en": "en"}
OTHER = {"fr": "en", "en": "fr"}
HERE = "http://testserver"


def public_addresses(paths: dict[str, str]) -> Iterator[str]:
    """The address of every public page, with what is asked of it."""
    for address in paths.values():
        if opening_of(resolve(urlsplit(address).path).func) is Audience.PUBLIC:
            yield address


def shared_addresses(paths: dict[str, str]) -> Iterator[str]:
    """Yield those of the public pages that are the same for whoever opens them, and at one address: one's own
    page is of one phone, and what a phone shows without a network stands anywhere."""
    own = (paths["/e/<slug:short>/mine"], "/offline")
    return (address for address in public_addresses(paths) if address not in own)


def paths_in(page: Page) -> Iterator[str]:
    """Yield where the page leads: its links and forms on this site, but for the files that it is made
    with."""
    for element in page.every("a", "form", "link"):
        there = element.attrs.get("href") or element.attrs.get("action") or ""
        if element.attrs.get("type", "").endswith("+oembed"):
            continue  # test_embedding looks at it
        if element.attrs.get("hreflang") or element.attrs.get("rel") in {"icon", "stylesheet", "canonical"}:
            continue
        parts = urlsplit(urljoin(page.path, there))
        if parts.scheme in {"", "http"}:
            yield parts.path


@cache
def read(stage: str, language: str) -> dict[str, Page]:
    """Every public page at its address in that language, as somebody reads it who speaks the other one."""
    reader = Browser(language=OTHER[language])
    with taken_back():
        _, paths = a_full_night(stage)
        return {address: reader.open(f"/{language}{address}") for address in public_addresses(paths)}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", ["playing", "ended"])
def test_every_public_page_is_read_by_address_and_leads_on_in_its_language(stage: str, language: str) -> None:
    pages = read(stage, language)
    linked: set[str] = set()
    for address, page in pages.items():
        assert page.status == 200, address
        assert page.path.startswith(f"/{language}/"), address
        assert page.one("html").attrs["lang"] == LANGUAGES[language], address
        assert page.response.headers["Content-Language"] == language
        for path in paths_in(page):
            assert path.startswith((f"/{language}/", "/static/")), (address, path)
            linked.add(path)
    a_full_night(stage)
    reader = Browser(language=OTHER[language])
    for path in linked - {page.path for page in pages.values()}:
        assert reader.client.get(path, follow=True).status_code in (200, 405), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_public_page_says_where_it_is_in_each_language(language: str) -> None:
    pages = read("playing", language)
    for address in shared_addresses(a_full_night("playing")[1]):
        page = pages[address]
        path = page.path.removeprefix(f"/{language}")
        links = [one.attrs for one in page.every("link") if "hreflang" in one.attrs]
        assert {attrs["hreflang"]: attrs["href"] for attrs in links} == {
            "fr-CA": f"{HERE}/fr{path}",
            "en": f"{HERE}/en{path}",
            "x-default": f"{HERE}{path}",
        }
        assert page.one("link", rel="canonical").attrs["href"] == f"{HERE}/{language}{path}"


class TestAnAddressWithoutALanguage:
    """It is printed on cards and in squares to scan."""

    def test_is_the_readers(self) -> None:
        hall = Hall()
        for language, lang in LANGUAGES.items():
            page = Browser(language=language).open(f"/e/{hall.event.short}")
            assert page.one("html").attrs["lang"] == lang
            assert page.one("link", rel="canonical").attrs["href"] == f"{HERE}/e/{hall.event.short}"
            assert "/en/" not in page.link(hall.event.club.name)

    def test_follows_one_with_a_language_undisturbed(self) -> None:
        hall, reader = Hall(), Browser(language="en")
        reader.open(f"/fr/e/{hall.event.short}")
        assert (get_script_prefix(), reverse("clubs")) == ("/", "/c")
        assert reader.open(f"/e/{hall.event.short}").one("html").attrs["lang"] == "en"


@pytest.mark.slow
def test_requests_at_the_same_time_keep_to_their_own_languages() -> None:
    paths = [f"{language}/rules" for language in ("/fr", "/en", "")] * 4

    async def asked_at_once() -> list[str]:
        answers = await asyncio.gather(*(AsyncClient().get(path) for path in paths))
        return [answer.content.decode() for answer in answers]

    for path, html in zip(paths, async_to_sync(asked_at_once)(), strict=True):
        assert set(re.findall(r'<a href="(.*)/rules/canadian"', html)) == {path.removesuffix("/rules")}


class TestTheSwitch:
    @pytest.mark.snapshot
    def test_is_a_link_to_the_same_page_with_what_was_asked_of_it(self) -> None:
        hall = Hall()
        page = Browser(language="en").open(f"/e/{hall.event.short}?who=a")
        assert page.link("Français") == f"/fr/e/{hall.event.short}?who=a"
        page = Browser(language="en").open(page.link("Français"))
        assert page.link("English") == f"/en/e/{hall.event.short}?who=a"


class TestAPageThatIsNotPublic:
    def test_has_one_address_and_is_read_in_the_language_that_led_there(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/fr/e/{hall.event.short}/desk?part=1")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert page.response.redirect_chain == [(f"/e/{hall.event.short}/desk?part=1", 302)]
        assert page.one("html").attrs["lang"] == "fr-CA"

    def test_of_a_table_is_reached_by_its_code(self) -> None:
        hall, reader = Hall(), Browser(language="en")
        home = reader.open("/fr/")
        page = reader.send(home, home.form(having="code"), code=hall.code)
        assert (page.path, page.one("html").attrs["lang"]) == (hall.table, "fr-CA")

    def test_never_leads_elsewhere(self) -> None:
        for path in ("/fr//evil.example/", "/en//evil.example/club/x", "/fr/\\evil.example/"):
            assert Browser().client.get(path).status_code == 404


class TestAPageThatLooksForNews:
    @pytest.mark.snapshot
    def test_asks_in_the_language_of_its_address(self) -> None:
        hall, reader = Hall(), Browser(language="en")
        page = reader.open(f"/fr/e/{hall.event.short}")
        (asking,) = [one for one in page.every() if "hx-get" in one.attrs]
        assert asking.attrs["hx-get"] == f"/fr/e/{hall.event.short}"
        tag = re.search(r'"If-None-Match": "(.*)"', asking.attrs["hx-headers"])
        assert tag is not None
        headers = {"HX-Request": "true", "If-None-Match": tag[1].replace('\\"', '"')}
        assert reader.open(f"/fr/e/{hall.event.short}", **headers).status == 304
        assert reader.open(f"/en/e/{hall.event.short}", **headers).status == 200
