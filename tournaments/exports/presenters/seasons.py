"""Seasons: their list, the lines of a ladder, and the nights behind a line."""

from collections.abc import Iterable, Sequence

from clubs.models import Club
from tournaments.models import Season
from tournaments.seasons.presenters import LadderLineView, LadderView, NightView
from web.sheets import Sheet
from web.sheets.tables import day, number, text_column


def seasons_table(club: Club, seasons: Iterable[Season]) -> Sheet:
    """With whose each is: a series may be another club's."""
    return Sheet(
        key="seasons",
        about=(club.name,),
        columns=(
            text_column("name", called="season"),
            day("starts"),
            day("ends"),
            text_column("club"),
            number("season_id"),
        ),
        rows=[[season.name, season.starts, season.ends, season.club.name, season.pk] for season in seasons],
    )


def ladder_table(season: Season, view: LadderView) -> Sheet:
    """The lines of the page, which are the first ones of a very long ladder."""
    unit = str(view.ladder.unit)
    return Sheet(
        key="ladder",
        about=(season.name, view.ladder.name),
        columns=(
            number("rank"),
            text_column("names", called=unit if unit in ("club", "pair") else "name"),
            number("total"),
            number("nights"),
            number("bonus"),
        ),
        rows=[[line.rank, line.names, line.total, line.nights, line.bonus] for line in view.lines],
    )


def line_table(season: Season, line: LadderLineView, nights: Sequence[NightView]) -> Sheet:
    """What each night brought to a line; what it got for being there is a column of the ladder."""
    return Sheet(
        key="nights_of_line",
        about=(season.name, line.names),
        columns=(
            day("day"),
            text_column("name", called="night"),
            number("rank"),
            number("of", called="of_so_many"),
            number("gained"),
            text_column("counts", said="yes_or_no"),
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
