"""A round: who plays whom, and how it ended; and who takes part."""

from collections.abc import Callable, Iterable

from clubs.sheets import Table
from clubs.sheets.tables import number, text
from tournaments.models import Entry, Event
from tournaments.pages.names import EntryNamed
from tournaments.pages.rounds import RoundView
from tournaments.selectors import entries_of

from .about import about_event, round_in_words
from .standings import names_column


def round_table(event: Event, view: RoundView | None) -> Table:
    """The tables of a round with their results, then who sits out, without a table; no rows before the
    first round."""
    rows = [] if view is None else _tables(view) + _byes(view)
    return Table(
        key="round",
        about=about_event(event, "" if view is None else round_in_words(view.number)),
        columns=(
            number("round"),
            number("table"),
            text("side_a"),
            text("side_b"),
            number("points_a"),
            number("points_b"),
            number("games_a"),
            number("games_b"),
            text("winner", said="side"),
        ),
        rows=rows,
    )


def _tables(view: RoundView) -> list[list[object]]:
    rows: list[list[object]] = []
    for table in view.tables:
        a, b = table.sides
        winner = next((name for name, side in zip("AB", (a, b), strict=True) if side.has_won), None)
        figures = [a.points, b.points, a.games_won, b.games_won, winner]
        rows.append([view.number, table.number, a.names, b.names, *figures])
    return rows


def _byes(view: RoundView) -> list[list[object]]:
    return [[view.number, None, bye.names, None, None, None, None, None, None] for bye in view.byes]


def public_entries_table(event: Event, named_among: Callable[[Iterable[Entry]], EntryNamed]) -> Table:
    """Who takes part, by number, as everybody may read them. One query."""
    entries = [entry for entry in entries_of(event) if not entry.is_waiting]
    named = named_among(entries)
    has_sections = any(entry.section for entry in entries)
    return Table(
        key="entries",
        about=about_event(event),
        columns=(
            number("entry"),
            names_column(event),
            *((text("section"),) if has_sections else ()),
        ),
        rows=[
            [
                entry.number,
                named(entry),
                *([entry.section or None] if has_sections else ()),
            ]
            for entry in entries
        ],
    )
