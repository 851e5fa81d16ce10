"""A picture of the curve of a match: the chances of both sides, hand by hand, to send."""

from django.utils.translation import gettext

from clubs.day_words import days_and_year_in_words
from clubs.game_words import contract_name
from clubs.queries import logo_of
from engine.chances import Swing
from rules import PlayedHand, Side
from tournaments.models import Event
from tournaments.public.presenters.tables import TablePage
from tournaments.sharing.link_previews import Picture, PictureLine


def match_picture(event: Event, page: TablePage) -> Picture | None:
    """Build the picture of a table's match; None while no hand has chances that everybody may see. One
    query."""
    swings, round_number = page.swings, page.round.number
    if not swings:
        return None
    where = gettext("Round %(round)s, table %(table)s") % {"round": round_number, "table": page.table.number}
    return Picture(
        club=f"{event.club.name} · {event.name}",
        title=where,
        below=days_and_year_in_words(event.days),
        kicker=gettext("Chances of winning, if both sides are equally strong."),
        lines=tuple(
            PictureLine(
                mark=str(one.points),
                text=one.names,
                figure=gettext("%(number)s%%") % {"number": swings[-1].after.percentages[2 * side]},
            )
            for side, one in zip(Side, page.table.sides, strict=True)
        ),
        foot=_turning(page.turning),
        curve=tuple(chance.percentages[0] for chance in (swings[0].before, *(one.after for one in swings))),
        logo=logo_of(event.club),
    )


def _turning(turning: Swing | None) -> tuple[PictureLine, ...]:
    if turning is None or not isinstance(turning.line.record, PlayedHand):
        return ()
    hand = turning.line.record
    said = gettext("%(contract)s made") if hand.made else gettext("%(contract)s failed")
    where = gettext("hand %(hand)s") % {"hand": turning.line.number}
    return (
        PictureLine(
            mark=gettext("Turning hand"),
            text=f"{where} · {said % {'contract': contract_name(hand.contract)}}",
        ),
    )
