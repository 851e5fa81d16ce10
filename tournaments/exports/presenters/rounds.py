"""Tables of a round, with pairings and results, and of the entries."""

from collections.abc import Callable, Iterable, Iterator

from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import EntryFormatter
from tournaments.models import Entry, Event
from tournaments.rounds.presenters.rounds import RoundView, TableSide
from web.sheets.tables import Sheet, SheetColumn, number_column, text_column

from .file_names import format_round, get_event_name_parts
from .standings import build_names_column


def build_round_table(event: Event, view: RoundView | None) -> Sheet:
    """Return the tables of a round with their results and match names, then the byes. Byes have no table.
    There are no rows before the first round. Sides also have the numbers and ids of their entries, which
    substitutes do not change."""
    entries_per_side = 2 if event.draws_partners else 1
    return Sheet(
        key="round",
        about=get_event_name_parts(event, "" if view is None else format_round(view.number)),
        columns=(
            number_column("round"),
            text_column("match", formatter="place"),
            number_column("table"),
            *_iter_side_columns("a", entries_per_side),
            *_iter_side_columns("b", entries_per_side),
            number_column("points_a"),
            number_column("points_b"),
            number_column("games_a"),
            number_column("games_b"),
            text_column("winner", formatter="side"),
            text_column("ruling", formatter="ruling"),
        ),
        rows=[]
        if view is None
        else _build_table_rows(view, entries_per_side) + _build_bye_rows(view, entries_per_side),
    )


def _iter_side_columns(side: str, entries_per_side: int) -> Iterator[SheetColumn]:
    for place in range(1, entries_per_side + 1):
        name = side if entries_per_side == 1 else f"{side}_{place}"
        yield number_column(f"entry_{name}", heading_key=f"entry_{side}")
        yield number_column(f"entry_id_{name}", heading_key=f"entry_id_{side}")
    yield text_column(f"side_{side}")


def _build_table_rows(view: RoundView, entries_per_side: int) -> list[list[object]]:
    rows: list[list[object]] = []
    for table in view.tables:
        a, b = table.sides
        winner = next((name for name, side in zip("AB", (a, b), strict=True) if side.has_won), None)
        figures = [a.points, b.points, a.games_won, b.games_won, winner, table.ruling_kind]
        sides = [*_build_side_cells(a, entries_per_side), *_build_side_cells(b, entries_per_side)]
        rows.append([view.number, table.place, table.number, *sides, *figures])
    return rows


def _build_side_cells(side: TableSide, entries_per_side: int) -> list[object]:
    entry_cells = [value for pair in zip(side.entries, side.entry_ids, strict=True) for value in pair]
    return [*entry_cells, *[None] * (2 * entries_per_side - len(entry_cells)), side.names]


def _build_bye_rows(view: RoundView, entries_per_side: int) -> list[list[object]]:
    blank_partner = [None] * (2 * entries_per_side - 2)
    blank_cells = [None] * (2 * entries_per_side + 1 + 6)
    return [
        [view.number, None, None, bye.entry, bye.entry_id, *blank_partner, bye.names, *blank_cells] for bye in view.byes
    ]


def build_public_entries_table(event: Event, make_formatter: Callable[[Iterable[Entry]], EntryFormatter]) -> Sheet:
    """Return the entries that take part, by number, with public names. One query."""
    entries = [entry for entry in get_entries(event) if not entry.is_waiting]
    format_entry = make_formatter(entries)
    has_sections = any(entry.section for entry in entries)
    columns = (
        number_column("entry", "number"),
        number_column("entry_id", "pk"),
        build_names_column(event, format_entry),
        *((text_column("section", lambda entry: entry.section or None),) if has_sections else ()),
    )
    return Sheet.from_lines("entries", entries, columns, about=get_event_name_parts(event))
