"""Card play when tricks are wanted: number bids, the Grosse and the Charlemagnes, from both sides."""

from rules.cards import Card
from rules.contracts import TRICKS
from rules.dealing import Hand
from rules.seats import get_side

from .memory import Moment


def choose_taking_card(moment: Moment) -> Card:
    """Choose the card of a player who wants tricks."""
    if len(moment.legal) == 1:
        return moment.legal[0]
    return _choose_follow(moment) if moment.play.trick else _choose_lead(moment)


def _choose_lead(moment: Moment) -> Card:
    """Lead trumps while opponents may hold some; then masters, of the suit that is least likely to be
    ruffed."""
    trumps, others = _split_trumps(moment)
    master_trumps = [card for card in trumps if not moment.count_higher_unseen(card)]
    draws = trumps and moment.is_declaring and _can_opponents_hold_trumps(moment)
    if draws and (master_trumps or _can_lose_trump(moment, trumps, others)):
        return master_trumps[0] if master_trumps else trumps[-1]
    masters = [card for card in others if not moment.count_higher_unseen(card)]
    if masters:
        return max(masters, key=moment.count_lower_unseen)
    if master_trumps and not others:
        return master_trumps[0]
    return _choose_discard(moment)


def _can_lose_trump(moment: Moment, trumps: Hand, others: Hand) -> bool:
    """Return whether to lead a low trump to draw higher ones: for the declarer from a long suit, for the
    partner in any case; never if every trick is needed."""
    needs_all = moment.play.contract.least == TRICKS
    return not needs_all and (moment.seat != moment.play.declarer or len(trumps) > len(others))


def _choose_follow(moment: Moment) -> Card:
    winner, best = moment.best
    taking = [card for card in moment.legal if moment.beats(card, best)]
    next_opponents = [seat for seat in moment.remaining_seats if seat in moment.opponents]
    is_ours = get_side(winner) is get_side(moment.seat)
    if not taking or (is_ours and not (next_opponents and moment.count_higher_unseen(best))):
        return _choose_discard(moment)
    if not next_opponents:
        return _find_lowest(moment, taking)
    sure = [card for card in taking if not moment.count_higher_unseen(card)]
    if sure:
        return _find_lowest(moment, sure)
    if _is_ruff(moment, taking):
        return _find_lowest(moment, taking)
    if len(moment.play.trick) == 1 and len(moment.play.active) > 2:  # second hand low
        return _choose_discard(moment)
    return max(taking, key=lambda card: moment.order.strengths[card])  # third hand high


def _is_ruff(moment: Moment, taking: list[Card]) -> bool:
    led_suit = moment.order.suits[moment.play.trick[0][1]]
    return led_suit != moment.order.trumps and moment.is_trump(taking[0])


def _choose_discard(moment: Moment) -> Card:
    """Choose the least useful card: no trump, no master, low, and from a short suit."""
    suits, strengths = moment.order.suits, moment.order.strengths
    return min(
        moment.legal,
        key=lambda card: (
            moment.is_trump(card),
            not moment.count_higher_unseen(card),
            strengths[card],
            sum(suits[other] == suits[card] for other in moment.hand),
        ),
    )


def _find_lowest(moment: Moment, cards: list[Card]) -> Card:
    return min(cards, key=lambda card: moment.order.strengths[card])


def _split_trumps(moment: Moment) -> tuple[Hand, Hand]:
    """Return the trumps and the other cards of the hand, each high to low."""
    cards = sorted(moment.hand, key=lambda card: moment.order.strengths[card], reverse=True)
    trumps = tuple(card for card in cards if moment.is_trump(card))
    return trumps, tuple(card for card in cards if not moment.is_trump(card))


def _can_opponents_hold_trumps(moment: Moment) -> bool:
    return any(moment.can_hold(seat, moment.order.trumps) for seat in moment.opponents)
