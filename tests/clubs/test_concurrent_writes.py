"""Concurrent identical requests: a change is made once, and every password attempt is counted."""

import datetime
from functools import partial
from hashlib import sha256
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from clubs.audit.log import Actor
from clubs.models import ClubRequest, LinkPurpose, MailedLink
from clubs.services.calendar import NightDetails, add_recurring_night, cancel_date
from clubs.services.club_requests import request_club
from clubs.services.login_throttle import begin_attempt, build_password_counters
from clubs.services.mailed_links import LINK_LIFETIME, request_sign_in_link, sign_in_with_link
from errors import Refusal
from tests.builders import TUESDAY, build_account, build_club, build_event
from tests.tournaments.test_concurrent_writes import TIMES, run_concurrently
from tournaments.events.event_settings import read_event_settings
from tournaments.events.services.event_cloning import make_event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("concurrent writes"),
    pytest.mark.slow,
]


def test_concurrent_clicks_create_one_night() -> None:
    for _ in range(TIMES):
        event = build_event(4)
        make = partial(
            make_event,
            club=event.club,
            settings=read_event_settings(event),
            like=event.name,
            name="Tonight",
            held_on=TUESDAY,
            people_of=event,
            by=Actor(key=uuid4()),
        )
        made = run_concurrently(make, make, make)
        assert len({one.pk for one in made}) == 1
        assert event.club.events.count() == 2
        assert made[0].entries.count() == 4


def test_concurrent_cancellations_apply_once() -> None:
    for _ in range(TIMES):
        club = build_club()
        details = NightDetails(name="Mardi", pattern="weekly", first_on=TUESDAY, starts_at=datetime.time(19))
        night = add_recurring_night(club_id=club.pk, details=details)
        assert night is not None
        cancel = partial(cancel_date, club_id=club.pk, night_id=night.pk, on=TUESDAY)
        assert run_concurrently(cancel, cancel) == [None, None]
        assert night.changed_dates.count() == 1


def test_concurrent_password_attempts_are_all_counted() -> None:
    def try_password() -> int:
        try:
            begin_attempt(build_password_counters(name="Rita", address="192.0.2.1"))
        except Refusal:
            return 0
        return 1

    assert sum(run_concurrently(*[try_password] * 12)) == 5


def test_concurrent_clicks_open_a_mailed_link_once() -> None:
    account = build_account("Rita Plourde")
    for number in range(TIMES):
        secret, now = f"secret {number}", timezone.now()
        MailedLink.objects.create(
            purpose=LinkPurpose.SIGN_IN,
            email=account.email,
            account=account,
            asked_at=now,
            lasts_until=now + LINK_LIFETIME,
            digest=sha256(secret.encode()).hexdigest(),
        )

        def open_link(secret: str = secret) -> int:
            try:
                sign_in_with_link(secret=secret, key=uuid4())
            except Refusal:
                return 0
            return 1

        assert sum(run_concurrently(open_link, open_link, open_link)) == 1


def test_concurrent_requests_for_a_sign_in_link_make_one(settings: Settings) -> None:
    settings.MAIL_ORIGIN = "https://cards.example.org"
    for number in range(TIMES):
        request = partial(request_sign_in_link, email=f"rita{number}@example.com")
        run_concurrently(*[request] * 6)
    assert MailedLink.objects.count() == TIMES


def test_concurrent_identical_club_requests_make_one(settings: Settings) -> None:
    settings.MAIL_ORIGIN, settings.TAKES_CLUB_REQUESTS = "https://cards.example.org", True
    for number in range(TIMES):
        email = f"rita{number}@example.com"
        request = partial(request_club, name="Les Atouts", email=email, language="fr", accepts_terms=True)
        run_concurrently(*[request] * 6)
    assert ClubRequest.objects.count() == TIMES
