"""Archiving an event that was created by mistake, and restoring it."""

import pytest

from tests.builders import play_round, start_next_round
from tests.support.office import Office
from tournaments.events.services.lifecycle import end_event, start_event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.snapshot
def test_event_created_by_mistake_is_archived_and_restored() -> None:
    office = Office(pairs=4)
    settings = office.browser.open(f"/e/{office.event.short}/desk/settings")
    club = office.browser.send(settings, settings.find_form("/put-away"))
    assert club.path == f"/club/{office.club.slug}"
    assert "Archived (1)" in club.text
    assert office.browser.client.get(f"/e/{office.event.short}").status_code == 404
    assert office.browser.client.get(f"/e/{office.event.short}/desk").status_code == 404
    club = office.browser.send(club, club.find_form(f"/bring-back/{office.event.short}"))
    assert "Archived" not in club.text
    assert office.browser.client.get(f"/e/{office.event.short}").status_code == 200


def test_event_with_recorded_hands_cannot_be_archived() -> None:
    office = Office(pairs=4)
    event = start_event(event_id=office.event.pk)
    start_next_round(event)
    play_round(event)
    end_event(event_id=event.pk)
    settings = office.browser.open(f"/e/{event.short}/desk/settings")
    page = office.browser.send(settings, settings.find_form("/put-away"))
    assert page.status == 409
    assert "This event has recorded hands and cannot be archived" in page.text
