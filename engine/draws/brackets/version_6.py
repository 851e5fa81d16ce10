"""Brackets of draws before version 7: each match in a round fixed beforehand, and entries kept apart in the
first round only."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from engine.draws.bonds import ALWAYS
from engine.draws.pairing_cost.blossom import least_matching
from engine.draws.values import Bond, EntryId

from .bracket_state import BracketOutcome, BracketState, Sides
from .structure import Seed, Slot, seed_lines

if TYPE_CHECKING:
    from .settling import Settling

DRAWN_AHEAD = 6
"""The last version of draws to which this module applies."""

BETTER_GOES_ON = 5
"""The last version in which the better of two seeds that were both away advanced."""


def settle_by_rounds(settling: "Settling", settled: BracketState) -> BracketState:
    """Settle a bracket round by round."""
    have_played: set[EntryId | None] = set()
    in_turn = sorted(settled.bracket.slots, key=lambda slot: slot.round)
    for number, of_round in groupby(in_turn, key=lambda slot: slot.round):
        slots = list(of_round)
        for slot in slots:
            settled = settling.as_seated(settled, slot)
        found: dict[str, BracketOutcome] = {}
        for slot in slots:
            first_final = settled.outcomes.get(slot.only_if_upset or "")
            if first_final is not None and first_final.winner != settled.sides(slot)[1]:
                found[slot.key] = first_final
            elif (decided := _decide(settling, settled, slot)) is not None:
                winner, loser = decided
                found[slot.key] = BracketOutcome(winner, loser, loser not in have_played, number)
                if loser is not None:
                    have_played |= {winner, loser}
        settled = replace(settled, outcomes={**settled.outcomes, **found})
    return settled


def _decide(settling: "Settling", settled: BracketState, slot: Slot) -> Sides | None:
    """Return the winner and loser, by the record or without a match; None while it is open."""
    one, other = sides = settled.sides(slot)
    if slot.key in settling.records:
        recorded = settling.by_record(settled, slot)
        # Without a winner it is open, unless an earlier result was changed and left one side only.
        if recorded is not None or None not in sides:
            return recorded
    if not slot.origins <= settled.outcomes.keys():
        return None
    if one is None or other is None:
        return (other if one is None else one), None
    if slot.round >= settling.before_round:
        return None
    return settling.by_presence(one, other, slot.round) or settling.by_number(one, other)


def slots_due(settled: BracketState, played_round: int) -> list[Slot]:
    """Return the matches still to be played in this round, whether or not their sides are known."""
    return [
        slot
        for slot in settled.bracket.slots
        if slot.round == played_round and slot.key not in settled.outcomes
    ]


def waits_for(settled: BracketState, slot: Slot) -> str | None:
    """Return the earliest undecided slot that this one waits for, if any."""
    missing = slot.origins - settled.outcomes.keys()
    for before in settled.bracket.slots if missing else ():
        if before.key in missing:
            return waits_for(settled, before) or before.key
    return None


def seeded_apart(seeds: Sequence[EntryId], bonds: Sequence[Collection[Bond]]) -> tuple[EntryId, ...]:
    """Exchange seeds of the lower half, so that as few as possible who share a bond meet in the first round.
    Nobody moves further than necessary."""
    lines = [line.number - 1 if isinstance(line, Seed) else None for line in seed_lines(len(seeds))]
    pairs = [
        (min(one, other), max(one, other))
        for one, other in zip(lines[::2], lines[1::2], strict=False)
        if one is not None and other is not None
    ]

    def count_shared(higher: int, lower: int) -> int:
        common = set(bonds[higher]) & set(bonds[lower])
        return sum(len(seeds) if bond.kind == ALWAYS else 1 for bond in common)

    if not any(count_shared(*pair) for pair in pairs):
        return tuple(seeds)
    dearer = 1 + len(pairs) * len(seeds) ** 2
    matching = least_matching(
        2 * len(pairs),
        [
            (place, len(pairs) + other, dearer * count_shared(higher, new) + (new - lower) ** 2)
            for place, (higher, lower) in enumerate(pairs)
            for other, (_, new) in enumerate(pairs)
        ],
    )
    moved = dict(enumerate(seeds))
    for place, (_, lower) in enumerate(pairs):
        moved[lower] = seeds[pairs[matching.mates[place] - len(pairs)][1]]
    return tuple(moved.values())
