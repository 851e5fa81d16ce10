"""Merging people does not depend on the order, loses nothing, and can be undone completely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from django.db import transaction

from clubs.models import Dues
from clubs.services.undo import undo_club_action
from errors import Refusal
from operations.backup.tables import TABLE_OWNERSHIP, get_model
from scoring.models import Player
from tests.laws.random_club import EVENT_ACTIONS, MONEY_ACTIONS, PEOPLE_ACTIONS, RandomClub, pay_for_the_year
from tests.long_runs import RUN_SEED, choose_count
from tournaments.entries.services.merging import merge_people
from tournaments.models import Entry, Fee, Prize

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("bulk updates, and constraints"),
    pytest.mark.slow,
]
CLUBS = [f"{RUN_SEED}{number}" for number in range(choose_count(1, long=60))]
HISTORIES = {"clubs.ClubAction", "tournaments.Action"}
"""Tables that record the order of the merges."""
ORDER_DEPENDENT_COLUMNS = {
    "clubs.Person": {"contact", "family_id", "labels", "merged_ids"},
    "clubs.Family": {"name"},
    "clubs.Dues": {"other"},
    "tournaments.Fee": {"other"},
}
"""Columns that keep the value of the person merged first, if both merged people have one."""
RENUMBERED_MODELS = {"tournaments.Fee", "clubs.Dues", "tournaments.Visitor"}
"""Models in which two rows may become one: which row is kept, and so its id, depends on the order."""

Merge = tuple[int, int]
"""Id of the person who is kept, and id of the person merged into it."""


def build_club_with_history(seed: str) -> RandomClub:
    club = RandomClub(Random(seed))
    club.perform(30, (*PEOPLE_ACTIONS[:2], *EVENT_ACTIONS, *MONEY_ACTIONS))
    club.perform(15, (pay_for_the_year,))
    return club


def read_all_rows(*, but: dict[str, set[str]] | None = None) -> dict[str, list[Any]]:
    """Return the rows of every table except the histories, without the columns in ``but``."""
    without = but or {}
    found = {}
    for label in TABLE_OWNERSHIP.keys() - HISTORIES:
        left_out = without.get(label, set()) | ({"id"} if but and label in RENUMBERED_MODELS else set())
        rows = [
            {name: value for name, value in row.items() if name not in left_out}
            for row in get_model(label)._default_manager.values()
        ]
        found[label] = sorted(rows, key=str)
    return found


def read_order_independent_rows() -> dict[str, list[Any]]:
    return read_all_rows(but={"clubs.Family": set()})


def get_state_after_merges(club: RandomClub, merges: Sequence[Merge], look: Callable[[], Any]) -> Any:
    """Return the result of ``look`` after these merges in order, or None if one is refused; roll everything back."""
    with transaction.atomic():
        try:
            for target, merged in merges:
                merge_people(club_id=club.club.pk, target_id=target, source_id=merged)
            return look()
        except Refusal:
            return None
        finally:
            transaction.set_rollback(True)


def choose_three_people(club: RandomClub) -> list[int]:
    return club.dice.sample(list(club.club.people.order_by("pk").values_list("pk", flat=True)), 3)


@pytest.mark.parametrize("seed", CLUBS)
def test_merges_into_one_person_commute(seed: str) -> None:
    club, merged = build_club_with_history(seed), 0
    for _ in range(6):
        a, b, c = choose_three_people(club)
        seen = get_state_after_merges(club, [(a, b), (a, c)], lambda: read_all_rows(but=ORDER_DEPENDENT_COLUMNS))
        assert seen == get_state_after_merges(
            club, [(a, c), (a, b)], lambda: read_all_rows(but=ORDER_DEPENDENT_COLUMNS)
        )
        merged += seen is not None
    assert merged


@pytest.mark.parametrize("seed", CLUBS)
def test_merging_step_by_step_equals_merging_directly(seed: str) -> None:
    """Merging through an intermediate person loses no data."""
    club = build_club_with_history(seed)
    for _ in range(6):
        a, b, c = choose_three_people(club)
        assert get_state_after_merges(club, [(a, b), (a, c)], read_order_independent_rows) == get_state_after_merges(
            club, [(b, c), (a, b)], read_order_independent_rows
        )


def count_totals(club: RandomClub) -> dict[str, int]:
    """Return the totals of payments, prizes, seats and entries in the club."""
    people = club.club.people
    return {
        "fees": sum(Fee.objects.filter(event__club=club.club).values_list("paid", flat=True)),
        "dues": sum(Dues.objects.filter(person__club=club.club).values_list("paid", flat=True)),
        "prizes": Prize.objects.filter(winner_1__club=club.club).count(),
        "seats": Player.objects.filter(person__in=people.all()).count(),
        "entries": Entry.objects.filter(player_1__in=people.all()).count(),
    }


@pytest.mark.parametrize("seed", CLUBS)
def test_merge_keeps_payments_wins_and_seats(seed: str) -> None:
    club = build_club_with_history(seed)
    before = count_totals(club)
    assert min(before["dues"], before["seats"], before["entries"]) > 0
    for _ in range(6):
        a, b, c = choose_three_people(club)
        assert get_state_after_merges(club, [(a, b), (a, c)], lambda: count_totals(club)) in (None, before)


@pytest.mark.parametrize("seed", CLUBS)
def test_undone_merge_restores_everything(seed: str) -> None:
    club = build_club_with_history(seed)
    before = read_all_rows()

    def undo_and_read() -> dict[str, list[Any]]:
        for action in club.club.actions.filter(kind="merge_people").order_by("-pk")[:2]:
            undo_club_action(club_id=club.club.pk, action_id=action.pk)
        return read_all_rows()

    for _ in range(6):
        a, b, c = choose_three_people(club)
        assert get_state_after_merges(club, [(a, b), (a, c)], undo_and_read) in (None, before)
