"""The preparation between the auction and the first lead: active seats, the leader, and exchanged cards.

=========  ==============================  =========================================================
document   section                         here
=========  ==============================  =========================================================
P          the play (Canada)               kitty, partner's card, discards, trump named after them
P          Gros Mulot                      ``Contract.open_after``: laid open after the first trick
P, G       Charlemagne alone (Maine)       a card from the partner, and the opponents' own exchange
J          Charlemagne                     with or without a card, against one opponent
J          Variante avec Jokers            the réserve is a right: modes with and without it (D4)
RULES §1   who leads                       ``setup``
RULES D12  ways of playing                 ``WAYS``
=========  ==============================  =========================================================
"""

from collections.abc import Iterable
from dataclasses import dataclass

from errors import Refusal

from .auction import AuctionOutcome
from .cards import Card, CardOrder, order_with, order_without
from .contracts import RESERVE, Contract, TrumpRule
from .dealing import Dealt, Hand, check_seat, round_from
from .play import Play
from .rulesets import Leader, Ruleset
from .seats import Seat, Suit, seat_after, side_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The meaning of a mode (D12). ``exchanges`` says that a lone defender gets a card from the other
    opponent, who sits out. A contract that is always played alone keeps the partner out of any mode."""

    takes_kitty: bool = False
    partner_plays: bool = False
    partner_card: int = 0
    opponents: int = 2
    exchanges: bool = False


WAYS = {
    "kitty": Way(takes_kitty=True, partner_plays=True),
    "alone": Way(),
    "kitty_and_card": Way(takes_kitty=True, partner_card=1),
    "card": Way(partner_card=1),
    "partner": Way(partner_plays=True),
    "card_vs_2": Way(partner_card=1),
    "card_vs_1": Way(partner_card=1, opponents=1, exchanges=True),
    "no_card_vs_1": Way(opponents=1),
    "two_player": Way(opponents=1),
}
"""The way of playing by mode; a mode that begins with ``reserve+`` takes the réserve as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The setup of a contract for its declarer: the active seats, the leader, and how many cards move.

    ``kitty``, ``partner_card`` and ``opponent_card`` are cards taken up; ``discards`` those that the declarer
    lays down again; ``open_after`` the tricks after which the declarer's hand is open, None: never.
    """

    active: tuple[Seat, ...]
    leader: Seat
    kitty: int
    partner_card: int
    discards: int
    opponent_card: int
    open_after: int | None


def setup(
    ruleset: Ruleset, contract: Contract, *, declarer: Seat, mode: str, defender: Seat | None = None
) -> Setup:
    """Return the setup of a contract. ``defender`` matters only if one of two opponents plays.

    Refuses: no_such_seat, no_such_mode, defender_required, defender_not_opponent.
    """
    check_seat(ruleset, declarer, field="declarer")
    if mode not in contract.modes:
        raise Refusal("no_such_mode", field="mode", contract=contract.key, modes=contract.modes)
    way = WAYS[mode.removeprefix(RESERVE)]
    kitty = ruleset.kitty if way.takes_kitty or mode.startswith(RESERVE) else 0
    leads_left = contract.number is not None and ruleset.number_bid_leader is Leader.LEFT_OF_DECLARER
    return Setup(
        active=_active(ruleset, contract, way, declarer=declarer, defender=defender),
        leader=seat_after(declarer, seats=ruleset.seats) if leads_left else declarer,
        kitty=kitty,
        partner_card=way.partner_card,
        discards=kitty + way.partner_card,
        opponent_card=1 if way.exchanges else 0,
        open_after=contract.open_after,
    )


def _active(
    ruleset: Ruleset, contract: Contract, way: Way, *, declarer: Seat, defender: Seat | None
) -> tuple[Seat, ...]:
    others = [seat for seat in round_from(declarer, seats=ruleset.seats) if seat != declarer]
    opponents = [seat for seat in others if side_of(seat) is not side_of(declarer)]
    partners = [seat for seat in others if side_of(seat) is side_of(declarer)]
    if way.opponents < len(opponents):
        if defender is None:
            raise Refusal("defender_required", field="defender", opponents=opponents)
        if defender not in opponents:
            raise Refusal("defender_not_opponent", field="defender", opponents=opponents)
        opponents = [defender]
    plays_along = partners if way.partner_plays and not contract.is_alone else []
    return tuple(sorted([declarer, *opponents, *plays_along]))


def card_order(ruleset: Ruleset, contract: Contract, trump: Suit | None) -> CardOrder:
    """Return the order of the cards in this contract. Refuses: trump_required, trump_not_allowed."""
    if contract.trump is TrumpRule.NAMED:
        if trump is None:
            raise Refusal("trump_required", field="trump", contract=contract.key)
        return order_with(ruleset.trump_order, trump)
    if trump is not None:
        raise Refusal("trump_not_allowed", field="trump", contract=contract.key)
    return order_without(ruleset.trump_order, must_trump=contract.trump is TrumpRule.FORCED_JOKERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """The choices before the first lead: the declarer's mode, discards, and trump if the bid did not name it;
    the card that the partner gives; and the opponents' choice of who plays, with their exchange."""

    mode: str
    trump: Suit | None = None
    partner_card: Card | None = None
    discards: Hand = ()
    defender: Seat | None = None
    opponent_card: Card | None = None
    opponent_discard: Card | None = None


