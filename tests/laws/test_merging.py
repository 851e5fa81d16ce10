"""Merging people: it does not matter in which order, and all of it comes back, whatever their past."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from django.db import transaction

from clubs.models import Dues
from clubs.services import undo_club_action
from errors import Refusal
from operations.backup.tables import TABLE_OWNERSHIP, model_of
from scoring.models import Player
from tests.laws.random_club import ABOUT_EVENTS, ABOUT_MONEY, ABOUT_PEOPLE, RandomClub, pay_for_the_year
from tests.long import WORD, often
from tournaments.entries.services.merging import merge_people
from tournaments.models import Entry, Fee, Prize

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("rows are moved by sets, and some meet a constraint"),
    pytest.mark.slow,
]
CLUBS = [f"{WORD}{number}" for number in range(often(2, long=60))]
HISTORIES = {"clubs.ClubAction", "tournaments.Action"}
"""They tell the order."""
SAID_BY_THE_FIRST = {
    "clubs.Person": {"contact", "family_id", "labels", "merged_ids"},
    "clubs.Family": {"name"},
    "clubs.Dues": {"other"},
    "tournaments.Fee": {"other"},
}
"""Of two who are merged into a third, the first one's word stands where both have one."""
NUMBERED_ANEW = {"tournaments.Fee", "clubs.Dues", "tournaments.Visitor"}
"""Of two rows that become one, either may be the one that stays."""

Merge = tuple[int, int]
"""Who stays, and who goes."""


def a_club_with_a_past(seed: str) -> RandomClub:
    club = RandomClub(Random(seed))
    club.live(30, (*ABOUT_PEOPLE[:2], *ABOUT_EVENTS, *ABOUT_MONEY))
    club.live(15, (pay_for_the_year,))
    return club


def everything(*, but: dict[str, set[str]] | None = None) -> dict[str, list[Any]]:
    """Each table, but for its histories and these columns."""
    without = but or {}
    found = {}
    for label in TABLE_OWNERSHIP.keys() - HISTORIES:
        left_out = without.get(label, set()) | ({"id"} if but and label in NUMBERED_ANEW else set())
        rows = [
            {name: value for name, value in row.items() if name not in left_out}
            for row in model_of(label)._default_manager.values()
        ]
        found[label] = sorted(rows, key=str)
    return found


def whatever_was_said() -> dict[str, list[Any]]:
    return everything(but={"clubs.Family": set()})


def after(club: RandomClub, merges: Sequence[Merge], look: Callable[[], Any]) -> Any:
    """Return what is seen once these were merged, one after the other; None where one of them is refused. All
    of it is as it was afterwards."""
    with transaction.atomic():
        try:
            for kept, merged in merges:
                merge_people(club_id=club.club.pk, kept_id=kept, merged_id=merged)
            return look()
        except Refusal:
            return None
        finally:
            transaction.set_rollback(True)


def some_three(club: RandomClub) -> list[int]:
    return club.dice.sample(list(club.club.people.order_by("pk").values_list("pk", flat=True)), 3)


@pytest.mark.parametrize("seed", CLUBS)
def test_two_into_a_third_is_the_same_in_either_order(seed: str) -> None:
    club, merged = a_club_with_a_past(seed), 0
    for _ in range(6):
        a, b, c = some_three(club)
        seen = after(club, [(a, b), (a, c)], lambda: everything(but=SAID_BY_THE_FIRST))
        assert seen == after(club, [(a, c), (a, b)], lambda: everything(but=SAID_BY_THE_FIRST))
        merged += seen is not None
    assert merged


@pytest.mark.parametrize("seed", CLUBS)
def test_one_after_the_other_is_the_same_as_the_two_first(seed: str) -> None:
    """Nothing that anybody said of them is lost on the longer way."""
    club = a_club_with_a_past(seed)
    for _ in range(6):
        a, b, c = some_three(club)
        assert after(club, [(a, b), (a, c)], whatever_was_said) == after(
            club, [(b, c), (a, b)], whatever_was_said
        )


def what_people_have(club: RandomClub) -> dict[str, int]:
    """Return what they paid, won and played, all together."""
    people = club.club.people
    return {
        "fees": sum(Fee.objects.filter(event__club=club.club).values_list("paid", flat=True)),
        "dues": sum(Dues.objects.filter(person__club=club.club).values_list("paid", flat=True)),
        "prizes": Prize.objects.filter(winner_1__club=club.club).count(),
        "seats": Player.objects.filter(person__in=people.all()).count(),
        "entries": Entry.objects.filter(player_1__in=people.all()).count(),
    }


@pytest.mark.parametrize("seed", CLUBS)
def test_nothing_that_somebody_paid_won_or_played_is_lost(seed: str) -> None:
    club = a_club_with_a_past(seed)
    before = what_people_have(club)
    assert min(before["dues"], before["seats"], before["entries"]) > 0
    for _ in range(6):
        a, b, c = some_three(club)
        assert after(club, [(a, b), (a, c)], lambda: what_people_have(club)) in (None, before)


@pytest.mark.parametrize("seed", CLUBS)
def test_all_of_it_comes_back(seed: str) -> None:
    club = a_club_with_a_past(seed)
    before = everything()

    def undone() -> dict[str, list[Any]]:
        for action in club.club.actions.filter(kind="merge_people").order_by("-pk")[:2]:
            undo_club_action(club_id=club.club.pk, action_id=action.pk)
        return everything()

    for _ in range(6):
        a, b, c = some_three(club)
        assert after(club, [(a, b), (a, c)], undone) in (None, before)
