"""A model of two installations that share a night, checked for every short sequence of steps.

In any order of marks, disconnections, restores and hand-overs, no hand is lost silently, and both installations report
a disagreement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count

import pytest

from errors import Refusal
from tournaments.mirrors.agreement import Position, RemoteState, find_disagreement, is_continuation

LONG_AGO = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Side:
    """An installation in the model: what ``get_position`` reads, its hands, and the snapshots it offered or
    accepted."""

    hands: frozenset[int]
    at: Position
    known_snapshots: frozenset[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Night:
    """A state of the model: laptop and site, their connection, and an older copy of each."""

    sides: tuple[Side, Side]
    is_connected: bool = True
    copies: tuple[Side | None, Side | None] = (None, None)
    marked: int = 0

    def replace_side(self, which: int, side: Side) -> Night:
        sides = (side, self.sides[1]) if which == 0 else (self.sides[0], side)
        return replace(self, sides=sides)


def build_other_side(mine: Side, theirs: Side) -> RemoteState:
    return RemoteState(
        position=theirs.at,
        is_known_here=(theirs.at.number, str(theirs.at.head)) in mine.known_snapshots,
        knows_our_snapshot=(mine.at.number, str(mine.at.head)) in theirs.known_snapshots,
    )


def get_disputes(night: Night) -> tuple[Refusal | None, Refusal | None]:
    one, two = night.sides
    return (
        find_disagreement(one.at, build_other_side(one, two), waiting_time=LONG_AGO),
        find_disagreement(two.at, build_other_side(two, one), waiting_time=LONG_AGO),
    )


def synchronize(night: Night, heads: Iterator[int]) -> Night:
    """Let a side that leads or hands over offer its hands; the other accepts them if they continue its own."""
    for which in (0, 1, 0):
        giver, taker = night.sides[which], night.sides[1 - which]
        is_offered = (giver.at.is_leader or giver.at.is_handing_over) and not taker.at.is_leader
        is_known = (taker.at.number, str(taker.at.head)) in giver.known_snapshots
        if not is_offered or not is_continuation(giver.at, taker.at, is_known=is_known):
            continue
        if giver.hands == taker.hands and not giver.at.is_handing_over:
            continue
        assert taker.hands <= giver.hands, "a hand is replaced that the other does not have"
        number = max(giver.at.number, taker.at.number) + 1
        head = f"head {next(heads)}"
        taken = replace(giver.at, number=number, head=head, is_leader=giver.at.is_handing_over, is_handing_over=False)
        snapshots = frozenset({(number, head)})
        night = night.replace_side(1 - which, Side(giver.hands, taken, taker.known_snapshots | snapshots))
        given = replace(giver.at, number=number, head=head, is_handing_over=False)
        night = night.replace_side(which, Side(giver.hands, given, giver.known_snapshots | snapshots))
    return night


def iter_steps(night: Night) -> Iterator[Night]:
    """Yield every state that can follow: connection, mark, hand-over, takeover, copy or restore."""
    yield replace(night, is_connected=not night.is_connected)
    for which, side in enumerate(night.sides):
        if side.at.is_leader:
            marked = replace(side, hands=side.hands | {night.marked})
            yield replace(night.replace_side(which, marked), marked=night.marked + 1)
            given_up = replace(side.at, head="", is_leader=False, is_handing_over=True, epoch=side.at.epoch + 1)
            yield night.replace_side(which, replace(side, at=given_up))
        else:
            chosen = replace(side.at, is_leader=True, is_handing_over=False, epoch=side.at.epoch + 1)
            yield night.replace_side(which, replace(side, at=chosen))
        copies = list(night.copies)
        copies[which] = side
        yield replace(night, copies=(copies[0], copies[1]))
        if (older := night.copies[which]) is not None:
            yield night.replace_side(which, older)


def check(night: Night) -> None:
    """Check that both installations have equal hands and one leader, or both report a dispute."""
    here, there = night.sides
    is_one_leading = here.at.is_leader != there.at.is_leader
    is_agreed = is_one_leading and here.hands == there.hands
    disputes = get_disputes(night)
    assert is_agreed or all(disputes), (night, disputes)


def count_tried_orders(depth: int) -> int:
    """Try every sequence of ``depth`` steps, synchronizing while connected; return the number of distinct states."""
    heads = count()
    first = Side(frozenset(), Position(is_leader=True), frozenset())
    nights = {synchronize(Night((first, Side(frozenset(), Position(), frozenset()))), heads)}
    tried = 0
    for _ in range(depth):
        following: dict[Night, None] = {}
        for night in nights:
            for step in iter_steps(night):
                now = synchronize(step, heads) if step.is_connected else step
                if now.is_connected:
                    check(now)
                following[canonicalize(now)] = None
        nights = set(following)
        tried += len(nights)
    return tried


def canonicalize(night: Night) -> Night:
    """Return the night with its heads renamed in order, because names of heads affect nothing."""
    sides = [*night.sides, *(copy for copy in night.copies if copy is not None)]
    heads = sorted(
        {(number, head) for side in sides for number, head in side.known_snapshots}
        | {(side.at.number, str(side.at.head)) for side in sides},
        key=lambda each: (each[0], [each in side.known_snapshots for side in sides], each[1]),
    )
    names = {head: f"{place}" if head else "" for place, (_, head) in enumerate(heads)}

    def rename_heads(side: Side) -> Side:
        at = replace(side.at, head=names[str(side.at.head)])
        return Side(side.hands, at, frozenset((number, names[head]) for number, head in side.known_snapshots))

    here, there = (rename_heads(side) for side in night.sides)
    older, copy = (None if side is None else rename_heads(side) for side in night.copies)
    return replace(night, sides=(here, there), copies=(older, copy))


@pytest.mark.slow
def test_five_steps_in_any_order_lose_no_hand_silently() -> None:
    assert count_tried_orders(5) > 500


@pytest.mark.long
def test_eight_steps_in_any_order_lose_no_hand_silently() -> None:
    assert count_tried_orders(8) > 50_000
