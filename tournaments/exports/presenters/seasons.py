"""Seasons: their list, the lines of season standings, and the nights behind a line."""

from collections.abc import Iterable, Sequence

from clubs.models import Club
from tournaments.models import Season
from tournaments.seasons.presenters import LadderLineView, LadderView, NightView
from web.sheets.tables import Sheet, date_column, number_column, text_column


def build_seasons_table(club: Club, seasons: Iterable[Season]) -> Sheet:
    """Return the seasons, each with its club: a series may belong to another club."""
    return Sheet(
        key="seasons",
        about=(club.name,),
        columns=(
            text_column("name", heading_key="season"),
            date_column("starts"),
            date_column("ends"),
            text_column("club"),
            number_column("season_id"),
        ),
        rows=[[season.name, season.starts, season.ends, season.club.name, season.pk] for season in seasons],
    )


def build_ladder_table(season: Season, view: LadderView) -> Sheet:
    """Return the lines of the page, which are only the first ones of very long standings."""
    unit = str(view.ladder.unit)
    return Sheet(
        key="ladder",
        about=(season.name, view.ladder.name),
        columns=(
            number_column("rank"),
            text_column("names", heading_key=unit if unit in ("club", "pair") else "name"),
            number_column("total"),
            number_column("nights"),
            number_column("bonus"),
        ),
        rows=[[line.rank, line.names, line.total, line.nights, line.bonus] for line in view.lines],
    )


def build_line_table(season: Season, line: LadderLineView, nights: Sequence[NightView]) -> Sheet:
    """Return the points of a line, night by night. Points for taking part are in the standings table."""
    return Sheet(
        key="nights_of_line",
        about=(season.name, line.names),
        columns=(
            date_column("day"),
            text_column("name", heading_key="night"),
            number_column("rank"),
            number_column("of", heading_key="of_so_many"),
            number_column("gained"),
            text_column("counts", formatter="yes_or_no"),
        ),
        rows=[
            [
                None if night.event is None else night.event.held_on,
                None if night.event is None else night.event.name,
                night.score.rank,
                night.score.of,
                night.score.gained,
                night.score.is_counted,
            ]
            for night in nights
        ],
    )
