"""What a change would do, in names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments import selectors
from tournaments.models import Event
from tournaments.services.effects import Effects, Moved

from .histories import Deed
from .names import entries_named_in_full


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChange:
    """A table of a round: who would sit there before and after, None for nobody; without number, a bye."""

    round: int
    table: int | None
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsView:
    """``deeds`` are what would be done; ``ranks`` pairs of a name and how its rank moves."""

    deeds: tuple[Deed, ...]
    ranks: tuple[tuple[str, Moved], ...]
    tables: tuple[TableChange, ...]
    playing_next: int | None
    is_odd_next: bool
    later_rounds: tuple[int, ...]
    set_aside: int
    reseated: tuple[tuple[int, int, tuple[str, ...]], ...]
    contradicted: tuple[tuple[int, int | None], ...]

    @property
    def are_none(self) -> bool:
        told = (self.ranks, self.tables, self.set_aside, self.reseated, self.contradicted)
        return self.playing_next is None and not any(told)


def effects_view(event: Event, effects: Effects) -> EffectsView:
    """One query."""
    entries = selectors.entries_of(event)
    named = entries_named_in_full(entries)
    by_id = {entry.pk: named(entry) for entry in entries}
    by_number = {entry.number: named(entry) for entry in entries}
    before, after = effects.playing_next
    return EffectsView(
        deeds=tuple(Deed(kind=kind, details=details, names=by_number) for kind, details in effects.deeds),
        ranks=tuple((by_number[moved.entry], moved) for moved in effects.ranks if moved.entry in by_number),
        tables=tuple(
            change
            for number, difference in effects.lineups.items()
            for change in _changes(number, difference, by_id)
        ),
        playing_next=None if before == after else after,
        is_odd_next=effects.is_odd_next,
        later_rounds=effects.later_rounds,
        set_aside=effects.set_aside,
        reseated=effects.reseated,
        contradicted=effects.contradicted,
    )


def _changes(number: int, difference: Mapping[str, Any], names: Mapping[int, str]) -> list[TableChange]:
    def sides(plain: Mapping[str, Any] | None) -> tuple[str, ...] | None:
        if plain is None:
            return None
        held = (plain["a"], plain["b"]) if "number" in plain else ([plain["entry"]],)
        return tuple(", ".join(names.get(entry, "") for entry in entries) for entries in held)

    return [
        TableChange(
            round=number,
            table=int(key) if kind == "tables" else None,
            before=sides(before),
            after=sides(after),
        )
        for kind in ("tables", "byes")
        for key, (before, after) in difference.get(kind, {}).items()
    ]
