"""A player's results at an event as a text to share: ranks, figures, and each hand."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext, pgettext

from clubs.date_formats import days_and_year_in_words, hour_in_words
from clubs.game_words import contract_name, outcome, record_name
from rules import PlayedHand
from tournaments.models import Event
from tournaments.public.presenters.games import GameHands, HandView
from tournaments.public.presenters.player_page import PlayerCharlemagne, PlayerPage, PlayerRound
from tournaments.rounds.bye_labels import bye_in_past
from tournaments.rounds.presenters.rounds import TableSide


def format_player_card(page: PlayerPage, event: Event, address: str) -> str:
    """Write ``Jeannine R. – Tuesday night``, then paragraphs with what the player's page shows.

    So nothing that is hidden is in it.
    """
    heading_lines = [
        f"{page.name} – {event.name}",
        f"{event.club.name}, {days_and_year_in_words(event.days)}",
    ]
    rounds = ["\n".join(_describe_round(one)) for one in reversed(page.rounds)]
    link_text = gettext("All results: %(address)s") % {"address": address}
    paragraphs = ["\n".join(heading_lines), "\n".join(_list_figures(page, event)), *rounds, link_text]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _list_figures(page: PlayerPage, event: Event) -> Iterator[str]:
    totals = page.totals
    for place in page.places:
        rank = gettext("Rank %(rank)s of %(total)s") % {"rank": place.row.rank, "total": place.total}
        yield f"{rank}, {place.section}" if place.section else rank
    if totals.matches:
        template = gettext("Matches won: %(won)s of %(number)s")
        points = gettext("%(own)s for, %(theirs)s against") % {
            "own": totals.points_for,
            "theirs": totals.points_against,
        }
        yield template % {"won": totals.won, "number": totals.matches} + f" ({points})"
    if totals.contracts:
        params = {"made": totals.made, "number": totals.contracts}
        yield gettext("Contracts made: %(made)s of %(number)s") % params
    yield from (_describe_charlemagne(one, event) for one in page.charlemagnes)


def _describe_charlemagne(charlemagne: PlayerCharlemagne, event: Event) -> str:
    """Describe a Charlemagne: ``Charlemagne, round 2, 9:14 p.m.``"""
    parts = [contract_name(charlemagne.contract), gettext("round %(number)s") % {"number": charlemagne.round}]
    if charlemagne.at is not None:
        parts.append(hour_in_words(timezone.localtime(charlemagne.at, ZoneInfo(event.club.time_zone))))
    return ", ".join(parts)


def _describe_round(own_round: PlayerRound) -> Iterator[str]:
    """Describe a round: ``Round 2, table 4: 32–12``; partners and opponents; the hands, game by game."""
    number = gettext("Round %(number)s") % {"number": own_round.number}
    if own_round.bye is not None:
        yield f"{number}, {bye_in_past(own_round.bye)}"
        return
    assert own_round.own is not None, "who is at a table has a side of it"
    assert own_round.other is not None, "and the others, the other one"
    head = f"{number}, " + gettext("table %(table)s") % {"table": own_round.table}
    result = _format_result(own_round, own_round.own, own_round.other)
    yield gettext("%(round)s: %(result)s") % {"round": head, "result": result} if result else head
    people = [gettext("with %(names)s") % {"names": own_round.partners}] if own_round.partners else []
    yield ", ".join([*people, gettext("against %(names)s") % {"names": own_round.other.names}])
    if not own_round.is_forfeit:
        yield from (" · ".join(_describe_hands(game, own_round.own.colour)) for game in own_round.games)


def _format_result(own_round: PlayerRound, own_side: TableSide, other: TableSide) -> str:
    """Describe the result: ``32–12``, ``won by forfeit``; "" while there is none."""
    if own_round.is_kept_back:
        return pgettext("result", "hidden")
    if own_round.is_forfeit:
        return gettext("won by forfeit") if own_side.has_won else gettext("lost by forfeit")
    return "" if own_side.points is None else f"{own_side.points}–{other.points}"


def _describe_hands(game: GameHands, colour: str) -> Iterator[str]:
    """Describe the hands of a game, ``us: Mulot made 7–0``, without those that do not count."""
    for hand in game.hands:
        if hand.counts and hand.points is not None:
            own, theirs = hand.points if colour == "blue" else reversed(hand.points)
            yield f"{_describe_hand(hand, colour)} {own}–{theirs}"


def _describe_hand(hand: HandView, colour: str) -> str:
    if not isinstance(hand.record, PlayedHand):
        return record_name(hand.record.kind)
    text = f"{contract_name(hand.record.contract)} {outcome(hand.record)}"
    side_text = pgettext("side", "us") if hand.bidder == colour else pgettext("side", "them")
    return gettext("%(who)s: %(said)s") % {"who": side_text, "said": text}
