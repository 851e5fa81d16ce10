"""Link previews and structured data of a page."""

import json
from pathlib import Path
from typing import Any
from zlib import compress

import pytest
from django.contrib.staticfiles import finders

from clubs.models import Person
from tests.builders import compute_standings, play_round, start_next_round
from tests.every_page.test_every_page import build_full_night, build_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.public.test_languages import iter_shared_addresses, read
from tournaments.fee_rates import Rates
from tournaments.models import Event
from tournaments.money.services.fees import change_rates

pytestmark = pytest.mark.django_db

MAX_BYTES = 33_000
"""Maximum compressed size, in bytes, of a public page with its resources."""


def read_structured_data(page: Page) -> dict[str, Any]:
    """Return the structured data of the page, by type."""
    (script,) = page.find_all("script", type="application/ld+json")
    graph = json.loads("".join(str(child) for child in script.children))
    assert graph["@context"] == "https://schema.org"
    return {one["@type"]: one for one in graph["@graph"]}


def read_preview_card(page: Page) -> dict[str, str]:
    """Return the Open Graph properties of the page, which a link preview shows."""
    metas = [one.attrs for one in page.find_all("meta") if one.attrs.get("property", "").startswith("og:")]
    return {attrs["property"]: attrs["content"] for attrs in metas}


class TestSharedLink:
    @pytest.mark.long
    @pytest.mark.parametrize("language", ["fr", "en"])
    def test_public_page_preview_has_title_and_description(self, language: str) -> None:
        pages = read("ended", language)
        for address in iter_shared_addresses(build_full_night("ended")[1]):
            page = pages[address]
            shown = read_preview_card(page)
            assert " ".join(shown["og:title"].split()) == page.find_one("title").text, address
            assert shown["og:description"] == page.find_one("meta", name="description").attrs["content"]
            assert shown["og:description"], address
            assert shown["og:url"] == page.find_one("link", rel="canonical").attrs["href"]
            locales = [shown["og:locale"], shown["og:locale:alternate"]]
            assert locales == (["fr_CA", "en_CA"] if language == "fr" else ["en_CA", "fr_CA"])

    def test_event_preview_names_club_and_date(self) -> None:
        hall = Hall()
        shown = read_preview_card(Browser().open(f"/en/e/{hall.event.short}"))
        assert shown["og:title"] == f"{hall.event.name}, November 17, 2026 · {hall.event.club.name}"
        assert shown["og:description"] == (
            f"{hall.event.name}, {hall.event.club.name}, Tuesday, November 17, 2026. Random opponents."
        )

    def test_private_page_has_no_preview(self) -> None:
        hall = Hall()
        assert read_preview_card(hall.desk.open(f"/e/{hall.event.short}/desk")) == {}


class TestEventData:
    def test_event_data_contain_date_place_club_and_breadcrumbs(self) -> None:
        hall = Hall()
        night = hall.recurring_night.rpartition("/")[2]
        hall.event.club.recurring_nights.update(place="Salle paroissiale")
        Event.objects.update(night=int(night))
        facts = read_structured_data(Browser().open(f"/fr/e/{hall.event.short}"))
        event = facts["SportsEvent"]
        assert event["startDate"] == "2026-11-17T19:00:00-05:00"
        assert event["location"]["name"] == "Salle paroissiale"
        assert event["organizer"]["name"] == hall.event.club.name
        assert event["url"] == f"http://testserver/fr/e/{hall.event.short}"
        assert [step["name"] for step in facts["BreadcrumbList"]["itemListElement"]] == [
            "Charlemagne",
            hall.event.club.name,
            hall.event.name,
        ]

    def test_event_data_without_a_calendar_night_contain_only_the_date(self) -> None:
        event = read_structured_data(Browser().open(f"/e/{Hall().event.short}"))["SportsEvent"]
        assert event["startDate"] == "2026-11-17"
        assert "location" not in event

    def test_event_data_contain_the_fees(self) -> None:
        hall = Hall()
        change_rates(event_id=hall.event.pk, rates=Rates(member=500, guest=750))
        offers = read_structured_data(Browser().open(f"/e/{hall.event.short}"))["SportsEvent"]["offers"]
        assert [offer["price"] for offer in offers] == ["5.00", "7.50"]
        assert {offer["priceCurrency"] for offer in offers} == {"CAD"}

    def test_event_data_name_no_one(self) -> None:
        hall = build_night("ended")
        Person.objects.update(shows_full_name=True)
        page = Browser().open(f"/e/{hall.event.short}")
        (script,) = page.find_all("script", type="application/ld+json")
        names = [person.name for person in Person.objects.all()]
        assert [name for name in names if name in page.text], "they stand on the page"
        assert not [name for name in names if name in str(script.children)]

    @pytest.mark.parametrize("name", ["</script><script>alert(1)</script>", "<!-- <script>", 'A "B" & C\u2028D'])
    def test_script_in_an_event_name_is_escaped(self, name: str) -> None:
        hall = Hall()
        Event.objects.update(name=name)
        page = Browser().open(f"/e/{hall.event.short}")
        assert read_structured_data(page)["SportsEvent"]["name"] == name
        assert "alert(1)</script>" not in page.html


def test_club_page_links_to_news_and_calendar() -> None:
    club = Hall().event.club
    page = Browser().open(f"/fr/c/{club.slug}")
    assert read_structured_data(page)["SportsOrganization"]["name"] == club.name
    links = {one.attrs.get("type"): one.attrs["href"] for one in page.find_all("link", rel="alternate")}
    assert links["application/atom+xml"] == f"/fr/c/{club.slug}/news.atom"
    assert links["text/calendar"] == f"/fr/c/{club.slug}/calendar.ics"


@pytest.mark.long
def test_public_page_stays_below_its_size_limit() -> None:
    hall = Hall(pairs=20)
    play_round(hall.event)
    start_next_round(hall.event)
    compute_standings(hall.event)
    page = Browser().open(f"/fr/e/{hall.event.short}")
    parts = [one.attrs["href"] for one in page.find_all("link", rel="stylesheet")]
    parts += [one.attrs["src"] for one in page.find_all("script") if "src" in one.attrs]
    found = [finders.find(part.removeprefix("/static/")) for part in parts]
    assert all(found), parts
    weights = [len(compress(Path(str(path)).read_bytes(), 9)) for path in found]
    assert len(compress(page.html.encode(), 6)) + sum(weights) <= MAX_BYTES
