"""The preparation between the auction and the first lead: active seats, the leader, and exchanged cards.

=========  ==============================  =========================================================
document   section                         here
=========  ==============================  =========================================================
P          the play (Canada)               kitty, partner's card, discards, trump named after them
P          Gros Mulot                      ``Contract.open_after``: laid open after the first trick
P, G       Charlemagne alone (Maine)       a card from the partner, and the opponents' own exchange
J          Charlemagne                     with or without a card, against one opponent
J          Variante avec Jokers            the réserve is a right: modes with and without it (D4)
RULES §1   who leads                       ``build_setup``
RULES D12  ways of playing                 ``PLAY_MODES``
=========  ==============================  =========================================================
"""

from collections.abc import Iterable
from dataclasses import dataclass

from errors import Refusal

from .auction import AuctionOutcome
from .cards import Card, CardOrder, get_no_trump_order, get_trump_order
from .contracts import RESERVE, Contract, TrumpRule
from .dealing import DealtCards, Hand, check_seat, list_seats_from
from .play import Play
from .rulesets import Leader, Ruleset
from .seats import Seat, Suit, get_next_seat, get_side


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayMode:
    """The meaning of a mode (D12). ``exchanges`` says that a lone defender gets a card from the other
    opponent, who sits out. A contract that is always played alone keeps the partner out of any mode."""

    takes_kitty: bool = False
    partner_plays: bool = False
    partner_card: int = 0
    opponents: int = 2
    exchanges: bool = False


