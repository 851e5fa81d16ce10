"""The menu of a desk: links for other clubs have it too."""

import pytest

from tests.every_page.test_every_page import a_night, menu_of
from tests.support.hall import post
from tournaments.seasons.services import open_season

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


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
