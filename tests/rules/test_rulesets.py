"""Built-in rulesets (RULES §1): contracts, bids, play modes and policies."""

import pytest

from errors import Refusal
from rules import RULESETS, Seat, Side, get_ruleset, get_side
from rules.seats import get_next_seat
from tests.rules.sheets import get_refusal

LADDERS = {
    "canadian": "5 6 7 8 mulot charlemagne gros_mulot gros_charlemagne",
    "maine": "1 2 3 4 5 6 7 petite grosse charlemagne",
    "maine-32": "1 2 3 4 5 6 7 petite grosse charlemagne",
    "bas-saint-laurent": "1 2 3 4 5 6 7 8 petite grosse charlemagne",
    "bas-saint-laurent-jokers": "1 2 3 4 5 6 7 8 petite grosse charlemagne",
    "two-player": "1 2 3 4 5 6 7 8 petite grosse charlemagne",
    "two-player-jokers": "1 2 3 4 5 6 7 8 petite grosse charlemagne",
}


@pytest.mark.parametrize(("key", "ladder"), LADDERS.items(), ids=[f"RULES 1 D6 {key}" for key in LADDERS])
def test_order_of_bids_matches_the_documents(key: str, ladder: str) -> None:
    assert RULESETS[key].ladder == tuple(ladder.split())


FACTS = ("seats", "cards", "target", "games_to_win", "all_pass", "number_bid_leader")


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        pytest.param("canadian", (4, 34, 32, 1, "next_dealer", "left_of_declarer"), id="RULES 1 D1 P V T canadian"),
        pytest.param("maine", (4, 32, 21, 1, "dealer_must_bid", "declarer"), id="RULES 1 P maine"),
        pytest.param("maine-32", (4, 32, 32, 1, "dealer_must_bid", "declarer"), id="RULES 1 G maine-32"),
        pytest.param("bas-saint-laurent", (4, 32, 21, 2, "same_dealer", "declarer"), id="RULES 1 J"),
        pytest.param("bas-saint-laurent-jokers", (4, 34, 21, 2, "same_dealer", "declarer"), id="RULES 1 J D2"),
        pytest.param("two-player", (2, 32, 21, 2, "same_dealer", "declarer"), id="RULES 6 J"),
        pytest.param("two-player-jokers", (2, 34, 21, 2, "same_dealer", "declarer"), id="RULES 6 J with Jokers"),
    ],
)
def test_ruleset_has_its_cards_target_and_policies(key: str, facts: tuple[object, ...]) -> None:
    ruleset = get_ruleset(key)
    assert ruleset.key == key
    assert tuple(getattr(ruleset, fact) for fact in FACTS) == facts
    assert ruleset.forced_bid == 5


def test_only_bas_saint_laurent_games_allow_counter_charlemagne() -> None:
    assert {key for key, ruleset in RULESETS.items() if ruleset.counter_charlemagne} == {
        "bas-saint-laurent",
        "bas-saint-laurent-jokers",
        "two-player",
        "two-player-jokers",
    }


MODES = {
    "canadian": {
        "5 6 7 8": "kitty",
        "mulot gros_mulot": "alone",
        "charlemagne": "kitty_and_card",
        "gros_charlemagne": "kitty card",
    },
    "maine": {"5 6 7 grosse": "partner", "petite": "alone", "charlemagne": "partner card_vs_2 card_vs_1"},
    "maine-32": {"5 6 7 grosse": "partner", "petite": "alone", "charlemagne": "partner card_vs_2 card_vs_1"},
    "bas-saint-laurent": {
        "5 6 7 8 grosse": "partner",
        "petite": "alone",
        "charlemagne": "partner card_vs_2 card_vs_1 no_card_vs_1",
    },
    "bas-saint-laurent-jokers": {
        "5 6 7 8 grosse": "partner reserve+partner",
        "petite": "alone reserve+alone",
        "charlemagne": "partner card_vs_2 card_vs_1 no_card_vs_1 "
        "reserve+partner reserve+card_vs_2 reserve+card_vs_1 reserve+no_card_vs_1",
    },
    "two-player": {"5 6 7 8 petite grosse charlemagne": "two_player"},
    "two-player-jokers": {"5 6 7 8 petite grosse charlemagne": "two_player reserve+two_player"},
}


