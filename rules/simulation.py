"""Simulated deals, games and matches: machine players, and chance from a seed.

A seed and its players give one match, identical on every machine: the deal is that of ``shuffle_pack``, and
each decision gets a seed of its own.

=========  ============================  ===========================================================
document   section                       here
=========  ============================  ===========================================================
P, V, G    deal, bidding, play           ``simulate_course``
J          Variante à deux joueurs       ``_deal_hands``: two people draw
P, G, J    Charlemagne alone             ``_choose_mode``: the declarer's, then the opponents'
RULES §4   end of the game, the match    ``simulate_match``, by ``folds``
=========  ============================  ===========================================================
"""

from collections.abc import Sequence
from dataclasses import replace

from errors import Refusal

from .auction import Auction
from .cards import Card
from .contracts import RESERVE, TrumpRule
from .courses import HandCourse
from .dealing import DealtCards, Hand, PackDraw, choose_first_dealer, deal, list_seats_from, shuffle_pack
from .folds import MatchFormat, MatchState
from .play import Play
from .players import Player, SeatView, hide_unseen_hands
from .preparation import PLAY_MODES, PlayMode, Preparation, build_setup, prepare_play, remove_cards
from .records import build_record
from .rulesets import Ruleset
from .seats import Seat, get_side

Players = Sequence[Player]
"""The player at each seat, from seat 0."""


def simulate_match(
    ruleset: Ruleset, match_format: MatchFormat, players: tuple[Player, Player], *, seed: str
) -> MatchState:
    """Simulate a match between two sides, each record with its course. One game: a format of
    ``games_to_win=1``.

    The players of a side play alike. If the same dealer deals again after a pass-out, players who never bid
    never end.

    Refuses: no_match_length (minutes alone: there is no clock).
    """
    if match_format.games_to_win is None and match_format.hands is None:
        raise Refusal("no_match_length", field="games_to_win")
    seat_players = [players[get_side(seat)] for seat in list_seats_from(Seat(0), seats=ruleset.seats)]
    match = MatchState(ruleset=ruleset, match_format=match_format, dealer=choose_first_dealer(ruleset, seed=seed))
    while not match.is_over:
        number = len(match.lines) + 1
        course = simulate_course(ruleset, seat_players, dealer=match.dealer, seed=f"{seed}/{number}")
        match = match.add_record(number, build_record(ruleset, course))
    return match


def simulate_course(ruleset: Ruleset, players: Players, *, dealer: Seat, seed: str) -> HandCourse:
    """Simulate one hand from the shuffle to the last card, or to the last pass."""
    dealt, views = _deal_hands(ruleset, players, dealer=dealer, seed=seed)
    auction = Auction(ruleset=ruleset, dealer=dealer)
    while not auction.is_over:
        seat = auction.turn
        view = replace(views[seat], auction=auction)
        auction = auction.add_call(seat, players[seat].choose_call(view, seed=f"{seed}/call/{seat}"))
    outcome = auction.outcome
    if outcome is None:
        return HandCourse(dealt=dealt, calls=auction.calls)
    views = [replace(view, auction=auction) for view in views]
    preparation = _choose_preparation(players, views, dealt.kitty, seed=seed)
    play = prepare_play(ruleset, dealt, outcome, preparation)
    views = [_prepare_view(view, play, preparation) for view in views]
    plays = _play_cards(players, views, play, seed=seed)
    return HandCourse(dealt=dealt, calls=auction.calls, preparation=preparation, plays=plays)


def _deal_hands(ruleset: Ruleset, players: Players, *, dealer: Seat, seed: str) -> tuple[DealtCards, list[SeatView]]:
    """Return the hands, and what each seat sees of them."""
    pack = shuffle_pack(ruleset, seed=seed)
    aside: list[Hand] = [()] * ruleset.seats
    if ruleset.batch:
        dealt = deal(ruleset, pack, dealer=dealer)
    else:
        draw = PackDraw.begin(ruleset, pack, dealer=dealer)
        while not draw.is_over:
            seat, visible_cards = draw.turn, draw.visible_cards
            keeps_first = players[seat].decide_keep_first(
                ruleset, draw.hands[seat], visible_cards, seed=f"{seed}/draw/{draw.decisions}"
            )
            # One card is seen and may be laid down; of the two last ones, either may.
            aside[seat] += visible_cards[1:] if keeps_first else visible_cards[:1]
            draw = draw.add_decision(keeps_first=keeps_first)
        dealt = draw.deal()
    auction = Auction(ruleset=ruleset, dealer=dealer)
    return dealt, [
        SeatView(auction=auction, seat=seat, hand=dealt.hands[seat], aside=aside[seat])
        for seat in list_seats_from(Seat(0), seats=ruleset.seats)
    ]


