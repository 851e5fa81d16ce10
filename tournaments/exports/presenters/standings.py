"""Standings of all entries, of a section or by club, as tables."""

from collections.abc import Sequence
from decimal import Decimal

from engine.ranking import METRICS, NO_PLACE, STILL_IN, Unit
from tournaments.models import Event
from tournaments.standings.presenters import StandingsView
from tournaments.standings.presenters.clubs import ClubStanding
from tournaments.standings.presenters.short_list import RankRow
from tournaments.standings.titles import status_in_a_file
from web.sheets import Sheet, SheetColumn
from web.sheets.tables import number, text_column

from .file_names import about_event


def standings_table(event: Event, view: StandingsView) -> Sheet:
    """Return rank, names and figures as on the page. The list of a section also has the rank among all
    entries."""
    in_section = (number("overall"),) if view.section else ()
    return Sheet(
        key="standings",
        about=about_event(event, view.section, status_in_a_file(view)),
        columns=(
            number("rank"),
            *in_section,
            number("entry"),
            number("entry_id"),
            names_column(event),
            *(number(key) for key in view.columns),
            number("left_after"),
            text_column("is_disqualified", called="disqualified", said="yes_or_no"),
        ),
        rows=[
            [
                row.rank,
                *([row.overall] if in_section else ()),
                row.entry,
                row.entry_id,
                row.names,
                *(figure(key, value) for key, value in row.figures),
                row.left_after,
                row.is_disqualified,
            ]
            for row in view.rows
        ],
    )


def club_standings_table(event: Event, lines: Sequence[ClubStanding]) -> Sheet:
    """Return each club with the figures of its entries. There is a row for each entry, to be added up in a
    spreadsheet."""
    return Sheet(
        key="standings_by_club",
        about=about_event(event),
        columns=(
            number("rank"),
            text_column("club"),
            *(number(name) for name in (BY_MEETINGS if event.is_interclub else ())),
            number("match_wins"),
            number("points_for"),
            number("entry"),
            number("entry_id"),
            names_column(event),
            number("entry_match_wins", called="match_wins_of_entry"),
            number("entry_points_for", called="points_of_entry"),
        ),
        rows=[
            [
                line.rank,
                line.name,
                *_by_meetings(line),
                line.wins,
                line.points,
                one.entry,
                one.entry_id,
                one.names,
                one.wins,
                one.points,
            ]
            for line in lines
            for one in line.entries
        ],
    )


BY_MEETINGS = ("club_match_points", "club_game_points", "club_difference")


def _by_meetings(line: ClubStanding) -> tuple[int | Decimal, ...]:
    if line.score is None:
        return ()
    return line.score.match_points, Decimal(line.score.game_points) / 2, line.score.difference


def names_column(event: Event) -> SheetColumn:
    """Return the column for names of pairs, or of single players."""
    return text_column("names", called="pair" if event.entry_size > 1 else "name")


def figure(key: str, value: int | None) -> int | Decimal | None:
    """Convert a stored value to the number that the page shows: ``52.38`` is a percentage."""
    metric = METRICS[key]
    if value is None or (metric.unit is Unit.PLACE and value in (NO_PLACE, STILL_IN)):
        return None
    if metric.unit is Unit.LOT:
        return value // metric.scale
    return value if metric.scale == 1 else (Decimal(value) / metric.scale).quantize(Decimal("0.01"))


def full_standings_table(event: Event, metrics: Sequence[str], rows: Sequence[RankRow]) -> Sheet:
    """Return the standings as printed at the desk, with full names."""
    return Sheet(
        key="standings",
        about=about_event(event),
        columns=(
            number("rank"),
            number("entry"),
            number("entry_id"),
            names_column(event),
            *(number(key) for key in metrics),
            number("left_after"),
            text_column("is_disqualified", called="disqualified", said="yes_or_no"),
        ),
        rows=[
            [
                row.rank,
                row.entry,
                row.entry_id,
                row.names,
                *(figure(key, value) for key, value in row.figures),
                row.left_after,
                row.is_disqualified,
            ]
            for row in rows
        ],
    )
