"""What the picture of a shared link shows: of an event how it stands, of a club what it plays next."""

from collections.abc import Sequence

from django.utils.formats import time_format
from django.utils.translation import gettext, ngettext

from clubs.calendar import CalendarLine
from clubs.day_words import day_and_year_in_words, day_in_words
from clubs.models import Club
from tournaments.entries.queries.entries import entries_of
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.sharing.link_previews import MOST_LINES, Picture, PictureLine
from tournaments.standings.presenters import StandingsView, kept_publicly, standings_view

WITH_A_FIGURE = ("match_wins", "points_for")
"""What is said beside a rank, where it ranks first: anything else needs to be explained."""
NIGHTS = 3


def event_picture(event: Event) -> Picture:
    """By public names, as far as the event is released. Three queries at most."""
    standings = None
    if event.state != EventState.PREPARING:
        rounds = list(rounds_of(event))
        kept = kept_publicly(event)
        standings = standings_view(event, kept, entries_of(event), rounds, most=MOST_LINES)
    first = event.ranking_rules.order[0]
    day = day_and_year_in_words(event.held_on)
    if event.place:
        day += f" · {event.place}"
    return Picture(
        club=event.club.name,
        title=event.name,
        below=day,
        kicker=_kicker(event, standings),
        lines=tuple(
            PictureLine(
                mark=str(row.rank),
                text=row.names,
                figure=figure_in_words(first, dict(row.figures).get(first)),
            )
            for row in (standings.rows if standings else ())
        ),
    )


def figure_in_words(metric: str, number: int | None) -> str:
    """``5 matches won``, ``96 points``; "" of anything else."""
    if number is None or metric not in WITH_A_FIGURE:
        return ""
    if metric == "match_wins":
        return ngettext("%(number)s match won", "%(number)s matches won", number) % {"number": number}
    return ngettext("%(number)s point", "%(number)s points", number) % {"number": number}


def _kicker(event: Event, standings: StandingsView | None) -> str:
    """How far it is, as everybody may know it."""
    if standings is None:
        return gettext("Sign-up is open") if event.signs_up else gettext("Coming soon")
    if not standings.rows:
        return gettext("Ended") if event.state == EventState.ENDED else gettext("Being played now")
    if standings.is_final:
        return gettext("Final standings")
    if standings.after_round:
        return gettext("Standings after round %(number)s") % {"number": standings.after_round}
    return gettext("Standings")


def club_picture(club: Club, lines: Sequence[CalendarLine]) -> Picture:
    """Of a club the next days of its calendar on which something is played. No query."""
    held = [line.held for line in lines if not line.is_put_off and not line.held.is_cancelled][:NIGHTS]
    return Picture(
        club="Charlemagne",
        title=club.name,
        below=gettext("Card nights of Charlemagne"),
        kicker=gettext("The next nights") if held else gettext("Results and standings"),
        lines=tuple(
            PictureLine(
                mark=day_in_words(one.day), text=f"{one.night.name}, {time_format(one.night.starts_at)}"
            )
            for one in held
        ),
    )