@pytest.mark.parametrize(("key", "modes"), MODES.items(), ids=[f"D4 D12 {key}" for key in MODES])
def test_contract_modes_match_the_documents(key: str, modes: dict[str, str]) -> None:
    expected = {contract: ways.split() for contracts, ways in modes.items() for contract in contracts.split()}
    assert {contract.key: list(contract.modes) for contract in RULESETS[key].playable} == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        pytest.param(
            "canadian",
            {"mulot": "forced_jokers", "gros_mulot": "forced_jokers"},
            id="RULES 2 RULES 3 P V T Mulot",
        ),
        pytest.param("maine", {"petite": "none", "grosse": "none"}, id="RULES 2 P maine"),
        pytest.param("bas-saint-laurent", {"petite": "none", "grosse": "none"}, id="RULES 2 J"),
        pytest.param("two-player-jokers", {"petite": "forced_jokers", "grosse": "jokers"}, id="RULES 2 D4 with Jokers"),
    ],
)
def test_trump_rules_match_the_documents(key: str, expected: dict[str, str]) -> None:
    contracts = RULESETS[key].playable
    assert {contract.key: contract.trump for contract in contracts if contract.trump != "named"} == expected


NUMBERS = ["0", "1", "4", "5", "7", "8", "9"]
NAMES = ["mulot", "charlemagne", "gros_mulot", "gros_charlemagne", "petite", "grosse", "Charlemagne", "pass"]


@pytest.mark.parametrize(
    ("key", "played", "below_minimum"),
    [
        ("canadian", "5 7 8 mulot charlemagne gros_mulot gros_charlemagne", "0 1 4"),
        ("maine", "5 7 charlemagne petite grosse", "0 1 4"),
        ("bas-saint-laurent", "5 7 8 charlemagne petite grosse", "0 1 4"),
    ],
    ids=["RULES 1 V canadian", "RULES 1 D6 P maine", "RULES 1 D1 D6 J bas-saint-laurent"],
)
def test_every_bid_is_playable_below_minimum_or_unknown(key: str, played: str, below_minimum: str) -> None:
    ruleset = RULESETS[key]
    for bid in NUMBERS + NAMES:
        if bid in played.split():
            assert ruleset.get_contract(bid).key == bid
        else:
            code = "below_minimum" if bid in below_minimum.split() else "no_such_bid"
            assert get_refusal(ruleset.get_contract, bid) == (code, "contract")


def test_unknown_ruleset_refusal_lists_known_ones() -> None:
    with pytest.raises(Refusal) as caught:
        get_ruleset("euchre")
    assert (caught.value.code, caught.value.field) == ("no_such_ruleset", "ruleset")
    assert caught.value.details == {"ruleset": "euchre", "known": tuple(RULESETS)}


def test_partners_sit_opposite_and_play_goes_left() -> None:
    seats = [Seat(seat) for seat in range(4)]
    assert [get_side(seat) for seat in seats] == [Side.A, Side.B, Side.A, Side.B]
    assert [get_next_seat(seat, seats=4) for seat in seats] == [1, 2, 3, 0]
    assert (Side.A.other, Side.B.other) == (Side.B, Side.A)


def test_every_side_is_truthy_and_usable_as_an_index() -> None:
    assert all(Side)
    assert [("home", "away")[side] for side in Side] == ["home", "away"]


def test_two_players_form_one_side_each() -> None:
    assert [get_side(Seat(seat)) for seat in range(2)] == [Side.A, Side.B]
    assert [get_next_seat(Seat(seat), seats=2) for seat in range(2)] == [1, 0]
