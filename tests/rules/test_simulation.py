"""Simulated hands and matches: every play is legal, and a seed determines the match (RULES §3, §4)."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BAS_SAINT_LAURENT,
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    RULESETS,
    TRICKS,
    TWO_PLAYER,
    Call,
    Card,
    Hand,
    HandCourse,
    HeuristicPlayer,
    MatchFormat,
    Play,
    PlayedHand,
    Player,
    RandomPlayer,
    Ruleset,
    Seat,
    SeatView,
    Side,
    apply_house_rules,
    choose_first_dealer,
    fold,
    follow_course,
    get_side,
    read_call,
    shuffle_pack,
    simulate_course,
    simulate_match,
)
from rules.records import list_record_refusals

from .sheets import ONE_GAME, TWO_GAMES, get_refusal, property_settings

SENSIBLE = HeuristicPlayer()
SEEDS = st.integers(0, 10**9).map(str)
SYSTEMS = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@pytest.mark.slow
@SYSTEMS
@given(seed=SEEDS)
@property_settings
def test_simulated_hand_can_be_followed_to_its_last_card(ruleset: Ruleset, seed: str) -> None:
    sides: list[Player] = [RandomPlayer(passes=60), SENSIBLE]
    players = sides * (ruleset.seats // 2)
    course = simulate_course(ruleset, players, dealer=Seat(0), seed=seed)
    end = follow_course(ruleset, course, dealer=Seat(0))
    if end.outcome is None:
        assert course == HandCourse(dealt=course.dealt, calls=course.calls)
    else:
        assert end.play is not None
        assert len(end.play.tricks) == TRICKS
        assert not any(end.play.hands)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "difference"),
    [
        (CANADIAN, {"ladder": ["gros_mulot"]}),
        (CANADIAN, {"all_pass": "dealer_must_bid", "forced_bid": 6, "number_bid_leader": "declarer"}),
        (MAINE, {"ladder": ["5", "charlemagne"], "contracts": {"charlemagne": {"modes": ["card_vs_1"]}}}),
        (BAS_SAINT_LAURENT, {"plays_low_bids": True, "counter_charlemagne": False}),
        (BAS_SAINT_LAURENT_JOKERS, {"ladder": ["4", "petite", "grosse"]}),
        (TWO_PLAYER, {"all_pass": "next_dealer", "contracts": {"petite": {"made": 20, "failed": 5}}}),
    ],
    ids=str,
)
def test_simulation_follows_house_rules(base: Ruleset, difference: dict[str, object]) -> None:
    ruleset = apply_house_rules(base, difference)
    players: tuple[Player, Player] = (SENSIBLE, RandomPlayer(passes=60))
    match = simulate_match(ruleset, MatchFormat(hands=30, games_to_win=9), players, seed="house")
    assert match.is_over
    assert not any(list_record_refusals(ruleset, line.record) for line in match.lines)


@SYSTEMS
def test_seed_determines_the_match(ruleset: Ruleset) -> None:
    players = (SENSIBLE, RandomPlayer(passes=80))
    match = simulate_match(ruleset, ONE_GAME, players, seed="evening")
    assert simulate_match(ruleset, ONE_GAME, players, seed="evening") == match
    assert simulate_match(ruleset, ONE_GAME, players, seed="another") != match


@SYSTEMS
def test_simulated_match_equals_the_fold_of_its_records(ruleset: Ruleset) -> None:
    match = simulate_match(ruleset, TWO_GAMES, (SENSIBLE, RandomPlayer(passes=80)), seed="manche")
    records = [line.record for line in match.lines]
    assert [refusal for record in records for refusal in list_record_refusals(ruleset, record)] == []
    dealer = choose_first_dealer(ruleset, seed="manche")
    assert fold(ruleset, TWO_GAMES, enumerate(records, start=1), first_dealer=dealer) == match
    assert match.is_over
    assert max(match.games_won) == 2


def test_match_of_six_hands_has_six_hands() -> None:
    match = simulate_match(CANADIAN, MatchFormat(hands=6), (SENSIBLE, SENSIBLE), seed="six")
    assert (match.deals, len(match.lines), match.is_over) == (6, 6, True)


def test_timed_match_is_refused() -> None:
    def simulate_timed_match() -> None:
        simulate_match(CANADIAN, MatchFormat(minutes=20), (SENSIBLE, SENSIBLE), seed="")

    assert get_refusal(simulate_timed_match) == ("no_match_length", "games_to_win")


def test_partners_sit_opposite_each_other() -> None:
    """Side B always passes, so every declarer is of side A."""
    match = simulate_match(CANADIAN, ONE_GAME, (RandomPlayer(), RandomPlayer(passes=100)), seed="opposite")
    declarers = {line.record.declarer for line in match.lines if isinstance(line.record, PlayedHand)}
    assert declarers
    assert {get_side(seat) for seat in declarers if seat is not None} == {Side.A}


# Defending alone against a Charlemagne


@dataclass(frozen=True, kw_only=True)
class DecidedPlayer(RandomPlayer):
    """A random player with a fixed call, play mode and decision to defend alone."""

    bid: str = "pass"
    way: str = ""
    defends: bool = False

    def choose_call(self, view: SeatView, *, seed: str) -> Call:
        return read_call(self.bid)

    def choose_mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        assert self.way in modes
        assert "card_vs_1" not in modes  # a choice of the opponents
        return self.way

    def decide_defend_alone(self, view: SeatView, *, seed: str) -> bool:
        return self.defends


@pytest.mark.parametrize(
    ("way", "willing", "mode", "defender"),
    [
        ("card_vs_2", (), "card_vs_2", None),
        ("card_vs_2", (1,), "card_vs_1", 1),
        ("card_vs_2", (3,), "card_vs_1", 3),
        ("card_vs_2", (1, 3), "card_vs_1", 1),
        ("no_card_vs_1", (), "no_card_vs_1", 3),
        ("no_card_vs_1", (1,), "no_card_vs_1", 1),
        ("partner", (1, 3), "partner", None),
    ],
)
def test_opponent_left_of_the_declarer_is_asked_first_to_defend_alone(
    way: str, willing: tuple[int, ...], mode: str, defender: int | None
) -> None:
    declarer = DecidedPlayer(bid="charlemagne H", way=way)
    players = [declarer, *(DecidedPlayer(defends=seat in willing) for seat in (1, 2, 3))]
    course = simulate_course(BAS_SAINT_LAURENT, players, dealer=Seat(3), seed="alone")
    assert course.preparation is not None
    assert (course.preparation.mode, course.preparation.defender) == (mode, defender)
    assert (course.preparation.opponent_card is not None) is (mode == "card_vs_1")


# Discards that a seat knows


@dataclass(frozen=True, kw_only=True)
class RememberingPlayer(RandomPlayer):
    """A random player that records the discards in its view at each card it plays."""

    aside: dict[Seat, Hand] = field(default_factory=dict)

    def choose_card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        self.aside[view.seat] = view.aside
        return super().choose_card(view, play, seed=seed)


def test_only_the_declarer_knows_the_discards() -> None:
    players = [RememberingPlayer()] * 4
    course = simulate_course(CANADIAN, players, dealer=Seat(0), seed="kitty")
    end = follow_course(CANADIAN, course, dealer=Seat(0))
    assert end.outcome is not None
    assert course.preparation is not None
    assert course.preparation.discards
    assert players[0].aside.pop(end.outcome.declarer) == course.preparation.discards
    assert set(players[0].aside.values()) == {()}


def test_two_players_know_only_the_discards_they_saw() -> None:
    """If every first card is kept, only the dealer sees a discard: the last card of the pack."""

    class FirstCardKeeper(RememberingPlayer):
        def decide_keep_first(self, ruleset: Ruleset, hand: Hand, visible: Hand, *, seed: str) -> bool:
            return True

    players = [FirstCardKeeper()] * 2
    course = simulate_course(TWO_PLAYER, players, dealer=Seat(0), seed="draw")
    pack = shuffle_pack(TWO_PLAYER, seed="draw")
    assert course.plays
    assert course.dealt is not None
    assert course.dealt.hands == (pack[2::4], pack[0::4])
    assert players[0].aside == {Seat(0): pack[31:], Seat(1): ()}
