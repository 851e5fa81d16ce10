"""Seasons: their list, the lines of season standings, and the nights behind a line."""

from collections.abc import Iterable, Sequence

from clubs.models import Club
from tournaments.models import Season
from tournaments.seasons.presenters import LadderLineView, LadderView, NightView
from web.sheets.tables import Sheet, date_column, number_column, text_column


def build_seasons_table(club: Club, seasons: Iterable[Season]) -> Sheet:
    """Return the seasons, each with its club: a series may belong to another club."""
    columns = (
        text_column("name", heading_key="season"),
        date_column("starts"),
        date_column("ends"),
        text_column("club", "club.name"),
        number_column("season_id", "pk"),
    )
    return Sheet.from_lines("seasons", seasons, columns, about=(club.name,))


def build_ladder_table(season: Season, view: LadderView) -> Sheet:
    """Return the lines of the page, which are only the first ones of very long standings."""
    unit = str(view.ladder.unit)
    columns = (
        number_column("rank"),
        text_column("names", heading_key=unit if unit in ("club", "pair") else "name"),
        *(number_column(key) for key in ("total", "nights", "bonus")),
    )
    return Sheet.from_lines("ladder", view.lines, columns, about=(season.name, view.ladder.name))


def build_line_table(season: Season, line: LadderLineView, nights: Sequence[NightView]) -> Sheet:
    """Return the points of a line, night by night. Points for taking part are in the standings table."""
    columns = (
        date_column("day", lambda night: None if night.event is None else night.event.held_on),
        text_column("name", lambda night: None if night.event is None else night.event.name, heading_key="night"),
        number_column("rank", "score.rank"),
        number_column("of", "score.of", heading_key="of_so_many"),
        number_column("gained", "score.gained"),
        text_column("counts", "score.is_counted", formatter="yes_or_no"),
    )
    return Sheet.from_lines("nights_of_line", nights, columns, about=(season.name, line.names))
