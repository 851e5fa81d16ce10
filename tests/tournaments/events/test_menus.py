"""The menu is on every page under a desk, so that nobody is lost there."""

import pytest

from tests.builders import play_round, standings_after
from tests.every_page.test_every_page import SHOWN, a_night, opened
from tests.support.browser import Page
from tests.support.hall import post
from tests.tournaments.papers.test_paper_pages import a_hall_of, page_of
from tournaments.seasons.services import open_season

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DESKS = {"/e/<slug:short>/desk": "Event", "/club/<slug:slug>": "Club"}
"""Where a desk begins, and the name of its menu."""


def menu_of(page: Page) -> str:
    """The name of the menu, to which the head of the page leads; "" where there is none."""
    return " ".join(menu.attrs["aria-label"] for menu in page.every("nav", id="menu"))


@pytest.mark.parametrize("stage", ["playing", "ended"])
def test_is_on_every_page_of_an_event_and_of_a_club(stage: str) -> None:
    of_desk = {
        pattern: name for pattern in SHOWN for start, name in DESKS.items() if pattern.startswith(start)
    }
    assert len(of_desk) > 60
    pages = {pattern: page for pattern, page in opened(stage, "en").items() if pattern in of_desk}
    assert {pattern: page.status for pattern, page in pages.items() if page.status != 200} == {}
    wrong = {pattern: menu_of(page) for pattern, page in pages.items() if menu_of(page) != of_desk[pattern]}
    assert wrong == {}


@pytest.mark.parametrize("stage", ["drawn", "played"])
@pytest.mark.parametrize(
    "draw_format", ["random", "swiss_individual", "round_robin", "knockout", "interclub"]
)
def test_every_link_of_it_and_of_what_can_be_printed_opens(draw_format: str, stage: str) -> None:
    hall = a_hall_of(draw_format)
    if stage == "played":
        play_round(hall.event)
        standings_after(hall.event)
    page = hall.desk.open(page_of(hall))
    links = {link.attrs["href"] for link in page.every("a") if link.attrs["href"].startswith("/")}
    assert len(links) > 20
    assert {path: status for path in links if (status := hall.desk.open(path).status) != 200} == {}


@pytest.mark.snapshot
def test_is_on_the_page_of_a_link_for_another_club() -> None:
    hall = a_night("playing")
    club = hall.event.club
    day = hall.event.held_on
    season = open_season(
        club=club, name="Coupe", starts=day, ends=day, ladders=[{"name": "General"}], is_shared=True
    )
    of_event = post(hall.desk, f"/e/{hall.event.short}/desk/interclub", {"link": "1"})
    assert "Shown only once" in of_event.text
    assert menu_of(of_event) == "Event"
    of_season = post(hall.desk, f"/club/{club.slug}/seasons/{season.pk}/clubs", {"link": "1"})
    assert "Shown only once" in of_season.text
    assert menu_of(of_season) == "Club"
