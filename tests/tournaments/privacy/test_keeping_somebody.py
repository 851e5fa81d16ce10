"""Somebody is kept though the club forgets who has not played for years: until a day that is to come."""

from datetime import timedelta

import pytest

from clubs.calendar import today_in
from clubs.services import add_person, keep_person
from clubs.services.people import PersonDetails
from tests.builders import a_club, code_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("days", "code"), [(-1, "day_is_past"), (0, "day_is_past"), (1, "")])
def test_the_day_is_to_come(days: int, code: str) -> None:
    club = a_club()
    person = add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy"))
    until = today_in(club) + timedelta(days=days)
    if code:
        assert code_of(keep_person, club_id=club.pk, person_id=person.pk, until=until) == code
    else:
        keep_person(club_id=club.pk, person_id=person.pk, until=until)
    person.refresh_from_db()
    assert person.kept_until == (None if code else until)
