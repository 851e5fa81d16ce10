"""The page that shows a guest club's link keeps the desk menu."""

import pytest

from tests.every_page.test_every_page import build_night, get_menu_name
from tests.support.hall import post_form
from tournaments.seasons.services import open_season

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.snapshot
def test_page_of_a_guest_club_link_has_the_desk_menu() -> None:
    hall = build_night("playing")
    club = hall.event.club
    day = hall.event.held_on
    season = open_season(club=club, name="Coupe", starts=day, ends=day, ladders=[{"name": "General"}], is_shared=True)
    of_event = post_form(hall.desk, f"/e/{hall.event.short}/desk/interclub", {"link": "1"})
    assert "Shown only once" in of_event.text
    assert get_menu_name(of_event) == "Event"
    of_season = post_form(hall.desk, f"/club/{club.slug}/seasons/{season.pk}/clubs", {"link": "1"})
    assert "Shown only once" in of_season.text
    assert get_menu_name(of_season) == "Club"
