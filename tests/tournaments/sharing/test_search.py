"""Search engines: the map of the site, what they need not ask for, and what they may not keep."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.urls import resolve
from django.utils import timezone

from clubs.policy import Audience, opening_of
from tests.builders import a_club
from tests.every_page.test_every_page import a_full_night, a_night
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.models import Event

pytestmark = pytest.mark.django_db

XML = {
    "map": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
ABOUT_PEOPLE = ("/people/", "/standings/1", "/ratings", "/records", "seasons/1/0/", "/sign-up", "/board")


def the_map(browser: Browser, address: str = "/sitemap.xml") -> ElementTree.Element:
    return ElementTree.fromstring(browser.open(address).html)


def maps(browser: Browser) -> list[str]:
    """Their addresses, where there are several; none, where the one has everything."""
    return [one.text or "" for one in the_map(browser).iterfind("map:sitemap/map:loc", XML)]


def listed(browser: Browser) -> list[str]:
    every = [the_map(browser, address) for address in maps(browser)] or [the_map(browser)]
    return [one.text or "" for each in every for one in each.iterfind("map:url/map:loc", XML)]


def closed_addresses() -> re.Pattern[str]:
    """The addresses at which ``robots.txt`` asks not to look."""
    rules = re.findall(r"^Disallow: (.+)$", Browser().open("/robots.txt").html, re.MULTILINE)
    return re.compile("|".join(re.escape(rule).replace(r"\*", ".*") for rule in rules))


def openings(paths: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """Every page there is, and whether it is public."""
    for path in paths.values():
        address = urlsplit(path).path
        yield address, opening_of(resolve(address).func) is Audience.PUBLIC


class TestTheMap:
    @pytest.mark.slow
    def test_lists_pages_that_there_are_in_both_languages(self) -> None:
        hall, browser = a_night("ended"), Browser()
        assert hall.season
        found = listed(browser)
        assert f"http://testserver/fr/e/{hall.event.short}" in found
        assert f"http://testserver/en/c/{hall.event.club.slug}/calendar" in found
        assert len(found) == len(set(found))
        for address in found:
            page = browser.client.get(urlsplit(address).path, follow=True)
            assert page.status_code == 200, address
            assert "X-Robots-Tag" not in page.headers, address

    def test_of_several_clubs_is_a_list_of_maps_each_with_a_club_or_with_what_belongs_to_none(self) -> None:
        hall, other, browser = Hall(), a_club("Les Cœurs"), Browser()
        here = "http://testserver/sitemap.xml?club="
        assert maps(browser) == [here, f"{here}{hall.event.club.slug}", f"{here}{other.slug}"]
        pages = [
            {one.text for one in the_map(browser, each).iterfind("map:url/map:loc", XML)}
            for each in maps(browser)
        ]
        of_each = ("/fr/help", f"/fr/e/{hall.event.short}", f"/fr/c/{other.slug}")
        assert [[f"http://testserver{path}" in found for path in of_each] for found in pages] == [
            [True, False, False],
            [False, True, False],
            [False, False, True],
        ]
        assert browser.open(f"{here}nowhere").status == 404

    def test_is_the_same_map_at_an_address_with_a_language(self) -> None:
        hall = Hall()
        assert hall.event.short
        assert Browser().open("/fr/sitemap.xml").html == Browser().open("/sitemap.xml").html

    def test_says_of_each_page_where_it_is_in_the_other_language(self) -> None:
        hall = Hall()
        for url in the_map(Browser()).iterfind("map:url", XML):
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

    def test_says_when_a_page_has_changed_and_has_the_standings_once_play_began(self) -> None:
        hall = Hall()
        days = {
            url.findtext("map:loc", namespaces=XML): url.findtext("map:lastmod", namespaces=XML)
            for url in the_map(Browser()).iterfind("map:url", XML)
        }
        address = f"http://testserver/en/e/{hall.event.short}"
        assert days[address] == days[f"{address}/standings"] == timezone.now().date().isoformat()
        Event.objects.update(shows_standings="never")
        assert f"{address}/standings" not in listed(Browser())

    def test_has_no_event_that_is_not_public_or_was_put_away(self) -> None:
        hall = Hall()
        for hidden in ({"is_public": False}, {"is_put_away": True}):
            Event.objects.update(**{"is_public": True, "is_put_away": False} | hidden)
            assert not [address for address in listed(Browser()) if hall.event.short in address]

    @pytest.mark.snapshot
    def test_calls_the_installation_as_its_settings_do(self, settings: Any) -> None:
        settings.ADDRESS = "https://cartes.example"
        assert "https://cartes.example/fr/c" in listed(Browser())
        assert "Sitemap: https://cartes.example/sitemap.xml" in Browser().open("/robots.txt").html
        page = Browser().open("/fr/c")
        assert page.one("link", rel="canonical").attrs["href"] == "https://cartes.example/fr/c"


@pytest.mark.slow
def test_robots_are_asked_not_to_look_at_anything_that_is_not_public() -> None:
    is_closed = closed_addresses().match
    for address, is_public in openings(a_full_night("playing")[1]):
        for prefix in ("", "/fr", "/en"):
            assert bool(is_closed(prefix + address)) is not is_public, address


@pytest.mark.slow
def test_pages_about_one_person_or_pair_and_tools_are_kept_by_no_search_engine() -> None:
    hall, paths = a_full_night("ended")
    checked = 0
    for address, is_public in openings(paths):
        if is_public and any(part in address for part in ABOUT_PEOPLE):
            answer = Browser().client.get(f"/fr{address}")
            assert answer.headers["X-Robots-Tag"] == "noindex", address
            checked += 1
    assert checked >= 8
    assert Browser().open("/e/nowhere").response.headers["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in Browser().open(f"/fr/e/{hall.event.short}").response.headers