def prepare(ruleset: Ruleset, dealt: Dealt, outcome: AuctionOutcome, choices: Preparation) -> Play:
    """Return the play, ready for its first card: eight cards to each active seat.

    Refuses: what ``setup`` and ``card_order`` refuse, trump_already_named, card_required, card_not_allowed,
    card_not_held, wrong_number_of_discards.
    """
    contract, declarer = outcome.contract, outcome.declarer
    ways = setup(ruleset, contract, declarer=declarer, mode=choices.mode, defender=choices.defender)
    if outcome.trump is not None and choices.trump not in (None, outcome.trump):
        raise Refusal("trump_already_named", field="trump", trump=outcome.trump)
    trump = outcome.trump or choices.trump
    hands = dict(enumerate(dealt.hands))
    given = _take_card(
        hands.get((declarer + 2) % 4, ()), choices.partner_card, ways.partner_card, "partner_card"
    )
    hand = (*hands[declarer], *dealt.kitty[: ways.kitty], *given)
    if len(choices.discards) != ways.discards:
        raise Refusal("wrong_number_of_discards", field="discards", discards=ways.discards)
    hands[declarer] = remove_cards(hand, choices.discards, field="discards")
    if ways.opponent_card and choices.defender is not None:
        hands[choices.defender] = _exchange(hands, choices.defender, choices)
    elif choices.opponent_card or choices.opponent_discard:
        raise Refusal("card_not_allowed", field="opponent_card", contract=contract.key, mode=choices.mode)
    return Play(
        contract=contract,
        declarer=declarer,
        order=card_order(ruleset, contract, trump),
        active=ways.active,
        first_leader=ways.leader,
        hands=tuple(hands[seat] if seat in ways.active else () for seat in range(ruleset.seats)),
    )


def _take_card(held: Hand, card: Card | None, count: int, field: str) -> Hand:
    """Return the one card that a partner hands over, or none."""
    if not count:
        if card is not None:
            raise Refusal("card_not_allowed", field=field)
        return ()
    if card is None:
        raise Refusal("card_required", field=field)
    remove_cards(held, (card,), field=field)
    return (card,)


def _exchange(hands: dict[int, Hand], defender: Seat, choices: Preparation) -> Hand:
    """Return a lone defender's hand after taking the other opponent's card and discarding one (P, G)."""
    given = _take_card(hands[(defender + 2) % 4], choices.opponent_card, 1, "opponent_card")
    hand = (*hands[defender], *given)
    return remove_cards(
        hand, _take_card(hand, choices.opponent_discard, 1, "opponent_discard"), field="opponent_discard"
    )


def remove_cards(hand: Hand, cards: Iterable[Card], *, field: str) -> Hand:
    """Return the hand without these cards. Refuses: card_not_held."""
    left = list(hand)
    for card in cards:
        if card not in left:
            raise Refusal("card_not_held", field=field, card=card)
        left.remove(card)
    return tuple(left)
