"""The random draw: opponents by lot, nobody meeting the same one again while that is possible.

Two rules bind the lot, in this order.

1. *The bye* of an odd field goes to one of those who have had the fewest. This stands above repeats: whoever
   meets an opponent again still plays, whoever sits out again does not, and it is the one unfairness that
   everybody in the hall can count. It costs little: among 5 to 13 entries who all stay, a fair bye has forced
   a repeat in none but the last two rounds before opponents run out.
2. *Repeats* cost the least possible. A second meeting costs 1, a third 4, a fourth 9: the square of the
   meetings so far, so that a round that cannot do without repeats spreads them.

The field is shuffled and neighbours are paired. Two who have met trade opponents with a table where neither
has met the one they get. A table that cannot trade holds two former opponents of theirs, or one of both:
until somebody has met half of the field there are too few of those. So where no table can trade the field is
small, and the cheapest of all draws is found by matching.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from .history import History
from .matching import cheapest_matching
from .values import Draw, DrawInput, DrawnTable, EntryId, Reason, ReasonCode

Pairing = tuple[EntryId, EntryId | None]
"""Two who meet, or one who has the bye."""

LOTS = 2**53
"""How many numbers ``Random.random()`` tells apart."""


def draw_at_random(draw_input: DrawInput) -> Draw:
    """The next round by lot: a fair bye, the fewest repeats, and side A for whoever leans less to it."""
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this lot again: no secret
    history = History(draw_input.history)
    order = sorted(draw_input.entries, key=lambda _: chance.random())
    may_sit_out = history.fewest_byes(order) if len(order) % 2 else []

    pairings = _without_repeats(order, may_sit_out, history)
    if pairings is None:
        pairings = _with_fewest_repeats(order, may_sit_out, history, chance)

    bye = next((entry for entry, opponent in pairings if opponent is None), None)
    return Draw(
        format="random",
        seed=draw_input.seed,
        tables=tuple(_table(one, other, history) for one, other in pairings if other is not None),
        bye=bye,
        bye_reasons=() if bye is None else _bye_reasons(bye, history),
    )


def _without_repeats(
    order: Sequence[EntryId], may_sit_out: Sequence[EntryId], history: History
) -> list[Pairing] | None:
    """Neighbours in the order, after trades; None if a repeat is left that no single trade undoes."""
    playing = [entry for entry in order if entry not in may_sit_out[:1]]
    tables = list(zip(playing[::2], playing[1::2], strict=True))
    for here, (one, other) in enumerate(tables):
        if not history.rounds_met(one, other):
            continue
        trades = (
            (there, (one, x), (other, y))
            for there, table in enumerate(tables)
            if there != here
            for x, y in (table, table[::-1])
            if not history.rounds_met(one, x) and not history.rounds_met(other, y)
        )
        trade = next(trades, None)
        if trade is None:
            return None
        there, tables[here], tables[there] = trade
    return [*tables, *((entry, None) for entry in may_sit_out[:1])]


def _with_fewest_repeats(
    order: Sequence[EntryId], may_sit_out: Sequence[EntryId], history: History, chance: Random
) -> list[Pairing]:
    """The cheapest of all draws; among equals, the one with the lowest sum of lots."""
    prices = {
        (i, j): len(history.rounds_met(one, other)) ** 2 * LOTS * len(order) + _lot(chance)
        for (i, one), (j, other) in combinations(enumerate(order), 2)
    }
    nobody = len(order)
    prices |= {(i, nobody): _lot(chance) for i, entry in enumerate(order) if entry in may_sit_out}
    opponents = [*order, None]
    return [(order[i], opponents[j]) for i, j in cheapest_matching(prices)]


def _lot(chance: Random) -> int:
    return int(chance.random() * LOTS)


def _table(one: EntryId, other: EntryId, history: History) -> DrawnTable:
    side_a, side_b = sorted((one, other), key=history.lean)  # equal: as they were drawn
    rounds = history.rounds_met(one, other)
    reasons = (
        Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds}),
        Reason(code=ReasonCode.REPEATS_UNAVOIDABLE),
    )
    return DrawnTable(side_a=side_a, side_b=side_b, reasons=reasons if rounds else ())


def _bye_reasons(entry: EntryId, history: History) -> tuple[Reason, ...]:
    return (Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": history.rounds_met(entry, None)}),)
