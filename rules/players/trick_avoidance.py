"""Card play when the declarer must not take a trick: the Mulots and the Petite, from both sides."""

from rules.cards import Card

from .memory import Moment


def choose_avoiding_card(moment: Moment) -> Card:
    """Choose the card of the declarer, who wants no trick, or of an opponent, who wants to leave one to the
    declarer."""
    if len(moment.legal) == 1:
        return moment.legal[0]
    if not moment.play.trick:
        return _choose_lead(moment)
    return _choose_duck(moment) if moment.is_declaring else _choose_under_declarer(moment)


def _choose_lead(moment: Moment) -> Card:
    """Choose a lead that another player must take: low, of a suit that is still out. An opponent leads a suit
    that the declarer can follow, and, once the hand lies open, a card that the declarer cannot stay under."""
    return max(
        moment.legal,
        key=lambda card: (
            moment.is_declaring or _is_above_open_hand(moment, card),
            moment.is_declaring or moment.can_hold(moment.play.declarer, moment.order.suits[card]),
            moment.count_higher_unseen(card) > 0,
            -moment.count_lower_unseen(card),
            moment.count_higher_unseen(card),
        ),
    )


def _is_above_open_hand(moment: Moment, card: Card) -> bool:
    suits, strengths = moment.order.suits, moment.order.strengths
    open_hand = moment.play.hands[moment.play.declarer]
    followers = [strengths[held] for held in open_hand if suits[held] == suits[card]]
    return bool(followers) and min(followers) > strengths[card]


def _choose_duck(moment: Moment) -> Card:
    """Choose the highest card that stays under; if none does, a low one while others may still beat it."""
    under = _list_losing_cards(moment)
    if under:
        return max(under, key=lambda card: _get_burden(moment, card))
    if moment.remaining_seats:
        return min(moment.legal, key=lambda card: moment.order.strengths[card])
    return max(moment.legal, key=lambda card: moment.order.strengths[card])


def _choose_under_declarer(moment: Moment) -> Card:
    """Play low before the declarer; after the declarer, below a winning card of theirs, else as high as
    possible."""
    declarer = moment.play.declarer
    under = _list_losing_cards(moment)
    if declarer in moment.remaining_seats:
        follows = moment.order.suits[moment.legal[0]] == moment.order.suits[moment.play.trick[0][1]]
        choose = min if follows else max
        return choose(moment.legal, key=lambda card: _get_burden(moment, card))
    if moment.best[0] == declarer and under:
        return max(under, key=lambda card: _get_burden(moment, card))
    return max(moment.legal, key=lambda card: _get_burden(moment, card))


def _list_losing_cards(moment: Moment) -> list[Card]:
    """Return the cards that do not take the trick."""
    best = moment.best[1]
    return [card for card in moment.legal if not moment.beats(card, best)]


def _get_burden(moment: Moment, card: Card) -> tuple[int, int]:
    """Return how much a dodging player wants to lose a card: by the lower ones that are still out."""
    return moment.count_lower_unseen(card), moment.order.strengths[card]
