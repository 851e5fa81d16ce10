"""A night made by mistake: out of everybody's sight, and brought back by a tap."""

import pytest

from tests.builders import next_round, play_round
from tests.support.office import Office
from tournaments.events.services.lifecycle import end_event, start_event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.snapshot
def test_a_night_made_by_mistake_is_put_away_and_brought_back() -> None:
    office = Office(pairs=4)
    settings = office.browser.open(f"/e/{office.event.short}/desk/settings")
    club = office.browser.send(settings, settings.form("/put-away"))
    assert club.path == f"/club/{office.club.slug}"
    assert "Archived (1)" in club.text
    assert office.browser.client.get(f"/e/{office.event.short}").status_code == 404
    assert office.browser.client.get(f"/e/{office.event.short}/desk").status_code == 404
    club = office.browser.send(club, club.form(f"/bring-back/{office.event.short}"))
    assert "Archived" not in club.text
    assert office.browser.client.get(f"/e/{office.event.short}").status_code == 200


def test_what_was_played_stays_and_the_page_says_why() -> None:
    office = Office(pairs=4)
    event = start_event(event_id=office.event.pk)
    next_round(event)
    play_round(event)
    end_event(event_id=event.pk)
    settings = office.browser.open(f"/e/{event.short}/desk/settings")
    page = office.browser.send(settings, settings.form("/put-away"))
    assert page.status == 409
    assert "This event has recorded hands and cannot be archived" in page.text
