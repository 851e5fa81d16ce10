"""Simulated players: their decisions, the cards they may see, and the advantage of a sensible player."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BAS_SAINT_LAURENT,
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    RULESETS,
    TWO_PLAYER,
    Auction,
    Card,
    Hand,
    HeuristicPlayer,
    MatchFormat,
    Play,
    PlayedHand,
    RandomPlayer,
    Ruleset,
    Seat,
    SeatView,
    Side,
    Suit,
    TrumpRule,
    apply_house_rules,
    build_auction,
    get_card_order,
    read_call,
    read_card,
    simulate_course,
    simulate_match,
)

from .sheets import ONE_GAME, property_settings

SENSIBLE = HeuristicPlayer()
SEEDS = st.integers(0, 10**9).map(str)
SYSTEMS = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


def parse_cards(text: str) -> Hand:
    return tuple(read_card(card) for card in text.split())


def build_view(ruleset: Ruleset, hand: str, *calls: str, seat: int | None = None, mode: str = "") -> SeatView:
    """Return the view of a seat after these calls; by default of the seat in turn. The last seat deals."""
    auction = build_auction(ruleset, map(read_call, calls), dealer=Seat(ruleset.seats - 1))
    return SeatView(
        auction=auction, seat=auction.turn if seat is None else Seat(seat), hand=parse_cards(hand), mode=mode
    )


def get_call(ruleset: Ruleset, hand: str, *calls: str) -> str:
    return str(SENSIBLE.choose_call(build_view(ruleset, hand, *calls), seed=""))


# Bids


@pytest.mark.parametrize(
    ("ruleset", "hand", "bid"),
    [
        (CANADIAN, "7S 9S QS 8H 10H 9D KC 8C", "pass"),
        (CANADIAN, "X2 JH KH 9H AS 8S 9D 8C", "5"),
        (CANADIAN, "X1 X2 JH JD 8H 7S 9S 8D", "7"),
        (CANADIAN, "X1 X2 JH JD 8H 9H 7S 9S", "charlemagne"),
        (CANADIAN, "7S 9S JS 7H 8H 7D 9D 8C", "gros_mulot"),
        (CANADIAN, "7S 9S QS 7H 8H 8D 10D 10C", "mulot"),
        (CANADIAN, "X1 X2 JH JD AH KH 7S 9C", "charlemagne"),
        (CANADIAN, "X1 X2 JH JD AH KH AS 9C", "gros_charlemagne"),
        (MAINE, "7S 8S QS 8H 10H 7D KC QC", "pass"),
        (MAINE, "9H JH KH 8H AS 8S 10D 8C", "6 H"),
        (MAINE, "7S 9S JS 7H 8H 7D 9D 8C", "petite"),
        (MAINE, "7S 9S QS 7H 8H 8D 10D 10C", "pass"),
        (MAINE, "7S 8S 9S 10S 7H 8H 9H QD", "5 S"),
        (MAINE, "9H JH JD AH KH QH AS 8C", "charlemagne H"),
        (MAINE, "AS KS QS JS AH KH QH AD", "grosse"),
        (TWO_PLAYER, "9H JH KH 8H AS 8S 10D 8C", "6 H"),
        (BAS_SAINT_LAURENT_JOKERS, "7S 9S QS 7H 8H 8D 10D 10C", "petite"),
        (BAS_SAINT_LAURENT_JOKERS, "X1 X2 JH JD AH KH 7S 9C", "7 H"),
        (BAS_SAINT_LAURENT_JOKERS, "X1 JH KH 8H AS 8S 10D 8C", "6 H"),
    ],
)
def test_sensible_player_bids_what_the_hand_can_expect(ruleset: Ruleset, hand: str, bid: str) -> None:
    assert get_call(ruleset, hand) == bid


def test_a_forced_dealer_bids_the_lowest_number_in_the_best_suit() -> None:
    assert get_call(MAINE, "7S 8S QS 8H 10H 7D KC QC", "pass", "pass", "3 D") == "5 S"


def test_sensible_player_passes_if_its_bid_is_not_higher() -> None:
    assert get_call(MAINE, "9H JH KH 8H AS 8S 10D 8C", "5 S") == "6 H"
    assert get_call(MAINE, "9H JH KH 8H AS 8S 10D 8C", "6 S") == "pass"


def test_counter_charlemagne_is_bid_if_allowed() -> None:
    hand = "9H JH JD AH KH QH AS 8C"
    assert get_call(BAS_SAINT_LAURENT, hand, "charlemagne S") == "charlemagne H"
    assert get_call(MAINE, hand, "charlemagne S") == "pass"


def test_house_rule_for_the_order_of_bids_changes_the_bid() -> None:
    hand = "9H JH JD AH KH QH AS 8C"
    assert get_call(apply_house_rules(MAINE, {"ladder": ["5", "6", "7"]}), hand) == "7 H"
    low_bids = apply_house_rules(BAS_SAINT_LAURENT, {"plays_low_bids": True})
    assert get_call(low_bids, "7S 8S QS 8H 10H 7D KC QC") == "3 S"


# Before the first lead


def test_two_player_draw_keeps_high_cards_and_discards_low_ones() -> None:
    assert SENSIBLE.decide_keep_first(TWO_PLAYER, (), parse_cards("AS"), seed="")
    assert not SENSIBLE.decide_keep_first(TWO_PLAYER, parse_cards("AS KH"), parse_cards("7D"), seed="")
    assert SENSIBLE.decide_keep_first(TWO_PLAYER, parse_cards("9H JH KH"), parse_cards("AH 7S"), seed="")
    assert not SENSIBLE.decide_keep_first(TWO_PLAYER, parse_cards("9H JH KH"), parse_cards("7S AH"), seed="")


def test_discards_are_low_cards_of_short_suits() -> None:
    at_kitty = build_view(CANADIAN, "X1 JH JD AH KH 8H AS 9D 8D 7C", "7", "pass", "pass", "pass", seat=0, mode="kitty")
    assert SENSIBLE.choose_discards(at_kitty, 2, seed="") == parse_cards("7C 8D")
    assert SENSIBLE.choose_trump(replace(at_kitty, hand=parse_cards("X1 JH JD AH KH 8H AS 9D")), seed="") is Suit.HEARTS


def test_discards_are_high_cards_if_no_trick_is_wanted() -> None:
    calls = ("petite", "pass", "pass", "pass")
    petite = build_view(
        BAS_SAINT_LAURENT_JOKERS, "7S 9S 7H 8H 7D 9D 10C 8C X1 AS", *calls, seat=0, mode="reserve+alone"
    )
    assert set(SENSIBLE.choose_discards(petite, 2, seed="")) == set(parse_cards("X1 AS"))


def test_declarer_takes_partner_card_and_reserve_if_allowed() -> None:
    calls = ("charlemagne H", "pass", "pass", "pass")
    declarer = build_view(BAS_SAINT_LAURENT_JOKERS, "X1 X2 JH JD AH KH AS 8S", *calls, seat=0)
    assert SENSIBLE.choose_mode(declarer, ("partner", "card_vs_2", "no_card_vs_1"), seed="") == "card_vs_2"
    assert SENSIBLE.choose_mode(declarer, ("card_vs_2", "partner", "reserve+partner"), seed="") == "reserve+partner"


def test_partner_gives_the_best_card_known_to_be_good() -> None:
    named = build_view(MAINE, "JH 7H AS KS 8S 9D 10D 7C", "charlemagne H", *["pass"] * 3, seat=2, mode="card_vs_2")
    assert SENSIBLE.choose_gift(named, seed="") == "JH"
    unnamed = build_view(
        CANADIAN, "KS 7H AS 8S 9D 10D QC 7C", "charlemagne", *["pass"] * 3, seat=2, mode="kitty_and_card"
    )
    assert SENSIBLE.choose_gift(unnamed, seed="") == "AS"


@pytest.mark.parametrize(
    ("hand", "plays_alone"),
    [
        ("9H 7S 8S 9S 7D 8D 7C 8C", True),
        ("JD AH 7S 8S 9S 7D 8D 7C", False),
        ("AS KS QS AD KD AC KC QC", False),
    ],
    ids=["the highest trump", "two trumps below two others", "no trump"],
)
def test_opponent_defends_alone_only_with_a_sure_trick(hand: str, plays_alone: bool) -> None:
    view = build_view(MAINE, hand, "charlemagne H", *["pass"] * 3, seat=1, mode="card_vs_2")
    assert SENSIBLE.decide_defend_alone(view, seed="") is plays_alone


# Played cards


def get_played_card(
    hand: str,
    trick: str = "",
    *,
    bid: str = "6",
    gone: str = "",
    declarer: int = 0,
    open_hand: str = "",
    aside: str = "",
) -> Card:
    """Return the card that a sensible player at seat 0 plays in a Canadian contract; any trump is hearts.

    ``trick`` holds the cards of the current trick so far; ``gone`` the cards of earlier tricks, each trick from
    the lowest seat on.
    """
    contract = CANADIAN.get_contract(bid)
    table = tuple(Seat(seat) for seat in range(4) if not contract.is_alone or seat != (declarer + 2) % 4)
    before = tuple(zip(table[len(table) - len(trick.split()) :], parse_cards(trick), strict=True))
    finished = [parse_cards(gone)[start : start + len(table)] for start in range(0, len(gone.split()), len(table))]
    hands = [parse_cards(hand), (), (), ()]
    hands[declarer] = hands[declarer] or parse_cards(open_hand)
    play = Play(
        contract=contract,
        declarer=Seat(declarer),
        order=get_card_order(CANADIAN, contract, Suit.HEARTS if contract.trump is TrumpRule.NAMED else None),
        active=table,
        first_leader=before[0][0] if before else Seat(0),
        hands=tuple(hands),
        tricks=tuple(tuple(zip(table, played, strict=True)) for played in finished),
        winners=(before[0][0] if before else Seat(0),) * len(finished),
        trick=before,
    )
    seen = SeatView(
        auction=Auction(ruleset=CANADIAN, dealer=Seat(3)),
        seat=Seat(0),
        hand=parse_cards(hand),
        aside=parse_cards(aside),
    )
    return SENSIBLE.choose_card(seen, play, seed="")


def get_mulot_card(hand: str, trick: str = "", *, bid: str = "mulot", **details: Any) -> Card:
    return get_played_card(hand, trick, bid=bid, **details)


@pytest.mark.parametrize(
    ("hand", "trick", "details", "card"),
    [
        pytest.param("X1 X2 KH AS 8S", "", {}, "X1", id="the declarer draws trumps with the highest"),
        pytest.param("JH AH KH 8H AS KS", "", {}, "8H", id="a long suit of trumps draws higher ones from below"),
        pytest.param("JH AH KH 8H AS KS", "", {"bid": "charlemagne"}, "AS", id="but not where every trick is needed"),
        pytest.param("KH 8H AS 8S", "", {"declarer": 2}, "8H", id="the partner of the declarer leads a trump"),
        pytest.param("X2 KH AS 8S", "", {"gone": "X1 7D JH 8D"}, "AS", id="no more trumps once the opponents show out"),
        pytest.param("JD AS 8S 7C", "", {"declarer": 1}, "AS", id="an opponent of the declarer cashes masters"),
        pytest.param("AD KD QD AS 7C", "", {"declarer": 1}, "AS", id="first where a ruff is least likely"),
        pytest.param("8H X1", "", {"declarer": 1}, "X1", id="and trumps when nothing else is left"),
        pytest.param("KS QD 7C", "", {"declarer": 1}, "7C", id="a king is no master"),
        pytest.param("KS QD 7C", "", {"declarer": 1, "gone": "8S AS 9S 10S"}, "KS", id="until the ace has gone"),
        pytest.param("KS QD 7C", "", {"declarer": 1, "aside": "AS"}, "KS", id="or was laid down by oneself"),
        pytest.param("KS QS 7S", "8S", {}, "7S", id="second hand low"),
        pytest.param("AS QS 7S", "8S", {}, "AS", id="second hand takes with a master"),
        pytest.param("KH 8H AD", "8S", {}, "8H", id="second hand ruffs low"),
        pytest.param("KS 10S 7S", "8S 9S", {}, "KS", id="third hand high"),
        pytest.param("KS 7S", "10S 8S", {}, "KS", id="third hand covers a partner who can be beaten"),
        pytest.param("KS 7S", "AS 8S", {}, "7S", id="and spares one who cannot"),
        pytest.param("AS QS 7S", "8S 9S 10S", {}, "QS", id="last hand takes as cheaply as it can"),
        pytest.param("KS QS 7S", "8S AS 10S", {}, "7S", id="nothing is wasted on the partner's trick"),
        pytest.param("KH 8H AD 7C", "8S 9S 10S", {}, "8H", id="last hand ruffs low"),
        pytest.param("AD KD 9D 8C 10C", "8S 9S 10S", {}, "8C", id="the lowest loser is thrown"),
        pytest.param("8D 9D 8C", "8S 9S 10S", {}, "8C", id="from the shorter suit"),
        pytest.param("10D QC", "8S 9S 10S", {"gone": "AD KD QD 9D"}, "QC", id="never a master, however low"),
    ],
)
def test_player_plays_to_win_tricks_in_a_number_contract(
    hand: str, trick: str, details: dict[str, Any], card: str
) -> None:
    assert get_played_card(hand, trick, **details) == card


@pytest.mark.parametrize(
    ("hand", "trick", "details", "card"),
    [
        pytest.param("7S 10S QD KC", "", {}, "7S", id="the declarer leads low"),
        pytest.param(
            "9S 10D", "", {"gone": "AS KS QS JS 10S 8S 7S 7D 8D"}, "10D", id="but not the last card of a suit"
        ),
        pytest.param("7S 10S QS KC", "JS 8S", {}, "10S", id="the declarer ducks with the highest card under"),
        pytest.param("9S JS", "7S", {}, "9S", id="goes over as low as possible, with one to come"),
        pytest.param("9S JS", "8S 7S", {}, "JS", id="and as high as possible as the last"),
        pytest.param("AD 8C 7H", "8S 7S", {}, "AD", id="throws the most dangerous card"),
        pytest.param("8D 8C", "8S 7D", {}, "8C", id="which is no longer one above a card just played"),
        pytest.param("AS 9S 7S", "", {"declarer": 1}, "7S", id="an opponent leads low"),
        pytest.param("7S 9D", "", {"declarer": 1, "gone": "9S 7D 8S"}, "9D", id="what the declarer can follow"),
        pytest.param("KS 7S", "8S", {"declarer": 1}, "7S", id="plays low before the declarer"),
        pytest.param("7C AD", "8S", {"declarer": 1}, "AD", id="or throws a high card"),
        pytest.param("AS 9S 7S", "8S 10S", {"declarer": 3}, "9S", id="stays below a declarer who wins"),
        pytest.param("AS 7S", "KS 9S", {"declarer": 3}, "AS", id="and goes high when the partner wins"),
    ],
)
def test_player_plays_to_avoid_or_force_tricks_in_mulot(
    hand: str, trick: str, details: dict[str, Any], card: str
) -> None:
    assert get_mulot_card(hand, trick, **details) == card


def test_gros_mulot_opponent_leads_a_card_the_open_hand_must_beat() -> None:
    assert get_mulot_card("9S 8C QD", declarer=1, bid="gros_mulot") == "8C"
    open_hand = "10S QS 7C 9C 10C 8D"
    assert get_mulot_card("9S 8C QD", declarer=1, bid="gros_mulot", gone="10H 9H 8H", open_hand=open_hand) == "9S"


# Legal choices and visible cards


class Watchful(RandomPlayer):
    """A random player that checks that its view shows no hidden cards."""

    def choose_card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        assert view.mode
        may_see = {view.seat} | ({play.declarer} if play.is_open else set())
        assert {seat for seat, hand in enumerate(play.hands) if hand} <= may_see
        assert set(play.hands[view.seat]) <= set(view.hand)
        assert not set(view.aside) & set(view.hand)
        return super().choose_card(view, play, seed=seed)


@SYSTEMS
@given(seed=SEEDS)
@property_settings
def test_player_sees_only_its_own_and_open_hands(ruleset: Ruleset, seed: str) -> None:
    players = [Watchful(passes=60)] * ruleset.seats
    simulate_course(ruleset, players, dealer=Seat(0), seed=seed)


@pytest.mark.long
@SYSTEMS
def test_passing_players_reach_every_contract_and_mode(
    ruleset: Ruleset,
) -> None:
    players = [RandomPlayer(passes=80)] * ruleset.seats
    ways = set()
    for deal in range(400):
        course = simulate_course(ruleset, players, dealer=Seat(0), seed=f"{ruleset.key}/{deal}")
        outcome = build_auction(ruleset, course.calls or (), dealer=Seat(0)).outcome
        if outcome is not None and course.preparation is not None:
            ways.add((outcome.contract.key, course.preparation.mode))
    assert {contract for contract, _ in ways} == set(ruleset.played_keys)
    assert {mode for _, mode in ways} == {mode for contract in ruleset.playable for mode in contract.modes}


def test_seed_determines_the_choice() -> None:
    view = build_view(MAINE, "9H JH KH 8H AS 8S 10D 8C")
    player = RandomPlayer()
    calls = [player.choose_call(view, seed=str(seed)) for seed in range(200)]
    assert calls == [player.choose_call(view, seed=str(seed)) for seed in range(200)]
    assert set(calls) == set(view.auction.list_legal_calls())


# Winners


@pytest.mark.long
@SYSTEMS
@pytest.mark.parametrize(
    "opponent", [RandomPlayer(), RandomPlayer(passes=90)], ids=["random", "random, mostly passing"]
)
def test_sensible_player_wins_nine_games_of_ten(ruleset: Ruleset, opponent: RandomPlayer) -> None:
    """The first hand of each deal is played twice, with the sides changing seats."""
    games, won = 40, 0
    for game in range(games):
        ours = Side(game % 2)
        players = (SENSIBLE, opponent) if ours is Side.A else (opponent, SENSIBLE)
        match = simulate_match(ruleset, ONE_GAME, players, seed=f"{ruleset.key}/{game // 2}")
        won += match.winner is ours
    assert won * 10 >= games * 9


@pytest.mark.slow
@SYSTEMS
def test_sensible_players_make_most_contracts_and_bid_mostly_numbers(
    ruleset: Ruleset,
) -> None:
    match = simulate_match(ruleset, MatchFormat(hands=40), (SENSIBLE, SENSIBLE), seed="evening")
    hands = [line.record for line in match.lines if isinstance(line.record, PlayedHand)]
    made = sum(hand.made for hand in hands)
    numbers = sum(ruleset.get_contract(hand.contract).number is not None for hand in hands)
    assert made * 2 > len(hands)
    assert numbers * 10 >= len(hands) * 7