PLAY_MODES = {
    "kitty": PlayMode(takes_kitty=True, partner_plays=True),
    "alone": PlayMode(),
    "kitty_and_card": PlayMode(takes_kitty=True, partner_card=1),
    "card": PlayMode(partner_card=1),
    "partner": PlayMode(partner_plays=True),
    "card_vs_2": PlayMode(partner_card=1),
    "card_vs_1": PlayMode(partner_card=1, opponents=1, exchanges=True),
    "no_card_vs_1": PlayMode(opponents=1),
    "two_player": PlayMode(opponents=1),
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


def build_setup(
    ruleset: Ruleset, contract: Contract, *, declarer: Seat, mode: str, defender: Seat | None = None
) -> Setup:
    """Return the setup of a contract. ``defender`` matters only if one of two opponents plays.

    Refuses: no_such_seat, no_such_mode, defender_required, defender_not_opponent.
    """
    check_seat(ruleset, declarer, field="declarer")
    if mode not in contract.modes:
        raise Refusal("no_such_mode", field="mode", contract=contract.key, modes=contract.modes)
    play_mode = PLAY_MODES[mode.removeprefix(RESERVE)]
    kitty = ruleset.kitty if play_mode.takes_kitty or mode.startswith(RESERVE) else 0
    is_left_leading = contract.number is not None and ruleset.number_bid_leader is Leader.LEFT_OF_DECLARER
    return Setup(
        active=_list_active_seats(ruleset, contract, play_mode, declarer=declarer, defender=defender),
        leader=get_next_seat(declarer, seats=ruleset.seats) if is_left_leading else declarer,
        kitty=kitty,
        partner_card=play_mode.partner_card,
        discards=kitty + play_mode.partner_card,
        opponent_card=1 if play_mode.exchanges else 0,
        open_after=contract.open_after,
    )


def _list_active_seats(
    ruleset: Ruleset, contract: Contract, play_mode: PlayMode, *, declarer: Seat, defender: Seat | None
) -> tuple[Seat, ...]:
    others = [seat for seat in list_seats_from(declarer, seats=ruleset.seats) if seat != declarer]
    opponents = [seat for seat in others if get_side(seat) is not get_side(declarer)]
    partners = [seat for seat in others if get_side(seat) is get_side(declarer)]
    if play_mode.opponents < len(opponents):
        if defender is None:
            raise Refusal("defender_required", field="defender", opponents=opponents)
        if defender not in opponents:
            raise Refusal("defender_not_opponent", field="defender", opponents=opponents)
        opponents = [defender]
    plays_along = partners if play_mode.partner_plays and not contract.is_alone else []
    return tuple(sorted([declarer, *opponents, *plays_along]))


def get_card_order(ruleset: Ruleset, contract: Contract, trump: Suit | None) -> CardOrder:
    """Return the order of the cards in this contract. Refuses: trump_required, trump_not_allowed."""
    if contract.trump is TrumpRule.NAMED:
        if trump is None:
            raise Refusal("trump_required", field="trump", contract=contract.key)
        return get_trump_order(ruleset.trump_order, trump)
    if trump is not None:
        raise Refusal("trump_not_allowed", field="trump", contract=contract.key)
    return get_no_trump_order(ruleset.trump_order, must_trump=contract.trump is TrumpRule.FORCED_JOKERS)


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


def prepare_play(ruleset: Ruleset, dealt: DealtCards, outcome: AuctionOutcome, choices: Preparation) -> Play:
    """Return the play, ready for its first card: eight cards to each active seat.

    Refuses: what ``build_setup`` and ``get_card_order`` refuse, trump_already_named, card_required, card_not_allowed,
    card_not_held, wrong_number_of_discards.
    """
    contract, declarer = outcome.contract, outcome.declarer
    hand_setup = build_setup(ruleset, contract, declarer=declarer, mode=choices.mode, defender=choices.defender)
    if outcome.trump is not None and choices.trump not in (None, outcome.trump):
        raise Refusal("trump_already_named", field="trump", trump=outcome.trump)
    trump = outcome.trump or choices.trump
    hands = dict(enumerate(dealt.hands))
    received = _take_card(
        hands.get((declarer + 2) % 4, ()), choices.partner_card, hand_setup.partner_card, "partner_card"
    )
    hand = (*hands[declarer], *dealt.kitty[: hand_setup.kitty], *received)
    if len(choices.discards) != hand_setup.discards:
        raise Refusal("wrong_number_of_discards", field="discards", discards=hand_setup.discards)
    hands[declarer] = remove_cards(hand, choices.discards, field="discards")
    if hand_setup.opponent_card and choices.defender is not None:
        hands[choices.defender] = _exchange_cards(hands, choices.defender, choices)
    elif choices.opponent_card or choices.opponent_discard:
        raise Refusal("card_not_allowed", field="opponent_card", contract=contract.key, mode=choices.mode)
    return Play(
        contract=contract,
        declarer=declarer,
        order=get_card_order(ruleset, contract, trump),
        active=hand_setup.active,
        first_leader=hand_setup.leader,
        hands=tuple(hands[seat] if seat in hand_setup.active else () for seat in range(ruleset.seats)),
    )


def _take_card(hand: Hand, card: Card | None, count: int, field: str) -> Hand:
    """Return the one card that a partner hands over, or none."""
    if not count:
        if card is not None:
            raise Refusal("card_not_allowed", field=field)
        return ()
    if card is None:
        raise Refusal("card_required", field=field)
    remove_cards(hand, (card,), field=field)
    return (card,)


def _exchange_cards(hands: dict[int, Hand], defender: Seat, choices: Preparation) -> Hand:
    """Return a lone defender's hand after taking the other opponent's card and discarding one (P, G)."""
    received = _take_card(hands[(defender + 2) % 4], choices.opponent_card, 1, "opponent_card")
    hand = (*hands[defender], *received)
    return remove_cards(
        hand, _take_card(hand, choices.opponent_discard, 1, "opponent_discard"), field="opponent_discard"
    )


def remove_cards(hand: Hand, cards: Iterable[Card], *, field: str) -> Hand:
    """Return the hand without these cards. Refuses: card_not_held."""
    remaining = list(hand)
    for card in cards:
        if card not in remaining:
            raise Refusal("card_not_held", field=field, card=card)
        remaining.remove(card)
    return tuple(remaining)
