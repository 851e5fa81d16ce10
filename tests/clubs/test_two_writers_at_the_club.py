"""Two who do the same at the same moment: a second click makes nothing a second time."""

import datetime
from functools import partial
from hashlib import sha256
from uuid import uuid4

import pytest
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import LinkPurpose, MailedLink
from clubs.services import (
    NightDetails,
    add_recurring_night,
    begin_try,
    cancel_date,
    open_with_link,
    password_tries,
)
from clubs.services.mailed_links import LASTS
from errors import Refusal
from tests.builders import TUESDAY, a_club, an_account, an_event
from tests.tournaments.test_two_writers import TIMES, at_once
from tournaments.events.event_settings import event_settings_of
from tournaments.events.services.event_cloning import make_event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("two write at the same moment"),
    pytest.mark.slow,
]


def test_tonight_asked_for_by_two_clicks_at_once_is_one_evening() -> None:
    for _ in range(TIMES):
        event = an_event(4)
        make = partial(
            make_event,
            club=event.club,
            settings=event_settings_of(event),
            like=event.name,
            name="Tonight",
            held_on=TUESDAY,
            people_of=event,
            by=Actor(key=uuid4()),
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


def test_many_passwords_tried_at_once_are_no_more_than_one_after_the_other() -> None:
    def tried() -> int:
        try:
            begin_try(password_tries(name="Rita", address="192.0.2.1"))
        except Refusal:
            return 0
        return 1

    assert sum(at_once(*[tried] * 12)) == 5


def test_a_mailed_link_opened_by_two_opens_for_one() -> None:
    account = an_account("Rita Plourde")
    for number in range(TIMES):
        secret, now = f"secret {number}", timezone.now()
        MailedLink.objects.create(
            purpose=LinkPurpose.SIGN_IN,
            email=account.email,
            account=account,
            asked_at=now,
            lasts_until=now + LASTS,
            digest=sha256(secret.encode()).hexdigest(),
        )

        def opened(secret: str = secret) -> int:
            try:
                open_with_link(secret=secret, key=uuid4())
            except Refusal:
                return 0
            return 1

        assert sum(at_once(opened, opened, opened)) == 1
