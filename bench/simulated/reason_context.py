"""Reason given for a place of a round, with the data to check it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.draws import Draw, DrawInput, DrawnBye, DrawnTable, EntryId, PlayedPairing, Reason
from engine.draws.bonds import get_club
from rules import Side

from .course import Course, Round
from .oracle import CRITERIA, MAX_ENTRIES, Objective, iter_pairings

Place = DrawnTable | DrawnBye


class ReasonContext:
    """Reason given for a table or a bye of a round."""

    def __init__(self, course: Course, round_: Round, place: Place, reason: Reason) -> None:
        self.course, self.this, self.place, self.reason = course, round_, place, reason
        self.details: Mapping[str, Any] = reason.details
        self.before: DrawInput = round_.draw_input
        self.entries: tuple[EntryId, ...] = (*place.a, *place.b) if isinstance(place, DrawnTable) else (place.entry,)

    @property
    def table(self) -> DrawnTable:
        assert isinstance(self.place, DrawnTable)
        return self.place

    @property
    def bye_entry(self) -> EntryId:
        assert isinstance(self.place, DrawnBye)
        return self.place.entry

    @property
    def history(self) -> list[PlayedPairing]:
        """Earlier pairings, as far as the stage of this place counts them."""
        number, colon, _ = self.place.slot.partition(":")
        plan: list[Mapping[str, Any]] = self.before.settings.get("plan", [])
        carried = plan[int(number) - 1].get("carried", "all") if plan and colon else "all"
        if carried == "all":
            return list(self.before.history)
        stages = [(table, table.slot.partition(":")) for table in self.before.history]
        begins = min((t.round for t, slot in stages if slot[:2] == (number, ":")), default=self.before.round)
        stage_members = self._list_stage_members(int(number) - 1, begins)
        return [
            table
            for table, (stage, stage_slot, _) in stages
            if (table.round >= begins and stage_slot and stage == number)
            or (
                stage_members >= {*table.a, *table.b}
                and (not stage_slot if table.round >= begins else carried == "among")
            )
        ]

    def _list_stage_members(self, stage: int, begins: int) -> set[EntryId]:
        """Return the entries of a stage that takes them by rank, without those who left before it began."""
        stage_plan: Mapping[str, Any] = self.before.settings["plan"][stage]
        while self.before.settings["plan"][stage].get("beside"):
            stage -= 1
        ranked = self.before.settings["standings"][stage - 1]
        entrants = self.this.entrants
        present = [e for e in ranked if e in entrants and not entrants[e].has_left(begins)]
        return {*present[stage_plan.get("first", 1) - 1 : stage_plan.get("last", stage_plan.get("count"))]}

    def get_score(self, entry: EntryId) -> int:
        return self.this.entrants[entry].score

    def get_club(self, entry: EntryId) -> str:
        return get_club(self.this.entrants[entry])

    @property
    def seated_entries(self) -> list[EntryId]:
        """Entries that were drawn to play; only those of the section, if the reason is about it."""
        section = self.this.entrants[self.entries[0]].section
        return [
            entry
            for table in self.this.tables
            for entry in (*table.a, *table.b)
            if not self.details.get("of_section") or self.this.entrants[entry].section == section
        ]

    @property
    def drawn_entries(self) -> list[EntryId]:
        """Entries that play or sit out as drawn, in the order of the standings."""
        placed = {*self.seated_entries, *self.this.byes}
        return [entrant.id for entrant in self.before.entrants if entrant.id in placed]

    @property
    def rounds(self) -> set[int]:
        return set(self.details["rounds"])

    @property
    def pair(self) -> tuple[EntryId, ...]:
        return tuple(self.details.get("entries", self.entries))

    @property
    def objective(self) -> Objective | None:
        """Cost of the field's pairings, if the field is small and drawn by price."""
        key = self.course.format.key
        if key not in CRITERIA:
            return None
        found = Objective(key, self.before)
        return found if len(found.entries) <= MAX_ENTRIES else None

    def is_best_pairing(self, key: str) -> bool:
        """Return whether no pairing is better in this criterion and equal or better in all before it."""
        objective = self.objective
        if objective is None:
            return True
        upto = objective.criteria.index(key) + 1
        best = min(objective.get_cost(pairing)[:upto] for pairing in iter_pairings(objective.entries))
        return objective.get_cost(get_pairing(self.this.draw, self.before))[:upto] == best

    def get_last_result(self, entry: EntryId) -> tuple[int, bool | None] | None:
        """Return the entry's table in the last round played, and whether it won."""
        played = [table for table in self.before.history if table.b]
        last = max((table.round for table in played), default=0)
        for table in played:
            if table.round == last and entry in (*table.a, *table.b):
                won = None if table.winner is None else (table.winner is Side.A) == (entry in table.a)
                return table.table, won
        return None


def get_pairing(draw: Draw, draw_input: DrawInput) -> list[tuple[EntryId, EntryId | None]]:
    locked = draw_input.locked_entries
    requested_byes = {e.id for e in draw_input.entrants if draw_input.round in e.requested_byes}
    tables: list[tuple[EntryId, EntryId | None]] = [
        (table.a[0], table.b[0]) for table in draw.tables if not locked & {*table.a, *table.b}
    ]
    return tables + [(bye.entry, None) for bye in draw.byes if bye.entry not in requested_byes]
