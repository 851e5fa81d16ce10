"""The menu of a desk: where it leads, and that links for other clubs have it too."""

import pytest

from tests.builders import play_round, standings_after
from tests.every_page.test_every_page import a_night, menu_of
from tests.support.hall import post
from tests.tournaments.papers.test_paper_pages import a_hall_of, page_of
from tournaments.seasons.services import open_season

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


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
