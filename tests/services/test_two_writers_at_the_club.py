"""Two who prepare an evening at the same moment: a second click makes nothing a second time."""

import datetime
from functools import partial
from uuid import uuid4

import pytest

from clubs.recording import By
from clubs.services import NightDetails, add_recurring_night, cancel_date
from tests.builders import TUESDAY, a_club, an_event
from tests.services.test_two_writers import TIMES, at_once
from tournaments.event_settings import settings_of
from tournaments.services.making import make_event

pytestmark = pytest.mark.django_db(transaction=True)


def test_tonight_asked_for_by_two_clicks_at_once_is_one_evening() -> None:
    for _ in range(TIMES):
        event = an_event(4)
        make = partial(
            make_event,
            club=event.club,
            settings=settings_of(event),
            like=event.name,
            name="Tonight",
            held_on=TUESDAY,
            people_of=event,
            by=By(key=uuid4()),
        )
        made = at_once(make, make, make)
        assert len({one.pk for one in made}) == 1
        assert event.club.events.count() == 2
        assert made[0].entries.count() == 4


def test_one_day_cancelled_by_two_is_cancelled_once() -> None:
    for _ in range(TIMES):
        club = a_club()
        details = NightDetails(name="Mardi", pattern="weekly", first_on=TUESDAY, starts_at=datetime.time(19))
        night = add_recurring_night(club_id=club.pk, details=details)
        assert night is not None
        cancel = partial(cancel_date, club_id=club.pk, night_id=night.pk, on=TUESDAY)
        assert at_once(cancel, cancel) == [None, None]
        assert night.changed_dates.count() == 1
