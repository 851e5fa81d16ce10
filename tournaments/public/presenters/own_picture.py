"""A picture of a player's rank in an event, to send."""

from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from clubs.day_words import days_and_year_in_words, hour_in_words
from clubs.game_words import contract_name
from clubs.queries import logo_of
from clubs.wording import join_names
from tournaments.models import Event
from tournaments.sharing.link_previews import MOST_LINES, Picture, PictureLine

from .own_page import OwnCharlemagne, OwnPage

MOST_CHARLEMAGNES = 2
"""Most Charlemagnes that a picture has room for."""


def own_picture(event: Event, page: OwnPage) -> Picture:
    """Build the picture of the player's own page. One query."""
    day = days_and_year_in_words(event.days)
    return Picture(
        club=f"{event.club.name} · {event.name}",
        title=page.name,
        below=f"{day} · {event.place}" if event.place else day,
        kicker=_kicker(page),
        lines=tuple(_picture_lines(event, page)[:MOST_LINES]),
        logo=logo_of(event.club),
    )


def _kicker(page: OwnPage) -> str:
    if not page.places:
        return gettext("My matches") if page.totals.matches else gettext("Participant")
    place = page.places[-1]
    return gettext("Rank %(rank)s of %(total)s") % {"rank": place.row.rank, "total": place.total}


def _made_when(event: Event, made: OwnCharlemagne) -> str:
    told = gettext("Round %(number)s") % {"number": made.round}
    if made.at is None:
        return told
    hour = hour_in_words(timezone.localtime(made.at, ZoneInfo(event.club.time_zone)))
    return gettext("%(what)s, at %(hour)s") % {"what": told, "hour": hour}


def _picture_lines(event: Event, page: OwnPage) -> list[PictureLine]:
    totals = page.totals
    if not totals.matches:
        return []
    lines = [
        PictureLine(
            mark=gettext("Matches"),
            text=ngettext("%(won)s of %(number)s won", "%(won)s of %(number)s won", totals.matches)
            % {"won": totals.won, "number": totals.matches},
        ),
        PictureLine(
            mark=gettext("Points"),
            text=gettext("%(own)s for, %(theirs)s against")
            % {"own": totals.points_for, "theirs": totals.points_against},
        ),
    ]
    lines += [
        PictureLine(mark=contract_name(made.contract), text=_made_when(event, made))
        for made in page.charlemagnes[:MOST_CHARLEMAGNES]
    ]
    partners = list(dict.fromkeys(one.partners for one in page.rounds if one.partners))
    if partners:
        label = ngettext("Partner", "Partners", len(partners))
        lines.append(PictureLine(mark=label, text=join_names(partners)))
    return lines
