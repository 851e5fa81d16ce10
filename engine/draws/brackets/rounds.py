"""A round of any bracket: the slots that are due, with tables, sides, walkovers and waiting entries.

A late entry (one that ``arrives`` after round 1) has no place in a bracket; an entry in it that is away loses
by walkover. A table that the director has locked stays: if both of its entries play in the same round of the
same bracket now, others change places for them; if not, they are away from the matches that they were due to
play.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from engine.draws.bonds import DIRECTOR_KINDS, list_bond_kinds
from engine.draws.history import History
from engine.draws.rounds import sort_by_number
from engine.draws.seating import choose_sides, number_tables
from engine.draws.values import (
    RETURNING_MEMBERS_VERSION,
    Bond,
    Draw,
    DrawInput,
    DrawnBye,
    DrawnTable,
    Entrant,
    EntryId,
    LockedTable,
    Partners,
    PlayedPairing,
    Reason,
    ReasonCode,
)
from errors import Refusal

from . import version_6
from .bracket_state import BracketState
from .seed_separation import separate_seeds
from .settlement import TWO_LOSSES_VERSION, is_available, settle_bracket
from .structure import Bracket, Seed, Slot, Source, is_match, schedule_earliest


@dataclass(slots=True)
class _Meeting:
    """A slot that is due, with its two entries."""

    slot: Slot
    sides: list[EntryId]
    locked_table: LockedTable | None = None


_Place = tuple[_Meeting, int]
"""A meeting, and the index of one of its sides."""


def list_seeds(draw_input: DrawInput) -> tuple[EntryId, ...]:
    """Return the entries of a bracket by number: all that were there for round 1."""
    is_older = draw_input.version <= RETURNING_MEMBERS_VERSION
    return tuple(
        entrant.id
        for entrant in sort_by_number(draw_input.entrants)
        if entrant.arrives <= 1 and (is_older or 1 not in entrant.withdrawn)
    )


def build_seeded_bracket(
    draw_input: DrawInput, build_bracket: Callable[[int], Bracket], separate: Collection[str] = ()
) -> tuple[Bracket, tuple[EntryId, ...]]:
    """Return the bracket of the field, and the entry at each place of its seeding. Entries who share a bond
    of these kinds, or whom the director keeps apart, meet as late as possible.

    Once the bracket has begun, ``settle_bracket`` uses the places where entries were seated.
    """
    seeds = list_seeds(draw_input)
    bracket, bonds = build_bracket(len(seeds)), _list_separating_bonds(draw_input, seeds, separate)
    if draw_input.version <= version_6.LAST_VERSION:
        return bracket, version_6.separate_first_round(seeds, bonds)
    bracket = schedule_earliest(bracket)
    if _is_legacy_draw(draw_input.history):
        return bracket, version_6.separate_first_round(seeds, bonds)
    return bracket, tuple(seeds[seed] for seed in separate_seeds(bracket, bonds).order)


def _list_separating_bonds(
    draw_input: DrawInput, seeds: Sequence[EntryId], separate: Collection[str]
) -> tuple[frozenset[Bond], ...]:
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    kinds = {*separate, *DIRECTOR_KINDS}
    return tuple(frozenset(bond for bond in entrants[entry].bonds if bond.kind in kinds) for entry in seeds)


def _is_legacy_draw(history: Iterable[PlayedPairing]) -> bool:
    """Return whether an older version has drawn the first round: its byes do not name their place."""
    return any(table.round == 1 and not table.b and not table.slot for table in history)


def list_shared_bonds(one: Entrant, other: Entrant, kinds: Collection[str]) -> list[Bond]:
    return [bond for bond in one.bonds & other.bonds if bond.kind in kinds]


def get_bracket_state(draw_input: DrawInput, bracket: Bracket, seeds: Sequence[EntryId]) -> BracketState:
    """Return the bracket as decided when this round is drawn; its ``places`` are final once everything is
    played."""
    return settle_bracket(
        bracket,
        seeds,
        draw_input.entrants,
        draw_input.history,
        next_round=draw_input.round,
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
    """Draw the round of a bracket. Refuses: winner_missing (``slot``)."""
    state = get_bracket_state(draw_input, bracket, seeds)
    if missing_slot := _find_missing_winner(state, draw_input):
        raise Refusal("winner_missing", slot=missing_slot)
    meetings = _list_meetings(state, draw_input)
    tables = tuple(_build_tables(meetings, draw_input, _SeedingReasons(state, draw_input, separate)))
    is_round = bool(tables) or draw_input.version <= version_6.LAST_VERSION
    return Draw(
        format=format_key,
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=tables,
        byes=tuple(_build_byes(state, meetings, draw_input)) if is_round else (),
    )


def list_bracket_slots(draw_input: DrawInput, bracket: Bracket, seeds: Sequence[EntryId]) -> frozenset[str] | None:
    """Return the slots that a draw fills, or decides by a walkover; if it would refuse, those that wait for
    the missing winner."""
    state = get_bracket_state(draw_input, bracket, seeds)
    if missing_slot := _find_missing_winner(state, draw_input):
        return frozenset(slot.key for slot in bracket.slots if missing_slot in slot.origins)
    free, meetings = _list_free_entrants(draw_input), _list_meetings(state, draw_input)
    slots = {meeting.slot.key for meeting in meetings if not free.keys().isdisjoint(meeting.sides)}
    is_round = any(all(entry in free for entry in meeting.sides) for meeting in meetings)
    if draw_input.version > version_6.LAST_VERSION and not is_round:
        return None
    byes = list(_build_byes(state, meetings, draw_input))
    slots |= {bye.slot for bye in byes if is_match(bye.slot)}
    return frozenset(slots) if slots or byes else None


def _find_missing_winner(state: BracketState, draw_input: DrawInput) -> str | None:
    """Return the first match whose winner must be known before this round; None if there is none."""
    if draw_input.version <= version_6.LAST_VERSION:
        awaited_slots = (
            version_6.find_awaited_slot(state, slot) for slot in version_6.list_due_slots(state, draw_input.round)
        )
        return next(filter(None, awaited_slots), None)
    seated = {table.slot for table in draw_input.history if table.b and table.slot}
    origin_keys = {origin for slot in state.bracket.slots for origin in slot.origins}
    undecided = (slot.key for slot in state.open_slots if slot.key in seated & origin_keys)
    return next(undecided, None)


def _list_meetings(state: BracketState, draw_input: DrawInput) -> list[_Meeting]:
    """Return the meetings that are due, after the director's changes."""
    meetings: list[_Meeting] = []
    busy: set[EntryId] = set()
    is_older = draw_input.version <= version_6.LAST_VERSION
    seated = {table.slot for table in draw_input.history if table.b}
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    due_slots = version_6.list_due_slots(state, draw_input.round) if is_older else state.open_slots
    for slot in due_slots:
        sides = [entry for entry in state.get_sides(slot) if entry is not None]
        # A side that misses the round may have lost another match by it, and play this one later.
        is_called = draw_input.version <= TWO_LOSSES_VERSION or all(
            is_available(entrants.get(entry), draw_input.round) for entry in sides
        )
        # After slots were played out of turn, a side may be missing, or be due at another slot too.
        if is_called and len(set(sides)) == 2 and busy.isdisjoint(sides) and (is_older or slot.key not in seated):
            meetings.append(_Meeting(slot, sides))
            busy.update(sides)
    for table in draw_input.locked:
        first_place, second_place = _find_place(meetings, table.a), _find_place(meetings, table.b)
        if (
            first_place is not None
            and second_place is not None
            and first_place[0].slot.level == second_place[0].slot.level
        ):
            _lock_meeting(table, first_place, second_place, draw_input)
    return meetings


