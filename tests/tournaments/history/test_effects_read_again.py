"""Of what something does, only what it touched is read again: what is known then is what is read anew."""

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest

from engine.results import EventSnapshot
from rules import Side
from scoring.services import record_hand
from tests.builders import a_running_night, matches_of, next_round, play_round, win
from tests.saved_states import saved_state
from tournaments.entries.services.bonds import keep_apart
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import describe_entry, substitute_player, withdraw_entry
from tournaments.entries.services.teams import set_team
from tournaments.history.services.effects import effects_of, parts_touched
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import event_snapshot, refresh_snapshot
from tournaments.rounds.services.rounds import (
    close_round,
    draw_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from tournaments.rounds.services.tables import adjust_table, forfeit_table, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@saved_state
def an_evening() -> Event:
    """One round closed, with a bye, and one that is played. Two are of one club, others came by car."""
    event = a_running_night(pairs=7)
    for number, of in {
        1: {"team": "Matane"},
        2: {"team": "Matane"},
        3: {"car": "Red"},
        5: {"car": "Blue"},
    }.items():
        event.entries.filter(number=number).update(**of)
    keep_apart(event_id=event.pk, text="3, 7", always=True)
    play_round(event, 1)
    next_round(event)
    return Event.objects.get(pk=event.pk)


def reopened(event: Event) -> None:
    unpublish_round(event_id=event.pk, number=2)
    reopen_round(event_id=event.pk, number=1)


def drawn_on(event: Event) -> None:
    for match in matches_of(event, 2):
        win(match)
    close_round(event_id=event.pk, number=2)
    draw_round(event_id=event.pk, seed=3)
    publish_round(event_id=event.pk, number=3)


DEEDS: dict[str, Callable[[Event], object]] = {
    "adjusted": lambda event: adjust_table(
        event_id=event.pk, number=1, table=1, games=(0, 1), points=(2, 40)
    ),
    "forfeited": lambda event: forfeit_table(event_id=event.pk, number=2, table=1, winner=Side.B),
    "swapped": lambda event: swap_entries(event_id=event.pk, number=2, one=1, other=2),
    "swapped in a closed round": lambda event: swap_entries(event_id=event.pk, number=1, one=3, other=6),
    "withdrawn": lambda event: withdraw_entry(event_id=event.pk, number=4),
    "substituted": lambda event: substitute_player(
        event_id=event.pk, number=4, place=1, name="Somebody Else"
    ),
    "entered": lambda event: add_entry(event_id=event.pk, players=("Zoé Zed", "Yves Yale")),
    "of another club": lambda event: set_team(event_id=event.pk, numbers=[2, 6], team="Rimouski"),
    "came in one car": lambda event: describe_entry(event_id=event.pk, number=4, car="Red"),
    "kept apart": lambda event: keep_apart(event_id=event.pk, text="1, 4, 5", always=False, rounds=3),
    "unpublished": lambda event: unpublish_round(event_id=event.pk, number=2),
    "reopened": reopened,
    "drawn on": drawn_on,
}


def in_order(known: EventSnapshot) -> tuple[object, ...]:
    sat = sorted(known.sat, key=lambda each: (each.round, each.table, each.a))
    return known.basis, known.entrants, sat, known.adjustments, dict(known.orders)


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS.keys())
@pytest.mark.postgresql("many rows get values of their own at once")
def test_what_a_deed_touched_is_what_it_changed(deed: Callable[[Event], object]) -> None:
    event = an_evening()
    last = event.actions.latest("pk").pk
    before = event_snapshot(event)
    deed(event)
    for _ in range(2):  # and back again
        event = Event.objects.get(pk=event.pk)
        done = list(event.actions.filter(pk__gt=last).order_by("pk"))
        now = event_snapshot(event)
        assert in_order(refresh_snapshot(event, before, parts_touched(event, done, None))) == in_order(now)
        before, last = now, done[-1].pk
        for action in done[::-1]:
            undo_action(event_id=event.pk, action_id=action.pk)


@pytest.mark.postgresql("what is tried is taken back to a savepoint")
def test_a_hand_that_is_tried_moves_the_ranks_also_while_its_round_is_open() -> None:
    event = an_evening()
    match = matches_of(event, 2)[0]
    write = partial(
        record_hand,
        match_id=match.pk,
        entry_key=uuid4(),
        number=1,
        hand={"kind": "totals", "points_a": "12", "points_b": "32"},
    )
    assert effects_of(event.pk, write, marked=(2, 1)).ranks
    assert not match.marks.exists()
