"""A bracket as a chart: its matches by part and round, with their entries or the matches that these come
from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketState, Sides
from engine.draws.brackets.rounds import get_bracket_state
from engine.draws.brackets.structure import Bracket, Seed, Slot, Source

from .layout import BracketLayout, ByeSlot, PlacedMatch
from .shapes import (
    BRACKETS,
    Label,
    build_next_input,
    get_level_kinds,
    index_records_by_slot,
    is_skipped,
    list_bracket_parts,
)
from .values import BracketChart, ChartPart, ChartRound, ChartSide, ChartSlot, PartKind, SlotState


def build_bracket_chart(
    format_key: str,
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    *,
    round_offset: int = 0,
) -> BracketChart | None:
    """Return the bracket as far as it is known, in rounds of the event; None for other formats.

    The numbers of the entrants are their seeds. ``round_offset`` is the number of rounds before the first round of
    ``history``. Refuses: invalid settings.
    """
    if format_key not in BRACKETS:
        return None
    draw_input = build_next_input(settings, entrants, history)
    bracket, seeds = BRACKETS[format_key](draw_input)
    chart = _ChartBuilder(draw_input, bracket, seeds, round_offset)
    return BracketChart(parts=tuple(chart.build_part(*part) for part in list_bracket_parts(format_key, bracket)))


class _ChartBuilder:
    def __init__(self, draw_input: DrawInput, bracket: Bracket, seeds: Sequence[EntryId], round_offset: int) -> None:
        self.draw_input, self.by_seed, self.rounds_before = draw_input, seeds, round_offset
        self.settled = get_bracket_state(draw_input, bracket, seeds)
        self._by_round: dict[int, BracketState] = {}
        self.seeds = {entrant.id: entrant.number for entrant in draw_input.entrants}
        self.records = index_records_by_slot(draw_input.history)
        ordered_slots = sorted(bracket.slots, key=lambda slot: slot.round)
        self.numbers = {slot.key: number for number, slot in enumerate(ordered_slots, start=1)}
        self.rounds: dict[str, int] = {}
        for slot in bracket.slots:
            self.rounds[slot.key] = self._find_round(slot)

    def build_part(self, kind: PartKind, place: int, slots: Sequence[Slot]) -> ChartPart:
        layout = BracketLayout(slots)
        kinds = get_level_kinds(kind, slots)
        columns = []
        for level in layout.levels:
            level_slots = [slot for slot in slots if Label.from_slot(slot).level == level]
            columns.append(
                ChartRound(
                    kind=kinds[level_slots[0].level],
                    round=max(self.rounds[slot.key] for slot in level_slots) + self.rounds_before,
                    slots=tuple(self._build_slot(placed_match) for placed_match in layout.list_level(level)),
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

    def _find_round(self, slot: Slot) -> int:
        """Return the round in which a match was decided or seated; else the first in which it can be
        played."""
        if slot.key in self.records:
            return self.records[slot.key].round
        if slot.key in self.settled.outcomes:
            return self.settled.outcomes[slot.key].round
        ready = 1 + max((self.rounds[origin] for origin in slot.origins), default=0)
        return max(ready, self.draw_input.round)

    def _build_slot(self, placed_match: PlacedMatch) -> ChartSlot:
        chart_slot = (
            self._build_bye(placed_match.slot)
            if isinstance(placed_match.slot, ByeSlot)
            else self._build_match(placed_match.slot)
        )
        return replace(
            chart_slot, round=chart_slot.round + self.rounds_before, top=placed_match.top, rows=placed_match.rows
        )

    def _build_bye(self, bye: ByeSlot) -> ChartSlot:
        side = self._build_side(self._get_state_after(1).get_entry(bye.seed), bye.seed, None)
        return ChartSlot(key=bye.key, number=None, state=SlotState.BYE, sides=(side, ChartSide()), round=1)

    def _build_match(self, slot: Slot) -> ChartSlot:
        record, sides = self.records.get(slot.key), self.settled.get_sides(slot)
        if record is not None:
            sides = _get_recorded_sides(record, self._get_state_after(record.round).get_sides(slot))
        winner = self._find_winner(slot, record)
        return ChartSlot(
            key=slot.key,
            number=self.numbers[slot.key],
            state=self._get_slot_state(slot, record, sides),
            sides=(
                self._build_side(sides[0], slot.sources[0], winner),
                self._build_side(sides[1], slot.sources[1], winner),
            ),
            round=self.rounds[slot.key],
            table=record.table or None if record is not None else None,
        )

    def _get_state_after(self, played_round: int) -> BracketState:
        """Return the bracket as it was when this round was seated. Later corrections and exchanges by the
        director do not change where an entry came from."""
        if played_round not in self._by_round:
            past_tables = tuple(table for table in self.draw_input.history if table.round <= played_round)
            past_input = replace(self.draw_input, round=played_round + 1, history=past_tables)
            self._by_round[played_round] = get_bracket_state(past_input, self.settled.bracket, self.by_seed)
        return self._by_round[played_round]

    def _build_side(self, entry: EntryId | None, source: Source, winner: EntryId | None) -> ChartSide:
        if entry is not None:
            seed = self.seeds.get(entry) if isinstance(source, Seed) else None
            return ChartSide(entry=entry, seed=seed, has_won=entry == winner)
        if isinstance(source, Seed) or source.slot in self.settled.outcomes:
            return ChartSide()
        return ChartSide(source=source, match=self.numbers[source.slot])

    def _find_winner(self, slot: Slot, record: PlayedPairing | None) -> EntryId | None:
        """Return the winner at the table, or without a match; None if undecided."""
        if record is not None and record.b:
            return None if record.winner is None else (record.a, record.b)[record.winner][0]
        outcome = self.settled.outcomes.get(slot.key)
        return record.a[0] if record is not None else outcome.winner if outcome is not None else None

    def _get_slot_state(self, slot: Slot, record: PlayedPairing | None, sides: Sides) -> SlotState:
        outcomes = self.settled.outcomes
        if record is not None and record.b:
            if record.is_forfeit:
                return SlotState.WALKOVER
            return SlotState.SEATED if record.winner is None else SlotState.PLAYED
        if slot.key not in outcomes:
            is_conditional = slot.upset_final is not None and slot.upset_final not in outcomes
            return SlotState.IF_NEEDED if is_conditional else SlotState.EXPECTED
        if record is None and (sides == (None, None) or is_skipped(self.settled, slot)):
            return SlotState.NOT_NEEDED
        return SlotState.BYE if None in sides else SlotState.WALKOVER


def _get_recorded_sides(record: PlayedPairing, sides: Sides) -> Sides:
    """Return the entries who sat at this match, each on its side of the bracket; for a walkover, with the
    expected opponent."""
    one, other = sides
    entry = record.a[0]
    if record.b:
        opponent = record.b[0]
        return (opponent, entry) if one == opponent or other == entry else (entry, opponent)
    return (one, entry) if other == entry else (entry, other)
