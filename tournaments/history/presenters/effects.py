"""Effects of a change before it is made, with names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.changes import RankMove
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter
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
    unseated_next: int | None
    is_in_pools_next: bool
    has_walkover_next: bool
    qualifying: tuple[str, ...]
    later_rounds: tuple[int, ...]
    redrawn: tuple[RedrawnView, ...]
    undecided: tuple[tuple[int, int], ...]
    set_aside: int
    reseated_tables: tuple[tuple[int, int, tuple[str, ...]], ...]
    contradicted: tuple[tuple[int, int | None], ...]
    unfit_draft: int | None
    hidden_from: int | None = None
    first_shown_round: int | None = None
    closed_season: str = ""

    @property
    def is_empty(self) -> bool:
        shown_effects = (
            self.tables,
            self.ranks,
            self.sections,
            self.set_aside,
            self.reseated_tables,
            self.contradicted,
            self.undecided,
            self.has_walkover_next,
            self.qualifying,
            self.unfit_draft,
            self.hidden_from,
            self.first_shown_round,
        )
        return self.playing_next is None and self.unseated_next is None and not any(shown_effects)


def build_effects_view(event: Event, effects: Effects) -> EffectsView:
    """Add names to the effects. Two queries."""
    entries = get_entries(event)
    format_entry = build_full_entry_formatter(entries)
    names_by_id = {entry.pk: format_entry(entry) for entry in entries}
    names_by_number = {entry.number: format_entry(entry) for entry in entries}
    return EffectsView(
        actions=tuple(
            ChangeSentence(kind=kind, details=details, names=names_by_number) for kind, details in effects.actions
        ),
        ranks=tuple(
            (names_by_number[rank_move.entry], rank_move)
            for rank_move in effects.ranks
            if rank_move.entry in names_by_number
        ),
        sections=effects.sections,
        tables=tuple(
            change
            for number, difference in effects.lineups.items()
            for change in _build_table_changes(
                number, difference, names_by_id, is_public=number in effects.published_rounds
            )
        ),
        playing_next=effects.playing_next,
        unseated_next=effects.unseated_next,
        is_in_pools_next=effects.is_in_pools_next,
        has_walkover_next=effects.has_walkover_next,
        qualifying=tuple(names_by_id[entry] for entry in effects.qualifying),
        later_rounds=effects.later_rounds,
        redrawn=tuple(
            RedrawnView(
                round=redrawn_round.round,
                tables=tuple(
                    (_join_names(a, names_by_id), _join_names(b, names_by_id)) for a, b in redrawn_round.tables
                ),
                byes=tuple(names_by_id[entry] for entry in redrawn_round.byes),
            )
            for redrawn_round in effects.redrawn
        ),
        undecided=effects.undecided,
        set_aside=effects.set_aside,
        reseated_tables=effects.reseated_tables,
        contradicted=effects.contradicted,
        unfit_draft=effects.unfit_draft,
        hidden_from=effects.hidden_from,
        first_shown_round=effects.first_shown_round,
        **EFFECTS.collect_values(event),
    )


def _build_table_changes(
    number: int, difference: Mapping[str, Any], names: Mapping[int, str], *, is_public: bool
) -> list[TableChange]:
    def format_sides(place: Mapping[str, Any] | None) -> tuple[str, ...] | None:
        if place is None:
            return None
        entry_groups = (place["a"], place["b"]) if "number" in place else ([place["entry"]],)
        return tuple(_join_names(entries, names) for entries in entry_groups)

    return [
        TableChange(
            round=number,
            is_public=is_public,
            table=int(key) if kind == "tables" else None,
            before=format_sides(before),
            after=format_sides(after),
        )
        for kind in ("tables", "byes")
        for key, (before, after) in difference.get(kind, {}).items()
    ]


def _join_names(entries: Iterable[int], names: Mapping[int, str]) -> str:
    return ", ".join(names.get(entry, "") for entry in entries)
