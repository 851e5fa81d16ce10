"""Deferred erasure: an inactive person is kept until a future date."""

from datetime import timedelta

import pytest

from clubs.calendar import get_club_today
from clubs.services.people import PersonDetails, add_person
from clubs.services.privacy import defer_erasure
from tests.builders import build_club, get_refusal_code

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("days", "code"), [(-1, "day_is_past"), (0, "day_is_past"), (1, "")])
def test_deferral_date_must_be_in_the_future(days: int, code: str) -> None:
    club = build_club()
    person = add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy"))
    until = get_club_today(club) + timedelta(days=days)
    if code:
        assert get_refusal_code(defer_erasure, club_id=club.pk, person_id=person.pk, until=until) == code
    else:
        defer_erasure(club_id=club.pk, person_id=person.pk, until=until)
    person.refresh_from_db()
    assert person.kept_until == (None if code else until)
