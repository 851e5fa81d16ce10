"""Effects of a change before it is made, with names."""

from collections.abc import Iterable, Mapping, Sequence
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
class EffectsView:
    """Effects of a change as ``computed``, and with names: the lines that the history would have, ``ranks`` as
    pairs of a name and the move of its rank, tables, entries that would qualify, and rounds drawn again.
    ``closed_season`` is the name of one that counts the event, "" without one."""

    computed: Effects
    actions: tuple[ChangeSentence, ...]
    ranks: tuple[tuple[str, RankMove], ...]
    tables: Sequence[Mapping[str, Any]]
    qualifying: tuple[str, ...]
    redrawn: Sequence[Mapping[str, Any]]
    closed_season: str = ""

    @property
    def is_empty(self) -> bool:
        computed = self.computed
        shown_effects = (
            self.tables,
            self.ranks,
            self.qualifying,
            computed.sections,
            computed.set_aside,
            computed.reseated_tables,
            computed.contradicted,
            computed.undecided,
            computed.has_walkover_next,
            computed.unfit_draft,
            computed.hidden_from,
            computed.first_shown_round,
        )
        return computed.playing_next is None and computed.unseated_next is None and not any(shown_effects)


def build_effects_view(event: Event, effects: Effects) -> EffectsView:
    """Add names to the effects. Two queries."""
    entries = get_entries(event)
    format_entry = build_full_entry_formatter(entries)
    names_by_id = {entry.pk: format_entry(entry) for entry in entries}
    names_by_number = {entry.number: format_entry(entry) for entry in entries}
    return EffectsView(
        computed=effects,
        actions=tuple(
            ChangeSentence(kind=kind, details=details, names=names_by_number) for kind, details in effects.actions
        ),
        ranks=tuple(
            (names_by_number[rank_move.entry], rank_move)
            for rank_move in effects.ranks
            if rank_move.entry in names_by_number
        ),
        tables=[
            change
            for number, difference in effects.lineups.items()
            for change in _build_table_changes(
                number, difference, names_by_id, is_public=number in effects.published_rounds
            )
        ],
        qualifying=tuple(names_by_id[entry] for entry in effects.qualifying),
        redrawn=[
            {
                "round": redrawn_round.round,
                "tables": [(_join_names(a, names_by_id), _join_names(b, names_by_id)) for a, b in redrawn_round.tables],
                "byes": [names_by_id[entry] for entry in redrawn_round.byes],
            }
            for redrawn_round in effects.redrawn
        ],
        **EFFECTS.collect_values(event),
    )


def _build_table_changes(
    number: int, difference: Mapping[str, Any], names: Mapping[int, str], *, is_public: bool
) -> list[dict[str, Any]]:
    """Return the people at each changed table of a round before and after, None for nobody; without a table number, on
    a bye."""

    def format_sides(place: Mapping[str, Any] | None) -> tuple[str, ...] | None:
        if place is None:
            return None
        entry_groups = (place["a"], place["b"]) if "number" in place else ([place["entry"]],)
        return tuple(_join_names(entries, names) for entries in entry_groups)

    return [
        {
            "round": number,
            "is_public": is_public,
            "table": int(key) if kind == "tables" else None,
            "before": format_sides(before),
            "after": format_sides(after),
        }
        for kind in ("tables", "byes")
        for key, (before, after) in difference.get(kind, {}).items()
    ]


def _join_names(entries: Iterable[int], names: Mapping[int, str]) -> str:
    return ", ".join(names.get(entry, "") for entry in entries)