def _lock_meeting(table: LockedTable, one: _Place, other: _Place, draw_input: DrawInput) -> None:
    """Bring two entries together who are due in the same round of the same bracket.

    An opponent gives way who is free, or who is locked to the other opponent. If neither can, both places
    stay as they are: an entry that is away stays where its walkover is to be counted.
    """
    free = _list_free_entrants(draw_input)
    for (meeting, side), (elsewhere, place) in ((one, other), (other, one)):
        if meeting is elsewhere:
            meeting.locked_table = table
            return
        displaced, remaining = meeting.sides[1 - side], elsewhere.sides[1 - place]
        if displaced in free or any({displaced, remaining} == {*each.a, *each.b} for each in draw_input.locked):
            meeting.sides[1 - side], elsewhere.sides[place] = elsewhere.sides[place], displaced
            meeting.locked_table = table
            return


def _find_place(meetings: Sequence[_Meeting], side: Partners) -> _Place | None:
    """Return the place of an entry that sits alone on this side; None if it is not due."""
    return next(
        ((meeting, place) for meeting in meetings for place, entry in enumerate(meeting.sides) if side == (entry,)),
        None,
    )


def _list_free_entrants(draw_input: DrawInput) -> dict[EntryId, Entrant]:
    """Return the entries that can be asked to play, and do not sit at a locked table."""
    locked = draw_input.locked_entries
    return {
        entrant.id: entrant
        for entrant in draw_input.entrants
        if is_available(entrant, draw_input.round) and entrant.id not in locked
    }


