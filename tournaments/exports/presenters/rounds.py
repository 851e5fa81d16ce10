"""Tables of a round, with pairings and results, and of the entries."""

from collections.abc import Callable, Iterable, Iterator

from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import EntryNamed
from tournaments.models import Entry, Event
from tournaments.rounds.presenters.rounds import RoundView, TableSide
from web.sheets import Sheet, SheetColumn
from web.sheets.tables import number, text_column

from .file_names import about_event, round_in_words
from .standings import names_column


def round_table(event: Event, view: RoundView | None) -> Sheet:
    """Return the tables of a round with their results and match names, then the byes. Byes have no table.
    There are no rows before the first round. Sides also have the numbers and ids of their entries, which
    substitutes do not change."""
    per_side = 2 if event.draws_partners else 1
    return Sheet(
        key="round",
        about=about_event(event, "" if view is None else round_in_words(view.number)),
        columns=(
            number("round"),
            text_column("match", said="place"),
            number("table"),
            *_side_columns("a", per_side),
            *_side_columns("b", per_side),
            number("points_a"),
            number("points_b"),
            number("games_a"),
            number("games_b"),
            text_column("winner", said="side"),
            text_column("ruling", said="ruling"),
        ),
        rows=[] if view is None else _tables(view, per_side) + _byes(view, per_side),
    )


def _side_columns(side: str, per_side: int) -> Iterator[SheetColumn]:
    for place in range(1, per_side + 1):
        name = side if per_side == 1 else f"{side}_{place}"
        yield number(f"entry_{name}", called=f"entry_{side}")
        yield number(f"entry_id_{name}", called=f"entry_id_{side}")
    yield text_column(f"side_{side}")


def _tables(view: RoundView, per_side: int) -> list[list[object]]:
    rows: list[list[object]] = []
    for table in view.tables:
        a, b = table.sides
        winner = next((name for name, side in zip("AB", (a, b), strict=True) if side.has_won), None)
        figures = [a.points, b.points, a.games_won, b.games_won, winner, table.ruling_kind]
        sides = [*_side(a, per_side), *_side(b, per_side)]
        rows.append([view.number, table.place, table.number, *sides, *figures])
    return rows


def _side(side: TableSide, per_side: int) -> list[object]:
    known = [value for pair in zip(side.entries, side.entry_ids, strict=True) for value in pair]
    return [*known, *[None] * (2 * per_side - len(known)), side.names]


def _byes(view: RoundView, per_side: int) -> list[list[object]]:
    nobody = [None] * (2 * per_side - 2)
    rest = [None] * (2 * per_side + 1 + 6)
    return [
        [view.number, None, None, bye.entry, bye.entry_id, *nobody, bye.names, *rest] for bye in view.byes
    ]


def public_entries_table(event: Event, named_among: Callable[[Iterable[Entry]], EntryNamed]) -> Sheet:
    """Return the entries that take part, by number, with public names. One query."""
    entries = [entry for entry in entries_of(event) if not entry.is_waiting]
    named = named_among(entries)
    has_sections = any(entry.section for entry in entries)
    return Sheet(
        key="entries",
        about=about_event(event),
        columns=(
            number("entry"),
            number("entry_id"),
            names_column(event),
            *((text_column("section"),) if has_sections else ()),
        ),
        rows=[
            [
                entry.number,
                entry.pk,
                named(entry),
                *([entry.section or None] if has_sections else ()),
            ]
            for entry in entries
        ],
    )
