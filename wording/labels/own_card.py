"""A player's results at an event as a text to share: ranks, figures, and each hand."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext, pgettext

from clubs.day_words import days_and_year_in_words, hour_in_words
from clubs.game_words import contract_name, outcome, record_name
from rules import PlayedHand
from tournaments.models import Event
from tournaments.public.presenters.own_page import OwnCharlemagne, OwnPage, OwnRound
from tournaments.rounds.presenters.rounds import TableSide
from tournaments.rounds.presenters.tables import GameHands, HandView

from .byes import bye_in_past


def own_card(page: OwnPage, event: Event, address: str) -> str:
    """Write ``Jeannine R. – Tuesday night``, then paragraphs with what the player's page shows.

    So nothing that is hidden is in it.
    """
    head = [
        f"{page.name} – {event.name}",
        f"{event.club.name}, {days_and_year_in_words(event.days)}",
    ]
    played = ["\n".join(_round(one)) for one in reversed(page.rounds)]
    there = gettext("All results: %(address)s") % {"address": address}
    paragraphs = ["\n".join(head), "\n".join(_figures(page, event)), *played, there]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _figures(page: OwnPage, event: Event) -> Iterator[str]:
    totals = page.totals
    for place in page.places:
        rank = gettext("Rank %(rank)s of %(total)s") % {"rank": place.row.rank, "total": place.total}
        yield f"{rank}, {place.section}" if place.section else rank
    if totals.matches:
        won = gettext("Matches won: %(won)s of %(number)s")
        points = gettext("%(own)s for, %(theirs)s against") % {
            "own": totals.points_for,
            "theirs": totals.points_against,
        }
        yield won % {"won": totals.won, "number": totals.matches} + f" ({points})"
    if totals.contracts:
        made = {"made": totals.made, "number": totals.contracts}
        yield gettext("Contracts made: %(made)s of %(number)s") % made
    yield from (_charlemagne(one, event) for one in page.charlemagnes)


def _charlemagne(made: OwnCharlemagne, event: Event) -> str:
    """Describe a Charlemagne: ``Charlemagne, round 2, 9:14 p.m.``"""
    told = [contract_name(made.contract), gettext("round %(number)s") % {"number": made.round}]
    if made.at is not None:
        told.append(hour_in_words(timezone.localtime(made.at, ZoneInfo(event.club.time_zone))))
    return ", ".join(told)


def _round(one: OwnRound) -> Iterator[str]:
    """Describe a round: ``Round 2, table 4: 32–12``; partners and opponents; the hands, game by game."""
    number = gettext("Round %(number)s") % {"number": one.number}
    if one.bye is not None:
        yield f"{number}, {bye_in_past(one.bye)}"
        return
    assert one.own is not None, "who is at a table has a side of it"
    assert one.other is not None, "and the others, the other one"
    head = f"{number}, " + gettext("table %(table)s") % {"table": one.table}
    result = _result(one, one.own, one.other)
    yield gettext("%(round)s: %(result)s") % {"round": head, "result": result} if result else head
    people = [gettext("with %(names)s") % {"names": one.partners}] if one.partners else []
    yield ", ".join([*people, gettext("against %(names)s") % {"names": one.other.names}])
    if not one.is_forfeit:
        yield from (" · ".join(_hands(game, one.own.colour)) for game in one.games)


def _result(one: OwnRound, own: TableSide, other: TableSide) -> str:
    """Describe the result: ``32–12``, ``won by forfeit``; "" while there is none."""
    if one.is_kept_back:
        return pgettext("result", "hidden")
    if one.is_forfeit:
        return gettext("won by forfeit") if own.has_won else gettext("lost by forfeit")
    return "" if own.points is None else f"{own.points}–{other.points}"


def _hands(game: GameHands, colour: str) -> Iterator[str]:
    """Describe the hands of a game, ``us: Mulot made 7–0``, without those that do not count."""
    for hand in game.hands:
        if hand.counts and hand.points is not None:
            own, theirs = hand.points if colour == "blue" else reversed(hand.points)
            yield f"{_describe_hand(hand, colour)} {own}–{theirs}"


def _describe_hand(hand: HandView, colour: str) -> str:
    if not isinstance(hand.record, PlayedHand):
        return record_name(hand.record.kind)
    said = f"{contract_name(hand.record.contract)} {outcome(hand.record)}"
    who = pgettext("side", "us") if hand.bidder == colour else pgettext("side", "them")
    return gettext("%(who)s: %(said)s") % {"who": who, "said": said}
