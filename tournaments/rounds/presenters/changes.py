"""Changes that make a draw outdated, with names."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.name_formats import join_names
from engine.changes import Changes
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.models import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesView:
    """``changes`` with the names of the entries. They are drawn but ``away``, or play but are ``left_out``.
    ``pairings`` are as they would be now, with both sides of each, one for a bye."""

    changes: Changes
    away: tuple[str, ...]
    left_out: tuple[str, ...]
    pairings: tuple[tuple[str, ...], ...]


def build_changes_view(changes: Changes | None, entries: Sequence[Entry]) -> ChangesView | None:
    """Add names to the changes. No query."""
    if changes is None:
        return None
    format_entry = build_full_entry_formatter(entries)
    names = {entry.number: format_entry(entry) for entry in entries}
    return ChangesView(
        changes=changes,
        away=tuple(names[number] for number in changes.away),
        left_out=tuple(names[number] for number in changes.left_out),
        pairings=tuple(
            tuple(join_names([names[number] for number in side]) for side in sides if side)
            for sides in changes.pairings
        ),
    )