def _build_tables(
    meetings: Sequence[_Meeting], draw_input: DrawInput, seeding: "_SeedingReasons"
) -> Iterator[DrawnTable]:
    """Yield the locked tables, then the others in the order of the bracket."""
    slots = {meeting.locked_table: meeting.slot.key for meeting in meetings if meeting.locked_table is not None}
    for locked in draw_input.locked:
        reasons = [Reason(code=ReasonCode.LOCKED)]
        if slot := slots.get(locked, ""):
            reasons.append(Reason(code=ReasonCode.BRACKET, details={"slot": slot}))
        yield DrawnTable(number=locked.number, a=locked.a, b=locked.b, slot=slot, reasons=tuple(reasons))
    free = _list_free_entrants(draw_input)
    played = [meeting for meeting in meetings if all(entry in free for entry in meeting.sides)]
    entrant_pairs = [(free[meeting.sides[0]], free[meeting.sides[1]]) for meeting in played]
    history = History(draw_input.history)
    chance = Random(f"{draw_input.seed}/sides")  # noqa: S311 - anybody may draw this again: no secret
    numbers = number_tables(entrant_pairs, draw_input)
    for meeting, (one, other), number in zip(played, entrant_pairs, numbers, strict=True):
        a, b = choose_sides(one, other, history=history, chance=chance)
        yield DrawnTable(
            number=number,
            a=a,
            b=b,
            slot=meeting.slot.key,
            reasons=tuple(_explain_table(meeting.slot, one, other, history, seeding)),
        )


