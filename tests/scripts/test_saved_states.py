"""States that many tests begin with: whoever asks has what was made, whatever another did to it."""

from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core import serializers
from django.db import connection, transaction
from django.utils import timezone

from clubs.models import Club
from clubs.services import create_club
from tests import saved_states as states
from tests.builders import a_running_night, matches_of, win
from tests.saved_states import saved_state
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("rows are put back, and numbered on")]

made: list[str] = []


@saved_state
def a_club_before_another(name: str) -> Club:
    made.append(name)
    club = create_club(name=name, language="en")
    create_club(name="Gone", language="en").delete()
    return club


def everything() -> dict[str, Any]:
    """Every row of the database."""
    return {
        model._meta.label: serializers.serialize("json", model._default_manager.order_by("pk"))
        for model in states._tables()
    }


def anew(call: Any) -> Any:
    """Return what a test would see that begins with that call."""
    with transaction.atomic():
        found = call()
        transaction.set_rollback(True)
    return found


def test_a_state_is_made_once_for_each_way_to_ask_for_it() -> None:
    made.clear()
    names = [anew(lambda name=name: a_club_before_another(name).name) for name in ("A", "B", "A", "B")]
    assert (names, made) == (["A", "B", "A", "B"], ["A", "B"])


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [4, 5])
def test_what_is_put_back_is_what_was_made_whatever_was_done_with_it_before(pairs: int) -> None:
    def play() -> None:
        for match in matches_of(a_running_night(pairs)):
            win(match)
        Event.objects.update(name="Another")

    def look() -> tuple[Event, dict[str, Any]]:
        with patch.object(timezone, "now", lambda: now):
            return a_running_night(pairs), everything()

    now = timezone.now()
    event, rows = anew(look)
    anew(play)
    again, same = anew(look)
    assert (again.pk, again.name, again.club) == (event.pk, event.name, event.club)
    assert same == rows
    assert '"number": 1' in rows["tournaments.Round"]


def test_times_are_as_if_it_were_made_now() -> None:
    anew(a_running_night)
    later = timezone.now() + timedelta(seconds=50)

    def look() -> tuple[datetime, str]:
        event = a_running_night()
        published = event.rounds.get().published_at
        assert published is not None
        return published, str(event.actions.get(kind="publish_round").changes)

    with patch.object(timezone, "now", lambda: later):
        published, said = anew(look)
    assert published.isoformat() in said
    assert timedelta(0) <= later - published < timedelta(seconds=40)


def test_new_rows_are_numbered_on() -> None:
    def numbers() -> list[int]:
        first = a_club_before_another("A").pk
        return [first, create_club(name="B", language="en").pk]

    first, second = anew(numbers)
    assert second > first
    if connection.vendor == "sqlite":
        assert second == first + 2, "no number is given twice"


def test_where_there_is_something_already_it_is_made_beside_it() -> None:
    anew(lambda: a_club_before_another("A"))
    here = create_club(name="Here", language="en")
    made.clear()
    assert a_club_before_another("A").pk > here.pk
    assert made == ["A"]
    assert Club.objects.count() == 2
