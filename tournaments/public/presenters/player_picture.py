"""A picture of a player's rank in an event, to send."""

from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from clubs.date_formats import days_and_year_in_words, hour_in_words
from clubs.game_words import contract_name
from clubs.name_formats import join_names
from clubs.queries import get_logo
from tournaments.models import Event
from tournaments.sharing.link_previews.values import MAX_LINES, Picture, PictureLine

from .player_page import PlayerCharlemagne, PlayerPage

MAX_CHARLEMAGNES = 2
"""Most Charlemagnes that a picture has room for."""


def build_player_picture(event: Event, page: PlayerPage) -> Picture:
    """Build the picture of the player's own page. One query."""
    day = days_and_year_in_words(event.days)
    return Picture(
        club=f"{event.club.name} · {event.name}",
        title=page.name,
        below=f"{day} · {event.place}" if event.place else day,
        kicker=_format_kicker(page),
        lines=tuple(_build_picture_lines(event, page)[:MAX_LINES]),
        logo=get_logo(event.club),
    )


def _format_kicker(page: PlayerPage) -> str:
    if not page.places:
        return gettext("My matches") if page.totals.matches else gettext("Participant")
    place = page.places[-1]
    return gettext("Rank %(rank)s of %(total)s") % {"rank": place.row.rank, "total": place.total}


def _format_charlemagne_time(event: Event, charlemagne: PlayerCharlemagne) -> str:
    round_text = gettext("Round %(number)s") % {"number": charlemagne.round}
    if charlemagne.at is None:
        return round_text
    hour = hour_in_words(timezone.localtime(charlemagne.at, ZoneInfo(event.club.time_zone)))
    return gettext("%(what)s, at %(hour)s") % {"what": round_text, "hour": hour}


def _build_picture_lines(event: Event, page: PlayerPage) -> list[PictureLine]:
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
        PictureLine(mark=contract_name(charlemagne.contract), text=_format_charlemagne_time(event, charlemagne))
        for charlemagne in page.charlemagnes[:MAX_CHARLEMAGNES]
    ]
    partners = list(dict.fromkeys(player_round.partners for player_round in page.rounds if player_round.partners))
    if partners:
        label = ngettext("Partner", "Partners", len(partners))
        lines.append(PictureLine(mark=label, text=join_names(partners)))
    return lines