class _SeedingReasons:
    """Reasons for places in a bracket, and for meetings of entries that should be kept apart."""

    def __init__(self, state: BracketState, draw_input: DrawInput, separate: Collection[str]) -> None:
        self.settled, self.draw_input, self.kinds = state, draw_input, {*separate, *DIRECTOR_KINDS}
        self.is_older = draw_input.version <= version_6.LAST_VERSION
        self.seeds = list_seeds(draw_input)
        self.bonds = _list_separating_bonds(draw_input, self.seeds, separate)

    def explain_meeting(self, slot: Slot, one: Entrant, other: Entrant) -> Iterator[Reason]:
        is_seeded = all(isinstance(source, Seed) for source in slot.sources)
        kinds = DIRECTOR_KINDS if self.is_older and not is_seeded else self.kinds
        bonds = list_shared_bonds(one, other, kinds)
        if not self.is_older:
            bonds = [bond for bond in bonds if bond.is_active(self.draw_input.round)]
        if bonds:
            is_best = is_seeded and not self.is_older and self._is_best()
            code = ReasonCode.BOND_UNAVOIDABLE if is_best else ReasonCode.BOND_SHARED
            yield Reason(code=code, details={"bonds": len(bonds), "kinds": list_bond_kinds(bonds)})

    def explain_place(self, source: Source, entry: EntryId) -> Iterator[Reason]:
        """Yield the reason why an entry enters at another place than its own."""
        if self.is_older or not isinstance(source, Seed) or entry not in self.seeds:
            return
        seed = 1 + self.seeds.index(entry)
        if source.number != seed and any(self.bonds):
            details = {"entry": entry, "seed": seed, "place": source.number}
            yield Reason(code=ReasonCode.SEEDED_APART, details=details)

    def _is_best(self) -> bool:
        """Return whether all entries are where the search put them, and that was proved best."""
        found = separate_seeds(self.settled.bracket, self.bonds)
        is_found_order = tuple(self.seeds[seed] for seed in found.order) == self.settled.seeds
        return found.is_proved and is_found_order and not self.draw_input.locked


def _explain_table(
    slot: Slot, one: Entrant, other: Entrant, history: History, seeding: _SeedingReasons
) -> Iterator[Reason]:
    yield Reason(code=ReasonCode.BRACKET, details={"slot": slot.key})
    if rounds := history.get_rounds_met(one.id, other.id):
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds})
    yield from seeding.explain_meeting(slot, one, other)
    for source, entry in zip(slot.sources, seeding.settled.get_sides(slot), strict=True):
        if entry in (one.id, other.id):
            yield from seeding.explain_place(source, entry)


def _build_byes(state: BracketState, meetings: Sequence[_Meeting], draw_input: DrawInput) -> Iterator[DrawnBye]:
    """Yield the walkovers, and the entries still in the bracket without a match. A match with both sides away
    is not reported.

    A waiting entry has no slot, since waiting does not decide its match; or the slot of its bye.
    """
    free = _list_free_entrants(draw_input)
    busy = {entry for meeting in meetings for entry in meeting.sides}
    advances: dict[EntryId, tuple[Slot, EntryId]] = {}
    for slot in state.bracket.slots:
        outcome = state.outcomes.get(slot.key)
        if outcome is not None and outcome.round == draw_input.round and outcome.winner and outcome.loser:
            advances[outcome.winner] = slot, outcome.loser
    walkovers = [
        (winner, *slot_and_loser)
        for winner, slot_and_loser in advances.items()
        if winner in free and winner not in busy
    ]
    for meeting in meetings:
        present = [entry for entry in meeting.sides if entry in free]
        if len(present) == 1 and meeting.locked_table is None:
            absent = next(entry for entry in meeting.sides if entry not in free)
            walkovers.append((present[0], meeting.slot, absent))
    for winner, slot, absent in walkovers:
        busy.add(winner)
        yield DrawnBye(
            entry=winner,
            slot=slot.key,
            reasons=(
                Reason(code=ReasonCode.OPPONENT_MISSING, details={"entry": absent}),
                Reason(code=ReasonCode.BRACKET, details={"slot": slot.key}),
            ),
        )
    is_older = draw_input.version <= version_6.LAST_VERSION
    for slot in state.bracket.slots:
        if slot.key in state.outcomes or (is_older and slot.round < draw_input.round):
            continue
        for source, entry in zip(slot.sources, state.get_sides(slot), strict=True):
            if entry is not None and entry in free and entry not in busy:
                busy.add(entry)
                reason = Reason(code=ReasonCode.WAITS, details={"slot": slot.key})
                place = source.bye if isinstance(source, Seed) and not is_older else ""
                yield DrawnBye(entry=entry, slot=place, reasons=(reason,))
