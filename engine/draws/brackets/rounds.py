"""A round of any bracket: the slots that are due, with tables, sides, walkovers and who waits.

A late entry (one that ``arrives`` after round 1) has no place in a bracket; who is in it but away loses by
walkover. A table that the director has locked stands: if both play in the same round of the same bracket now,
others change places for them; if not, they are away from what they were due to play.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from engine.draws.apart import ALWAYS, NAMED, kinds_of
from engine.draws.history import History
from engine.draws.pairing_cost.blossom import least_matching
from engine.draws.rounds import by_number
from engine.draws.seating import choose_sides, number_tables
from engine.draws.values import (
    Bond,
    Draw,
    DrawInput,
    DrawnBye,
    DrawnTable,
    Entrant,
    EntryId,
    LockedTable,
    Partners,
    Reason,
    ReasonCode,
)
from rules import Refusal

from .bracket_state import BracketState, is_there, settle_bracket
from .structure import Bracket, Seed, Slot, seed_lines


@dataclass(slots=True)
class _Meeting:
    """A slot that is due, and the two who meet in it."""

    slot: Slot
    sides: list[EntryId]
    locked: LockedTable | None = None


_Place = tuple[_Meeting, int]
"""A meeting, and which of its sides."""


def seeds_of(draw_input: DrawInput) -> tuple[EntryId, ...]:
    """Who is in a bracket: whoever was there for round 1, by number."""
    return tuple(entrant.id for entrant in by_number(draw_input.entrants) if entrant.arrives <= 1)


def seeded_apart(draw_input: DrawInput, separate: Collection[str] = ()) -> tuple[EntryId, ...]:
    """The same, with the lower half changing places, so that as few as can be who share a bond of these
    kinds, or were named to be kept apart, meet in the first round; and nobody moves further than that
    takes."""
    seeds, entrants = seeds_of(draw_input), {entrant.id: entrant for entrant in draw_input.entrants}
    lines = [line.number - 1 if isinstance(line, Seed) else None for line in seed_lines(len(seeds))]
    pairs = [
        (min(one, other), max(one, other))
        for one, other in zip(lines[::2], lines[1::2], strict=False)
        if one is not None and other is not None
    ]

    def bonds(higher: int, lower: int) -> int:
        shared = bonds_between(entrants[seeds[higher]], entrants[seeds[lower]], {*separate, *NAMED})
        return sum(len(seeds) if bond.kind == ALWAYS else 1 for bond in shared)

    if not any(bonds(*pair) for pair in pairs):
        return seeds
    dearer = 1 + len(pairs) * len(seeds) ** 2
    matching = least_matching(
        2 * len(pairs),
        [
            (place, len(pairs) + other, dearer * bonds(higher, new) + (new - lower) ** 2)
            for place, (higher, lower) in enumerate(pairs)
            for other, (_, new) in enumerate(pairs)
        ],
    )
    moved = dict(enumerate(seeds))
    for place, (_, lower) in enumerate(pairs):
        moved[lower] = seeds[pairs[matching.mates[place] - len(pairs)][1]]
    return tuple(moved.values())


def bonds_between(one: Entrant, other: Entrant, kinds: Collection[str]) -> list[Bond]:
    return [bond for bond in one.bonds & other.bonds if bond.kind in kinds]


def settled_before(draw_input: DrawInput, bracket: Bracket, seeds: Sequence[EntryId]) -> BracketState:
    """What is decided when this round is drawn; its ``places`` are the final ones once all is played."""
    return settle_bracket(
        bracket,
        seeds,
        draw_input.entrants,
        draw_input.history,
        before_round=draw_input.round,
        version=draw_input.version,
    )


def draw_bracket(
    format_key: str,
    draw_input: DrawInput,
    bracket: Bracket,
    seeds: Sequence[EntryId],
    *,
    separate: Collection[str] = (),
) -> Draw:
    """The round of a bracket. Refuses: winner_missing (``slot``)."""
    settled = settled_before(draw_input, bracket, seeds)
    meetings = _meetings(settled, draw_input)
    return Draw(
        format=format_key,
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=tuple(_tables(meetings, draw_input, separate)),
        byes=(*_walkovers(meetings, draw_input), *_byes_and_waits(settled, meetings, draw_input)),
    )


def slots_of_bracket(
    draw_input: DrawInput, bracket: Bracket, seeds: Sequence[EntryId]
) -> frozenset[str] | None:
    """The slots that a draw fills, or decides by a walkover; where it would refuse, those that are due."""
    settled = settled_before(draw_input, bracket, seeds)
    due = settled.due(draw_input.round)
    if any(settled.waits_for(slot) for slot in due):
        return frozenset(slot.key for slot in due)
    free, meetings = _free(draw_input), _meetings(settled, draw_input)
    slots = {meeting.slot.key for meeting in meetings if not free.keys().isdisjoint(meeting.sides)}
    return frozenset(slots) if slots or any(_byes_and_waits(settled, meetings, draw_input)) else None


def _meetings(settled: BracketState, draw_input: DrawInput) -> list[_Meeting]:
    """Who is due to meet, after the director's changes."""
    meetings: list[_Meeting] = []
    busy: set[EntryId] = set()
    for slot in settled.due(draw_input.round):
        if awaited := settled.waits_for(slot):
            raise Refusal("winner_missing", slot=awaited)
        sides = [entry for entry in settled.sides(slot) if entry is not None]
        # After slots were played out of turn, a side may be missing, or be due at another slot too.
        if len(set(sides)) == 2 and busy.isdisjoint(sides):
            meetings.append(_Meeting(slot, sides))
            busy.update(sides)
    for table in draw_input.locked:
        here, there = _place(meetings, table.a), _place(meetings, table.b)
        if here is not None and there is not None and here[0].slot.level == there[0].slot.level:
            _lock(table, here, there, draw_input)
    return meetings


