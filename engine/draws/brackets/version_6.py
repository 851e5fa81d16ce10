"""Brackets of draws before version 7: each match in a round fixed beforehand, and entries kept apart in the
first round only."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from engine.draws.bonds import ALWAYS
from engine.draws.pairing_cost.blossom import find_min_cost_matching
from engine.draws.values import Bond, EntryId

from .bracket_state import BracketOutcome, BracketState, Sides
from .structure import Seed, Slot, list_seed_lines

if TYPE_CHECKING:
    from .settlement import BracketSettler

LAST_VERSION = 6
"""The last version of draws to which this module applies."""

BOTH_AWAY_LAST_VERSION = 5
"""The last version in which the better of two seeds that were both away advanced."""


def settle_by_rounds(settler: "BracketSettler", state: BracketState) -> BracketState:
    """Settle a bracket round by round."""
    have_played: set[EntryId | None] = set()
    ordered_slots = sorted(state.bracket.slots, key=lambda slot: slot.round)
    for number, round_slots in groupby(ordered_slots, key=lambda slot: slot.round):
        slots = list(round_slots)
        for slot in slots:
            state = settler.apply_seating(state, slot)
        found: dict[str, BracketOutcome] = {}
        for slot in slots:
            first_final = state.outcomes.get(slot.upset_final or "")
            if first_final is not None and first_final.winner != state.get_sides(slot)[1]:
                found[slot.key] = first_final
            elif (decision := _decide(settler, state, slot)) is not None:
                winner, loser = decision
                found[slot.key] = BracketOutcome(winner, loser, loser not in have_played, number)
                if loser is not None:
                    have_played |= {winner, loser}
        state = replace(state, outcomes={**state.outcomes, **found})
    return state


def _decide(settler: "BracketSettler", state: BracketState, slot: Slot) -> Sides | None:
    """Return the winner and loser, by the record or without a match; None while it is open."""
    one, other = sides = state.get_sides(slot)
    if slot.key in settler.records:
        recorded = settler.decide_by_record(state, slot)
        # Without a winner it is open, unless an earlier result was changed and left one side only.
        if recorded is not None or None not in sides:
            return recorded
    if not slot.origins <= state.outcomes.keys():
        return None
    if one is None or other is None:
        return (other if one is None else one), None
    if slot.round >= settler.before_round:
        return None
    return settler.decide_by_presence(one, other, slot.round) or settler.decide_by_number(one, other)


def list_due_slots(state: BracketState, played_round: int) -> list[Slot]:
    """Return the matches still to be played in this round, whether or not their sides are known."""
    return [slot for slot in state.bracket.slots if slot.round == played_round and slot.key not in state.outcomes]


def find_awaited_slot(state: BracketState, slot: Slot) -> str | None:
    """Return the earliest undecided slot that this one waits for, if any."""
    missing = slot.origins - state.outcomes.keys()
    for origin in state.bracket.slots if missing else ():
        if origin.key in missing:
            return find_awaited_slot(state, origin) or origin.key
    return None


def separate_first_round(seeds: Sequence[EntryId], bonds: Sequence[Collection[Bond]]) -> tuple[EntryId, ...]:
    """Exchange seeds of the lower half, so that as few as possible who share a bond meet in the first round.
    Nobody moves further than necessary."""
    lines = [line.number - 1 if isinstance(line, Seed) else None for line in list_seed_lines(len(seeds))]
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
    matching = find_min_cost_matching(
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