def _choose_preparation(players: Players, views: Sequence[SeatView], kitty: Hand, *, seed: str) -> Preparation:
    """Return the choices of the declarer, of the partner who gives a card, and of the opponents."""
    outcome = views[0].outcome
    declarer, contract = outcome.declarer, outcome.contract
    mode, defender = _choose_mode(players, views, seed=seed)
    views = [replace(view, mode=mode) for view in views]
    hand_setup = build_setup(views[0].ruleset, contract, declarer=declarer, mode=mode, defender=defender)

    card = _choose_gift(players, views, receiver=declarer, seed=seed) if hand_setup.partner_card else None
    view = _add_cards(views[declarer], *kitty[: hand_setup.kitty], card)
    discards = (
        players[declarer].choose_discards(view, hand_setup.discards, seed=f"{seed}/discards")
        if hand_setup.discards
        else ()
    )
    trump = None
    if outcome.trump is None and contract.trump is TrumpRule.NAMED:
        view = replace(view, hand=remove_cards(view.hand, discards, field="discards"), aside=view.aside + discards)
        trump = players[declarer].choose_trump(view, seed=f"{seed}/trump")

    opponent_card = opponent_discard = None
    if defender is not None and hand_setup.opponent_card:
        opponent_card = _choose_gift(players, views, receiver=defender, seed=seed)
        view = _add_cards(views[defender], opponent_card)
        (opponent_discard,) = players[defender].choose_discards(view, 1, seed=f"{seed}/opponent_discard")
    return Preparation(
        mode=mode,
        trump=trump,
        partner_card=card,
        discards=discards,
        defender=defender,
        opponent_card=opponent_card,
        opponent_discard=opponent_discard,
    )


def _choose_mode(players: Players, views: Sequence[SeatView], *, seed: str) -> tuple[str, Seat | None]:
    """Return the mode of the contract, and the opponent that plays alone, if one does.

    The declarer chooses, except for the opponents' own exchange: that is their answer. Each of them, from the
    declarer's left, may offer to play alone; if one must, it is the last if nobody offers.
    """
    declarer, modes = views[0].outcome.declarer, views[0].outcome.contract.modes
    answers = {mode: answer for mode in modes if (answer := _get_exchange_mode(mode, modes)) is not None}
    choices = tuple(mode for mode in modes if mode not in answers.values())
    mode = players[declarer].choose_mode(views[declarer], choices, seed=f"{seed}/mode")
    opponents = [
        seat for seat in list_seats_from(declarer, seats=len(views)) if get_side(seat) is not get_side(declarer)
    ]
    is_defender_needed = _get_play_mode(mode).opponents < len(opponents)
    if is_defender_needed or mode in answers:
        for seat in opponents:
            view = replace(views[seat], mode=mode)
            if players[seat].decide_defend_alone(view, seed=f"{seed}/defends/{seat}"):
                return answers.get(mode, mode), seat
    return mode, opponents[-1] if is_defender_needed else None


def _get_exchange_mode(mode: str, modes: Sequence[str]) -> str | None:
    """Return the mode that this one becomes when the opponents exchange a card and one of them plays."""
    exchange_mode = replace(_get_play_mode(mode), opponents=1, exchanges=True)
    takes_reserve = mode.startswith(RESERVE)
    return next(
        (
            other
            for other in modes
            if other != mode and _get_play_mode(other) == exchange_mode and other.startswith(RESERVE) is takes_reserve
        ),
        None,
    )


def _get_play_mode(mode: str) -> PlayMode:
    return PLAY_MODES[mode.removeprefix(RESERVE)]


def _choose_gift(players: Players, views: Sequence[SeatView], *, receiver: Seat, seed: str) -> Card:
    """Return the card that the partner of this seat, who sits out, hands over."""
    partner = Seat((receiver + 2) % len(views))
    return players[partner].choose_gift(views[partner], seed=f"{seed}/gives/{partner}")


def _add_cards(view: SeatView, *cards: Card | None) -> SeatView:
    return replace(view, hand=(*view.hand, *(card for card in cards if card is not None)))


def _prepare_view(view: SeatView, play: Play, preparation: Preparation) -> SeatView:
    """Return the view of a seat that is about to play, or sits out: the cards that it laid down are aside."""
    discarded: Hand = ()
    if view.seat == play.declarer:
        discarded = preparation.discards
    elif view.seat == preparation.defender and preparation.opponent_discard is not None:
        discarded = (preparation.opponent_discard,)
    return replace(view, mode=preparation.mode, hand=play.hands[view.seat], aside=(*view.aside, *discarded))


def _play_cards(players: Players, views: Sequence[SeatView], play: Play, *, seed: str) -> tuple[Card, ...]:
    """Return the cards in the order in which they are played."""
    plays: list[Card] = []
    while not play.is_over:
        seat = play.turn
        plays.append(
            players[seat].choose_card(views[seat], hide_unseen_hands(play, seat), seed=f"{seed}/play/{len(plays)}")
        )
        play = play.add_card(seat, plays[-1])
    return tuple(plays)
