"""Search engines: the sitemap, the addresses to skip, and the pages not to index."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.urls import resolve
from django.utils import timezone

from clubs.policy import Audience, get_access
from tests.builders import build_club
from tests.every_page.test_every_page import build_full_night, build_night
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.models import Event

pytestmark = pytest.mark.django_db

XML = {
    "map": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
PEOPLE_PATHS = ("/people/", "/standings/1", "/ratings", "/records", "seasons/1/0/", "/sign-up", "/board")


def read_sitemap(browser: Browser, address: str = "/sitemap.xml") -> ElementTree.Element:
    return ElementTree.fromstring(browser.open(address).html)


def list_sitemaps(browser: Browser) -> list[str]:
    """Return the addresses in the sitemap index; empty if one sitemap lists all pages."""
    return [one.text or "" for one in read_sitemap(browser).iterfind("map:sitemap/map:loc", XML)]


def list_addresses(browser: Browser) -> list[str]:
    every = [read_sitemap(browser, address) for address in list_sitemaps(browser)] or [read_sitemap(browser)]
    return [one.text or "" for each in every for one in each.iterfind("map:url/map:loc", XML)]


def get_disallowed_pattern() -> re.Pattern[str]:
    """Return a pattern of the addresses that ``robots.txt`` disallows."""
    rules = re.findall(r"^Disallow: (.+)$", Browser().open("/robots.txt").html, re.MULTILINE)
    return re.compile("|".join(re.escape(rule).replace(r"\*", ".*") for rule in rules))


def iter_openings(paths: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield every address, and whether its page is public."""
    for path in paths.values():
        address = urlsplit(path).path
        yield address, get_access(resolve(address).func) is Audience.PUBLIC


class TestSitemap:
    @pytest.mark.long
    def test_sitemap_lists_existing_pages_in_both_languages(self) -> None:
        hall, browser = build_night("ended"), Browser()
        assert hall.season
        found = list_addresses(browser)
        assert f"http://testserver/fr/e/{hall.event.short}" in found
        assert f"http://testserver/en/c/{hall.event.club.slug}/calendar" in found
        assert len(found) == len(set(found))
        for address in found:
            page = browser.client.get(urlsplit(address).path, follow=True)
            assert page.status_code == 200, address
            assert "X-Robots-Tag" not in page.headers, address

    def test_sitemap_of_several_clubs_is_an_index(self) -> None:
        hall, other, browser = Hall(), build_club("Les Cœurs"), Browser()
        here = "http://testserver/sitemap.xml?club="
        assert list_sitemaps(browser) == [here, f"{here}{hall.event.club.slug}", f"{here}{other.slug}"]
        pages = [
            {one.text for one in read_sitemap(browser, each).iterfind("map:url/map:loc", XML)}
            for each in list_sitemaps(browser)
        ]
        of_each = ("/fr/help", f"/fr/e/{hall.event.short}", f"/fr/c/{other.slug}")
        assert [[f"http://testserver{path}" in found for path in of_each] for found in pages] == [
            [True, False, False],
            [False, True, False],
            [False, False, True],
        ]
        assert browser.open(f"{here}nowhere").status == 404

    def test_sitemap_is_the_same_in_every_language(self) -> None:
        hall = Hall()
        assert hall.event.short
        assert Browser().open("/fr/sitemap.xml").html == Browser().open("/sitemap.xml").html

    def test_sitemap_lists_alternate_languages(self) -> None:
        hall = Hall()
        for url in read_sitemap(Browser()).iterfind("map:url", XML):
            if (url.findtext("map:loc", namespaces=XML) or "").endswith(f"/en/e/{hall.event.short}"):
                others = url.iterfind("xhtml:link", XML)
                address = f"e/{hall.event.short}"
                assert {one.attrib["hreflang"]: one.attrib["href"] for one in others} == {
                    "fr-CA": f"http://testserver/fr/{address}",
                    "en": f"http://testserver/en/{address}",
                    "x-default": f"http://testserver/{address}",
                }
                return
        pytest.fail("the event is not on the map")

    def test_sitemap_dates_pages_and_adds_started_standings(self) -> None:
        hall = Hall()
        days = {
            url.findtext("map:loc", namespaces=XML): url.findtext("map:lastmod", namespaces=XML)
            for url in read_sitemap(Browser()).iterfind("map:url", XML)
        }
        address = f"http://testserver/en/e/{hall.event.short}"
        assert days[address] == days[f"{address}/standings"] == timezone.now().date().isoformat()
        Event.objects.update(shows_standings="never")
        assert f"{address}/standings" not in list_addresses(Browser())

    @pytest.mark.slow
    def test_sitemap_omits_private_and_archived_events(self) -> None:
        hall = Hall()
        for hidden in ({"is_public": False}, {"is_put_away": True}):
            Event.objects.update(**{"is_public": True, "is_put_away": False} | hidden)
            assert not [address for address in list_addresses(Browser()) if hall.event.short in address]

    @pytest.mark.snapshot
    def test_sitemap_uses_the_configured_address(self, settings: Any) -> None:
        settings.ADDRESS = "https://cartes.example"
        assert "https://cartes.example/fr/c" in list_addresses(Browser())
        assert "Sitemap: https://cartes.example/sitemap.xml" in Browser().open("/robots.txt").html
        page = Browser().open("/fr/c")
        assert page.find_one("link", rel="canonical").attrs["href"] == "https://cartes.example/fr/c"


@pytest.mark.long
def test_robots_txt_disallows_private_pages() -> None:
    is_closed = get_disallowed_pattern().match
    for address, is_public in iter_openings(build_full_night("playing")[1]):
        for prefix in ("", "/fr", "/en"):
            assert bool(is_closed(prefix + address)) is not is_public, address


@pytest.mark.long
def test_personal_and_tool_pages_are_not_indexed() -> None:
    hall, paths = build_full_night("ended")
    checked = 0
    for address, is_public in iter_openings(paths):
        if is_public and any(part in address for part in PEOPLE_PATHS):
            answer = Browser().client.get(f"/fr{address}")
            assert answer.headers["X-Robots-Tag"] == "noindex", address
            checked += 1
    assert checked >= 8
    assert Browser().open("/e/nowhere").response.headers["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in Browser().open(f"/fr/e/{hall.event.short}").response.headers