def _lock(table: LockedTable, one: _Place, other: _Place, draw_input: DrawInput) -> None:
    """Brings two together who are due in the same round of the same bracket.

    An opponent gives way who is free, or who is locked to the other opponent. Where neither can, both places
    stay as they are: whoever is away stays where the walkover is to be counted.
    """
    free = _free(draw_input)
    for (meeting, side), (elsewhere, place) in ((one, other), (other, one)):
        if meeting is elsewhere:
            meeting.locked = table
            return
        giving, staying = meeting.sides[1 - side], elsewhere.sides[1 - place]
        if giving in free or any({giving, staying} == {*each.a, *each.b} for each in draw_input.locked):
            meeting.sides[1 - side], elsewhere.sides[place] = elsewhere.sides[place], giving
            meeting.locked = table
            return


def _place(meetings: Sequence[_Meeting], side: Partners) -> _Place | None:
    """Where somebody who sits alone on this side is due to play."""
    return next(
        (
            (meeting, place)
            for meeting in meetings
            for place, entry in enumerate(meeting.sides)
            if side == (entry,)
        ),
        None,
    )


def _free(draw_input: DrawInput) -> dict[EntryId, Entrant]:
    """Who can be asked to play, and does not sit at a locked table."""
    locked = draw_input.at_locked_tables
    return {
        entrant.id: entrant
        for entrant in draw_input.entrants
        if is_there(entrant, draw_input.round) and entrant.id not in locked
    }


def _tables(
    meetings: Sequence[_Meeting], draw_input: DrawInput, separate: Collection[str]
) -> Iterator[DrawnTable]:
    """The locked tables, then the others in the order of the bracket."""
    slots = {meeting.locked: meeting.slot.key for meeting in meetings if meeting.locked is not None}
    for locked in draw_input.locked:
        reasons = [Reason(code=ReasonCode.LOCKED)]
        if slot := slots.get(locked, ""):
            reasons.append(Reason(code=ReasonCode.BRACKET, details={"slot": slot}))
        yield DrawnTable(number=locked.number, a=locked.a, b=locked.b, slot=slot, reasons=tuple(reasons))
    free = _free(draw_input)
    played = [meeting for meeting in meetings if all(entry in free for entry in meeting.sides)]
    both = [(free[meeting.sides[0]], free[meeting.sides[1]]) for meeting in played]
    history = History(draw_input.history)
    chance = Random(f"{draw_input.seed}/sides")  # noqa: S311 - anybody may draw this again: no secret
    numbers = number_tables(both, draw_input)
    for meeting, (one, other), number in zip(played, both, numbers, strict=True):
        a, b = choose_sides(one, other, history=history, chance=chance)
        yield DrawnTable(
            number=number,
            a=a,
            b=b,
            slot=meeting.slot.key,
            reasons=tuple(_table_reasons(meeting.slot, one, other, history, separate)),
        )


def _table_reasons(
    slot: Slot, one: Entrant, other: Entrant, history: History, separate: Collection[str]
) -> Iterator[Reason]:
    yield Reason(code=ReasonCode.BRACKET, details={"slot": slot.key})
    if rounds := history.rounds_met(one.id, other.id):
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds})
    is_seeded = all(isinstance(source, Seed) for source in slot.sources)
    if bonds := bonds_between(one, other, {*separate, *NAMED} if is_seeded else NAMED):
        details = {"bonds": len(bonds), "kinds": kinds_of(bonds)}
        yield Reason(code=ReasonCode.BOND_SHARED, details=details)


def _walkovers(meetings: Sequence[_Meeting], draw_input: DrawInput) -> Iterator[DrawnBye]:
    """Who goes on because the opponent is away. Where both are, there is nobody to tell."""
    free = _free(draw_input)
    for meeting in meetings:
        there = [entry for entry in meeting.sides if entry in free]
        if len(there) == 1 and meeting.locked is None:
            away = next(entry for entry in meeting.sides if entry not in free)
            yield DrawnBye(
                entry=there[0],
                slot=meeting.slot.key,
                reasons=(
                    Reason(code=ReasonCode.OPPONENT_MISSING, details={"entry": away}),
                    Reason(code=ReasonCode.BRACKET, details={"slot": meeting.slot.key}),
                ),
            )


def _byes_and_waits(
    settled: BracketState, meetings: Sequence[_Meeting], draw_input: DrawInput
) -> Iterator[DrawnBye]:
    """Who is still in but meets nobody: byes of the first round, and waits for the other side of a bracket.

    They have no slot: the match they wait for is not decided by waiting.
    """
    busy = {entry for meeting in meetings for entry in meeting.sides}
    free = _free(draw_input)
    for slot in settled.bracket.slots:
        if slot.round < draw_input.round or slot.key in settled.outcomes:
            continue
        for entry in settled.sides(slot):
            if entry is not None and entry in free and entry not in busy:
                busy.add(entry)
                reason = Reason(code=ReasonCode.WAITS, details={"slot": slot.key})
                yield DrawnBye(entry=entry, reasons=(reason,))
