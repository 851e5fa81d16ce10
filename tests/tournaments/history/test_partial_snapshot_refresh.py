"""A partial refresh reads only the parts that an action touched, and equals a full snapshot."""

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest

from engine.results import EventSnapshot
from rules import Side
from scoring.services.marks import record_hand
from tests.builders import build_running_night, matches_of, play_round, start_next_round, win
from tests.saved_states import saved_state
from tournaments.entries.services.bonds import keep_apart
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry, substitute_player, withdraw_entry
from tournaments.entries.services.teams import set_team
from tournaments.history.services.effects import compute_effects, find_touched_parts
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import read_event_snapshot, refresh_snapshot
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, reopen_round, unpublish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@saved_state
def build_evening() -> Event:
    """Build a night with round 1 closed and round 2 published, with a bye, shared teams and shared cars."""
    event = build_running_night(pairs=7)
    for number, of in {
        1: {"team": "Matane"},
        2: {"team": "Matane"},
        3: {"car": "Red"},
        5: {"car": "Blue"},
    }.items():
        event.entries.filter(number=number).update(**of)
    keep_apart(event_id=event.pk, text="3, 7", always=True)
    play_round(event, 1)
    start_next_round(event)
    return Event.objects.get(pk=event.pk)


def reopen_first_round(event: Event) -> None:
    unpublish_round(event_id=event.pk, number=2)
    reopen_round(event_id=event.pk, number=1)


def draw_third_round(event: Event) -> None:
    for match in matches_of(event, 2):
        win(match)
    close_round(event_id=event.pk, number=2)
    draw_round(event_id=event.pk, seed=3)
    publish_round(event_id=event.pk, number=3)


ACTIONS: dict[str, Callable[[Event], object]] = {
    "adjusted": lambda event: adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(2, 40)),
    "forfeited": lambda event: forfeit_table(event_id=event.pk, number=2, table=1, winner=Side.B),
    "swapped": lambda event: swap_entries(event_id=event.pk, number=2, one=1, other=2),
    "swapped in a closed round": lambda event: swap_entries(event_id=event.pk, number=1, one=3, other=6),
    "withdrawn": lambda event: withdraw_entry(event_id=event.pk, number=4),
    "substituted": lambda event: substitute_player(event_id=event.pk, number=4, place=1, name="Somebody Else"),
    "entered": lambda event: add_entry(event_id=event.pk, players=("Zoé Zed", "Yves Yale")),
    "of another club": lambda event: set_team(event_id=event.pk, numbers=[2, 6], team="Rimouski"),
    "came in one car": lambda event: describe_entry(event_id=event.pk, number=4, car="Red"),
    "kept apart": lambda event: keep_apart(event_id=event.pk, text="1, 4, 5", always=False, rounds=3),
    "unpublished": lambda event: unpublish_round(event_id=event.pk, number=2),
    "reopened": reopen_first_round,
    "drawn on": draw_third_round,
}


def sort_snapshot(snapshot: EventSnapshot) -> tuple[object, ...]:
    sat = sorted(snapshot.tables, key=lambda each: (each.round, each.table, each.a))
    return snapshot.basis, snapshot.entrants, sat, snapshot.adjustments, dict(snapshot.orders)


@pytest.mark.long
@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS.keys())
@pytest.mark.postgresql("bulk updates with CASE")
def test_partial_refresh_equals_a_full_snapshot(action: Callable[[Event], object]) -> None:
    event = build_evening()
    last = event.actions.latest("pk").pk
    before = read_event_snapshot(event)
    action(event)
    for _ in range(2):  # the action, then its undo
        event = Event.objects.get(pk=event.pk)
        done = list(event.actions.filter(pk__gt=last).order_by("pk"))
        now = read_event_snapshot(event)
        assert sort_snapshot(refresh_snapshot(event, before, find_touched_parts(event, done, None))) == sort_snapshot(
            now
        )
        before, last = now, done[-1].pk
        for row in done[::-1]:
            undo_action(event_id=event.pk, action_id=row.pk)


@pytest.mark.postgresql("savepoints")
def test_previewed_hand_moves_ranks_in_an_open_round() -> None:
    event = build_evening()
    match = matches_of(event, 2)[0]
    write = partial(
        record_hand,
        match_id=match.pk,
        entry_key=uuid4(),
        number=1,
        hand={"kind": "totals", "points_a": "12", "points_b": "32"},
    )
    assert compute_effects(event.pk, write, marked_table=(2, 1)).ranks
    assert not match.marks.exists()
