"""A bracket as a chart: its matches by part and round, with their entries or the matches that these come
from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketState, Sides
from engine.draws.brackets.rounds import settled_before
from engine.draws.brackets.structure import Bracket, Seed, Slot, Source

from .layout import BracketLayout, ByeSlot, PlacedMatch
from .shapes import BRACKETS, Label, after_all, bracket_parts, is_skipped, level_kinds, records_by_slot
from .values import BracketChart, ChartPart, ChartRound, ChartSide, ChartSlot, PartKind, SlotState


def bracket_chart(
    format_key: str,
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    *,
    rounds_before: int = 0,
) -> BracketChart | None:
    """Return the bracket as far as it is known, in rounds of the event; None if the format has no bracket.

    The numbers of the entrants are their seeds. ``rounds_before`` are those before the first round of
    ``history``. Refuses: what the settings refuse.
    """
    if format_key not in BRACKETS:
        return None
    draw_input = after_all(settings, entrants, history)
    bracket, seeds = BRACKETS[format_key](draw_input)
    chart = _Chart(draw_input, bracket, seeds, rounds_before)
    return BracketChart(parts=tuple(chart.part(*part) for part in bracket_parts(format_key, bracket)))


class _Chart:
    def __init__(
        self, draw_input: DrawInput, bracket: Bracket, seeds: Sequence[EntryId], rounds_before: int
    ) -> None:
        self.draw_input, self.by_seed, self.rounds_before = draw_input, seeds, rounds_before
        self.settled = settled_before(draw_input, bracket, seeds)
        self._by_round: dict[int, BracketState] = {}
        self.seeds = {entrant.id: entrant.number for entrant in draw_input.entrants}
        self.records = records_by_slot(draw_input.history)
        in_turn = sorted(bracket.slots, key=lambda slot: slot.round)
        self.numbers = {slot.key: number for number, slot in enumerate(in_turn, start=1)}
        self.rounds: dict[str, int] = {}
        for slot in bracket.slots:
            self.rounds[slot.key] = self._round_of(slot)

    def part(self, kind: PartKind, place: int, slots: Sequence[Slot]) -> ChartPart:
        layout = BracketLayout(slots)
        kinds = level_kinds(kind, slots)
        columns = []
        for level in layout.levels:
            of_level = [slot for slot in slots if Label.of(slot).level == level]
            columns.append(
                ChartRound(
                    kind=kinds[of_level[0].level],
                    round=max(self.rounds[slot.key] for slot in of_level) + self.rounds_before,
                    slots=tuple(self._place(at) for at in layout.in_level(level)),
                )
            )
        return ChartPart(
            kind=kind,
            rounds=tuple(columns),
            rows=layout.rows,
            path=layout.path,
            first_place=place,
            last_place=place + len(slots),
        )

    def _round_of(self, slot: Slot) -> int:
        """Return the round in which a match was decided or seated; else the first in which it can be
        played."""
        if slot.key in self.records:
            return self.records[slot.key].round
        if slot.key in self.settled.outcomes:
            return self.settled.outcomes[slot.key].round
        ready = 1 + max((self.rounds[before] for before in slot.origins), default=0)
        return max(ready, self.draw_input.round)

    def _place(self, at: PlacedMatch) -> ChartSlot:
        chart_slot = self._bye(at.what) if isinstance(at.what, ByeSlot) else self._match(at.what)
        return replace(chart_slot, round=chart_slot.round + self.rounds_before, top=at.top, rows=at.rows)

    def _bye(self, bye: ByeSlot) -> ChartSlot:
        side = self._side(self._settled_after(1).entry(bye.seed), bye.seed, None)
        return ChartSlot(key=bye.key, number=None, state=SlotState.BYE, sides=(side, ChartSide()), round=1)

    def _match(self, slot: Slot) -> ChartSlot:
        record, sides = self.records.get(slot.key), self.settled.sides(slot)
        if record is not None:
            sides = _as_recorded(record, self._settled_after(record.round).sides(slot))
        winner = self._winner(slot, record)
        return ChartSlot(
            key=slot.key,
            number=self.numbers[slot.key],
            state=self._state(slot, record, sides),
            sides=(
                self._side(sides[0], slot.sources[0], winner),
                self._side(sides[1], slot.sources[1], winner),
            ),
            round=self.rounds[slot.key],
            table=record.table or None if record is not None else None,
        )

    def _settled_after(self, played_round: int) -> BracketState:
        """Return the bracket as it was when this round was seated. Later corrections and exchanges by the
        director do not change where an entry came from."""
        if played_round not in self._by_round:
            known = tuple(table for table in self.draw_input.history if table.round <= played_round)
            then = replace(self.draw_input, round=played_round + 1, history=known)
            self._by_round[played_round] = settled_before(then, self.settled.bracket, self.by_seed)
        return self._by_round[played_round]

    def _side(self, entry: EntryId | None, source: Source, winner: EntryId | None) -> ChartSide:
        if entry is not None:
            seed = self.seeds.get(entry) if isinstance(source, Seed) else None
            return ChartSide(entry=entry, seed=seed, has_won=entry == winner)
        if isinstance(source, Seed) or source.slot in self.settled.outcomes:
            return ChartSide()
        return ChartSide(source=source, match=self.numbers[source.slot])

    def _winner(self, slot: Slot, record: PlayedPairing | None) -> EntryId | None:
        """Return the winner at the table, or without a match; None if undecided."""
        if record is not None and record.b:
            return None if record.winner is None else (record.a, record.b)[record.winner][0]
        outcome = self.settled.outcomes.get(slot.key)
        return record.a[0] if record is not None else outcome.winner if outcome is not None else None

    def _state(self, slot: Slot, record: PlayedPairing | None, sides: Sides) -> SlotState:
        outcomes = self.settled.outcomes
        if record is not None and record.b:
            if record.is_forfeit:
                return SlotState.WALKOVER
            return SlotState.SEATED if record.winner is None else SlotState.PLAYED
        if slot.key not in outcomes:
            is_conditional = slot.only_if_upset is not None and slot.only_if_upset not in outcomes
            return SlotState.IF_NEEDED if is_conditional else SlotState.EXPECTED
        if record is None and (sides == (None, None) or is_skipped(self.settled, slot)):
            return SlotState.NOT_NEEDED
        return SlotState.BYE if None in sides else SlotState.WALKOVER


def _as_recorded(record: PlayedPairing, sides: Sides) -> Sides:
    """Return the entries who sat at this match, each on its side of the bracket; for a walkover, with the
    expected opponent."""
    one, other = sides
    entry = record.a[0]
    if record.b:
        opponent = record.b[0]
        return (opponent, entry) if one == opponent or other == entry else (entry, opponent)
    return (one, entry) if other == entry else (entry, other)
