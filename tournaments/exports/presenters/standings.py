"""Standings of all entries, of a section or by club, as tables."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from engine.charts import MatchPlace, get_stage_place
from engine.ranking import METRICS, NO_PLACE, STILL_PLAYING_PLACE, Unit
from tournaments.models import Event
from tournaments.standings.presenters import StandingsRow, StandingsView
from tournaments.standings.presenters.clubs import ClubRow
from tournaments.standings.titles import get_file_status
from web.sheets.tables import Sheet, SheetColumn, Source, number_column, text_column

from .file_names import get_event_name_parts


def build_standings_table(event: Event, view: StandingsView) -> Sheet:
    """Return rank, names and figures as on the page. The list of a section also has the rank among all
    entries, and one of several finals or pools the final or the pool of each entry."""
    place_column = text_column(
        "stage", lambda row: _get_row_place(event, row), heading_key="stage_of_event", formatter="place"
    )
    columns = (
        number_column("rank"),
        *((number_column("overall"),) if view.section else ()),
        *((place_column,) if any(row.stage is not None or row.pool for row in view.rows) else ()),
        *_iter_entry_columns(event, view.columns),
    )
    about = get_event_name_parts(event, view.section, get_file_status(view))
    return Sheet.from_lines("standings", view.rows, columns, about=about)


def _get_row_place(event: Event, row: StandingsRow) -> MatchPlace | None:
    if row.stage is None:
        return MatchPlace(pool=row.pool) if row.pool else None
    return get_stage_place(event.plan, row.stage)


def build_full_standings_table(event: Event, metrics: Sequence[str], rows: Sequence[StandingsRow]) -> Sheet:
    """Return the standings as printed at the desk, with full names."""
    columns = (number_column("rank"), *_iter_entry_columns(event, metrics))
    return Sheet.from_lines("standings", rows, columns, about=get_event_name_parts(event))


def _iter_entry_columns(event: Event, metrics: Sequence[str]) -> Iterator[SheetColumn]:
    """Yield the columns of an entry and its figures, which are in the order of the metrics."""
    yield from (number_column("entry"), number_column("entry_id"), build_names_column(event))
    for place, key in enumerate(metrics):
        yield number_column(key, _build_figure_getter(place))
    yield number_column("left_after")
    yield text_column("is_disqualified", heading_key="disqualified", formatter="yes_or_no")


def _build_figure_getter(place: int) -> Source:
    return lambda row: scale_figure(*row.figures[place])


def build_club_standings_table(event: Event, lines: Sequence[ClubRow]) -> Sheet:
    """Return each club with the figures of its entries. There is a row for each entry, to be added up in a
    spreadsheet."""
    return Sheet(
        key="standings_by_club",
        about=get_event_name_parts(event),
        columns=(
            *((text_column("section"), text_column("next_section")) if event.division_moves else ()),
            number_column("rank"),
            text_column("club"),
            *(number_column(name) for name in (MEETING_METRICS if event.is_interclub else ())),
            number_column("match_wins"),
            number_column("points_for"),
            number_column("entry"),
            number_column("entry_id"),
            build_names_column(event),
            number_column("entry_match_wins", heading_key="match_wins_of_entry"),
            number_column("entry_points_for", heading_key="points_of_entry"),
        ),
        rows=[
            [
                *((line.section, line.next_section) if event.division_moves else ()),
                line.rank,
                line.name,
                *_get_meeting_figures(line),
                line.wins,
                line.points,
                entry.entry,
                entry.entry_id,
                entry.names,
                entry.wins,
                entry.points,
            ]
            for line in lines
            for entry in line.entries
        ],
    )


MEETING_METRICS = ("club_match_points", "club_game_points", "club_difference")


def _get_meeting_figures(line: ClubRow) -> tuple[int | Decimal, ...]:
    if line.score is None:
        return ()
    return line.score.match_points, Decimal(line.score.game_points) / 2, line.score.difference


def build_names_column(event: Event, source: Source = "") -> SheetColumn:
    """Return the column for names of pairs, or of single players."""
    return text_column("names", source, heading_key="pair" if event.entry_size > 1 else "name")


def scale_figure(key: str, value: int | None) -> int | Decimal | None:
    """Convert a stored value to the number that the page shows: ``52.38`` is a percentage."""
    metric = METRICS[key]
    if value is None or (metric.unit is Unit.PLACE and value in (NO_PLACE, STILL_PLAYING_PLACE)):
        return None
    if metric.unit is Unit.LOT:
        return value // metric.scale
    return value if metric.scale == 1 else (Decimal(value) / metric.scale).quantize(Decimal("0.01"))
