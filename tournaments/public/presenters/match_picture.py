"""A picture of the curve of a match: the chances of both sides, hand by hand, to send."""

from django.utils.translation import gettext

from clubs.date_formats import days_and_year_in_words
from clubs.game_words import contract_name
from clubs.queries import get_logo
from engine.chances import Swing
from rules import PlayedHand, Side
from tournaments.models import Event
from tournaments.public.presenters.tables import TablePage
from tournaments.sharing.link_previews.values import Picture, PictureLine


def build_match_picture(event: Event, page: TablePage) -> Picture | None:
    """Build the picture of a table's match; None while no hand has chances that everybody may see. One
    query."""
    swings, round_number = page.swings, page.round.number
    if not swings:
        return None
    title = gettext("Round %(round)s, table %(table)s") % {"round": round_number, "table": page.table.number}
    return Picture(
        club=f"{event.club.name} · {event.name}",
        title=title,
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
        foot=_build_turning_lines(page.turning),
        curve=tuple(chance.percentages[0] for chance in (swings[0].before, *(one.after for one in swings))),
        logo=get_logo(event.club),
    )


def _build_turning_lines(swing: Swing | None) -> tuple[PictureLine, ...]:
    if swing is None or not isinstance(swing.line.record, PlayedHand):
        return ()
    hand = swing.line.record
    outcome = gettext("%(contract)s made") if hand.made else gettext("%(contract)s failed")
    hand_text = gettext("hand %(hand)s") % {"hand": swing.line.number}
    return (
        PictureLine(
            mark=gettext("Turning point"),
            text=f"{hand_text} · {outcome % {'contract': contract_name(hand.contract)}}",
        ),
    )
