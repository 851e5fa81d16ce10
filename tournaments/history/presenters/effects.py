"""Effects of a change before it is made, with names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.changes import RankMove
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.history.services.effects import Effects
from tournaments.models import Event
from tournaments.slots import EFFECTS

from .history import ChangeSentence


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChange:
    """Change at a table of a round: the people there before and after, None for nobody. Without a table
    number it is a bye. ``is_public`` unless the round is a draft."""

    round: int
    is_public: bool
    table: int | None
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RedrawnView:
    """A published round drawn again: tables that would change, with the names of both sides, and byes."""

    round: int
    tables: tuple[tuple[str, str], ...]
    byes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsView:
    """Effects of a change. ``actions`` are the lines that the history would have; ``ranks`` pairs of a name
    and the move of its rank; ``closed_season`` the name of one that counts the event, "" without one."""

    actions: tuple[ChangeSentence, ...]
    ranks: tuple[tuple[str, RankMove], ...]
    sections: tuple[str, ...]
    tables: tuple[TableChange, ...]
    playing_next: int | None
    left_over_next: int | None
    is_in_pools_next: bool
    has_walkover_next: bool
    going_on: tuple[str, ...]
    later_rounds: tuple[int, ...]
    redrawn: tuple[RedrawnView, ...]
    undecided: tuple[tuple[int, int], ...]
    set_aside: int
    reseated: tuple[tuple[int, int, tuple[str, ...]], ...]
    contradicted: tuple[tuple[int, int | None], ...]
    unfit_draft: int | None
    closed_season: str = ""

    @property
    def are_none(self) -> bool:
        told = (
            self.tables,
            self.ranks,
            self.sections,
            self.set_aside,
            self.reseated,
            self.contradicted,
            self.undecided,
            self.has_walkover_next,
            self.going_on,
            self.unfit_draft,
        )
        return self.playing_next is None and self.left_over_next is None and not any(told)


def effects_view(event: Event, effects: Effects) -> EffectsView:
    """Add names to the effects. Two queries."""
    entries = entries_of(event)
    named = entries_named_in_full(entries)
    by_id = {entry.pk: named(entry) for entry in entries}
    by_number = {entry.number: named(entry) for entry in entries}
    return EffectsView(
        actions=tuple(
            ChangeSentence(kind=kind, details=details, names=by_number) for kind, details in effects.actions
        ),
        ranks=tuple((by_number[moved.entry], moved) for moved in effects.ranks if moved.entry in by_number),
        sections=effects.sections,
        tables=tuple(
            change
            for number, difference in effects.lineups.items()
            for change in _changes(number, difference, by_id, is_public=number in effects.published)
        ),
        playing_next=effects.playing_next,
        left_over_next=effects.left_over_next,
        is_in_pools_next=effects.is_in_pools_next,
        has_walkover_next=effects.has_walkover_next,
        going_on=tuple(by_id[entry] for entry in effects.going_on),
        later_rounds=effects.later_rounds,
        redrawn=tuple(
            RedrawnView(
                round=again.round,
                tables=tuple((_join_names(a, by_id), _join_names(b, by_id)) for a, b in again.tables),
                byes=tuple(by_id[entry] for entry in again.byes),
            )
            for again in effects.redrawn
        ),
        undecided=effects.undecided,
        set_aside=effects.set_aside,
        reseated=effects.reseated,
        contradicted=effects.contradicted,
        unfit_draft=effects.unfit_draft,
        **EFFECTS.values(event),
    )


def _changes(
    number: int, difference: Mapping[str, Any], names: Mapping[int, str], *, is_public: bool
) -> list[TableChange]:
    def sides(plain: Mapping[str, Any] | None) -> tuple[str, ...] | None:
        if plain is None:
            return None
        held = (plain["a"], plain["b"]) if "number" in plain else ([plain["entry"]],)
        return tuple(_join_names(entries, names) for entries in held)

    return [
        TableChange(
            round=number,
            is_public=is_public,
            table=int(key) if kind == "tables" else None,
            before=sides(before),
            after=sides(after),
        )
        for kind in ("tables", "byes")
        for key, (before, after) in difference.get(kind, {}).items()
    ]


def _join_names(entries: Iterable[int], names: Mapping[int, str]) -> str:
    return ", ".join(names.get(entry, "") for entry in entries)
