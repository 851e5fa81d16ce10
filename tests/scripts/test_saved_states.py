"""Saved states that many tests begin with: each test gets the state as it was built."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core import serializers
from django.db import connection, transaction
from django.utils import timezone

from clubs.models import Club
from clubs.services.clubs import create_club
from tests import saved_states as states
from tests.builders import build_running_night, matches_of, win
from tests.saved_states import saved_state
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("restored rows, and sequences")]

build_calls: list[str] = []


@saved_state
def build_club_with_predecessor(name: str) -> Club:
    build_calls.append(name)
    club = create_club(name=name, language="en")
    create_club(name="Gone", language="en").delete()
    return club


def dump_database() -> dict[str, Any]:
    """Return every row of the database, by model."""
    return {
        model._meta.label: serializers.serialize("json", model._default_manager.order_by("pk"))
        for model in states._list_models()
    }


def run_rolled_back(call: Any) -> Any:
    """Return what a test would get from that call, then roll it back."""
    with transaction.atomic():
        found = call()
        transaction.set_rollback(True)
    return found


def test_a_state_is_made_once_for_all_processes_and_each_way_to_ask_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(states, "_find_folder", lambda: tmp_path)
    build_calls.clear()
    for _ in ("one process", "another"):
        monkeypatch.setattr(states, "_states", {})
        clubs = [run_rolled_back(lambda name=name: build_club_with_predecessor(name)) for name in ("A", "B", "A", "B")]
        assert [club.name for club in clubs] == ["A", "B", "A", "B"]
    assert build_calls == ["A", "B"]


@pytest.mark.long
@pytest.mark.parametrize("pairs", [4, 5])
def test_restored_state_equals_the_one_built(pairs: int) -> None:
    def play() -> None:
        for match in matches_of(build_running_night(pairs)):
            win(match)
        Event.objects.update(name="Another")

    def look() -> tuple[Event, dict[str, Any]]:
        with patch.object(timezone, "now", lambda: now):
            return build_running_night(pairs), dump_database()

    now = timezone.now()
    event, rows = run_rolled_back(look)
    run_rolled_back(play)
    again, same = run_rolled_back(look)
    assert (again.pk, again.name, again.club) == (event.pk, event.name, event.club)
    assert same == rows
    assert '"number": 1' in rows["tournaments.Round"]


@pytest.mark.slow
def test_restored_times_are_shifted_to_now() -> None:
    run_rolled_back(build_running_night)
    later = timezone.now() + timedelta(seconds=50)

    def look() -> tuple[datetime, str]:
        event = build_running_night()
        published = event.rounds.get().published_at
        assert published is not None
        return published, str(event.actions.get(kind="publish_round").changes)

    with patch.object(timezone, "now", lambda: later):
        published, changes = run_rolled_back(look)
    assert published.isoformat() in changes
    assert timedelta(0) <= later - published < timedelta(seconds=40)


def test_new_rows_continue_the_numbering() -> None:
    def list_new_ids() -> list[int]:
        first = build_club_with_predecessor("A").pk
        return [first, create_club(name="B", language="en").pk]

    first, second = run_rolled_back(list_new_ids)
    assert second > first
    if connection.vendor == "sqlite":
        assert second == first + 2, "no number is given twice"


def test_state_is_built_beside_existing_rows() -> None:
    run_rolled_back(lambda: build_club_with_predecessor("A"))
    here = create_club(name="Here", language="en")
    build_calls.clear()
    assert build_club_with_predecessor("A").pk > here.pk
    assert build_calls == ["A"]
    assert Club.objects.count() == 2
