"""House rules: the settings that a club may change (RULES §5), and changes that are refused as illegal."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    RULESETS,
    PassedOutHand,
    Ruleset,
    apply_house_rules,
    diff_house_rules,
    has_two_player_rules,
)
from tests.rules.sheets import A, B, fail_hand, get_refusal, list_results, make_hand, match_of, property_settings

WORTHLESS_LADDER = {
    "ladder": ["5", "6"],
    "contracts": {"5": {"made": 0, "failed": 0}, "6": {"made": 0, "failed": 0}},
}


class TestHouseRules:
    def test_club_may_change_the_target(self) -> None:
        to_10 = apply_house_rules(MAINE, {"target": 10})
        assert list_results(match_of(to_10, make_hand(A, "5"), make_hand(A, "5"))) == [((10, 0), A, "points")]

    def test_club_may_change_the_games_per_match(self) -> None:
        assert apply_house_rules(CANADIAN, {"games_to_win": 3}).games_to_win == 3

    def test_club_may_change_both_values_of_a_contract(self) -> None:
        at_home = apply_house_rules(BAS_SAINT_LAURENT, {"contracts": {"grosse": {"made": 10, "failed": 4}}})
        assert match_of(at_home, make_hand(A, "grosse"), fail_hand(A, "grosse")).game.points == (10, 4)

    def test_club_may_change_the_order_of_bids(self) -> None:
        ladder = [key for key in MAINE.ladder if key != "petite"]
        without_petite = apply_house_rules(MAINE, {"ladder": ladder})
        assert get_refusal(without_petite.get_contract, "petite") == ("no_such_bid", "contract")
        with_8 = apply_house_rules(MAINE, {"ladder": [contract.key for contract in MAINE.contracts]})
        assert match_of(with_8, make_hand(A, "8", 8)).game.points == (8, 0)

    def test_club_may_play_low_bids(self) -> None:
        low = apply_house_rules(BAS_SAINT_LAURENT, {"plays_low_bids": True})
        assert match_of(low, make_hand(A, "3", 5), fail_hand(B, "1", 0)).game.points == (4, 0)

    def test_club_may_change_the_all_pass_rule_and_forced_bid(self) -> None:
        forced = apply_house_rules(CANADIAN, {"all_pass": "dealer_must_bid", "forced_bid": 6})
        assert (forced.all_pass, forced.forced_bid) == ("dealer_must_bid", 6)
        free = apply_house_rules(MAINE, {"all_pass": "next_dealer"})
        assert match_of(free, PassedOutHand()).dealer == 1

    def test_club_may_change_the_leader_and_counter_charlemagne(self) -> None:
        changed = apply_house_rules(CANADIAN, {"number_bid_leader": "declarer", "counter_charlemagne": True})
        assert (changed.number_bid_leader, changed.counter_charlemagne) == ("declarer", True)

    def test_club_may_change_the_modes_of_a_charlemagne(self) -> None:
        together = apply_house_rules(MAINE, {"contracts": {"charlemagne": {"modes": ["partner"]}}})
        assert together.get_contract("charlemagne").modes == ("partner",)

    def test_empty_difference_changes_nothing(self) -> None:
        for ruleset in RULESETS.values():
            assert apply_house_rules(ruleset, {}) == ruleset
            assert diff_house_rules(ruleset, ruleset) == {}


@pytest.mark.parametrize(
    ("base", "difference", "code", "field"),
    [
        pytest.param(CANADIAN, [], "not_an_object", None, id="a list"),
        pytest.param(CANADIAN, {"jokers": 4}, "no_such_house_rule", "jokers", id="a rule there is not"),
        pytest.param(CANADIAN, {"key": "mine"}, "no_such_house_rule", "key", id="another name"),
        pytest.param(CANADIAN, {"seats": 6}, "no_such_house_rule", "seats", id="six players"),
        pytest.param(CANADIAN, {"target": 0}, "target_not_positive", "target", id="a target of 0"),
        pytest.param(CANADIAN, {"target": "21"}, "not_a_number", "target", id="a target in words"),
        pytest.param(CANADIAN, {"target": True}, "not_a_number", "target", id="a target of true"),
        pytest.param(CANADIAN, {"target": 21.0}, "not_a_number", "target", id="a target of 21.0"),
        pytest.param(CANADIAN, {"target": None}, "not_a_number", "target", id="a target of null"),
        pytest.param(CANADIAN, {"games_to_win": 0}, "games_not_positive", "games_to_win", id="no games"),
        pytest.param(MAINE, {"plays_low_bids": 1}, "not_yes_or_no", "plays_low_bids", id="yes as 1"),
        pytest.param(CANADIAN, {"all_pass": "again"}, "no_such_choice", "all_pass", id="D1 a policy there is not"),
        pytest.param(CANADIAN, {"all_pass": ["x"]}, "no_such_choice", "all_pass", id="D1 a list of policies"),
        pytest.param(CANADIAN, {"ladder": "5 6"}, "not_a_list", "ladder", id="a ladder as text"),
        pytest.param(CANADIAN, {"ladder": [5, 6]}, "not_a_list", "ladder", id="a ladder of numbers"),
        pytest.param(CANADIAN, {"ladder": ["5", "petite"]}, "no_such_bid", "ladder", id="a bid of another game"),
        pytest.param(CANADIAN, {"ladder": ["6", "5"]}, "ladder_does_not_rise", "ladder", id="6 before 5"),
        pytest.param(CANADIAN, {"ladder": ["5", "5"]}, "ladder_does_not_rise", "ladder", id="5 twice"),
        pytest.param(CANADIAN, {"ladder": []}, "empty_ladder", "ladder", id="no bids"),
        pytest.param(BAS_SAINT_LAURENT, {"ladder": ["3"]}, "empty_ladder", "ladder", id="D1 bids that only inform"),
        pytest.param(
            MAINE,
            {"ladder": ["6", "charlemagne"]},
            "forced_bid_not_in_ladder",
            "forced_bid",
            id="D13 no 5 to force",
        ),
        pytest.param(MAINE, {"forced_bid": 4}, "forced_bid_not_in_ladder", "forced_bid", id="D13 forced to 4"),
        pytest.param(CANADIAN, {"contracts": []}, "not_an_object", "contracts", id="contracts as a list"),
        pytest.param(CANADIAN, {"contracts": {"9": {}}}, "no_such_bid", "contracts", id="a 9"),
        pytest.param(CANADIAN, {"contracts": {"5": 5}}, "not_an_object", "contracts.5", id="a contract as a number"),
        pytest.param(
            CANADIAN,
            {"contracts": {"5": {"least": 4}}},
            "no_such_house_rule",
            "contracts.5.least",
            id="a 5 made with 4",
        ),
        pytest.param(
            CANADIAN,
            {"contracts": {"5": {"made": "5"}}},
            "not_a_number",
            "contracts.5.made",
            id="a value in words",
        ),
        pytest.param(
            CANADIAN,
            {"contracts": {"5": {"failed": -5}}},
            "value_negative",
            "contracts.5.failed",
            id="a value of -5",
        ),
        pytest.param(
            MAINE,
            {"contracts": {"charlemagne": {"made": 16}}},
            "value_of_game_end",
            "contracts.charlemagne.made",
            id="RULES 4 points for what wins the game",
        ),
        pytest.param(CANADIAN, WORTHLESS_LADDER, "no_way_to_win", "contracts", id="a game without end"),
        pytest.param(
            CANADIAN,
            {"contracts": {"5": {"modes": ["alone"]}}},
            "no_such_mode",
            "contracts.5.modes",
            id="D12 a 5 played alone",
        ),
        pytest.param(
            CANADIAN,
            {"contracts": {"5": {"modes": []}}},
            "no_such_mode",
            "contracts.5.modes",
            id="D12 no way to play",
        ),
    ],
)
def test_illegal_game_is_refused_with_the_reason(base: Ruleset, difference: Any, code: str, field: str | None) -> None:
    assert get_refusal(apply_house_rules, base, difference) == (code, field)


@st.composite
def changes(draw: st.DrawFn) -> tuple[Ruleset, dict[str, Any]]:
    """Generate a built-in ruleset and a legal set of house rules for it."""
    base = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    numbers = [contract.key for contract in base.contracts if contract.number]
    ladder = [key for key in base.ladder if key in ("5", "charlemagne") or draw(st.booleans())]
    values = st.fixed_dictionaries({}, optional={"made": st.integers(1, 40), "failed": st.integers(0, 40)})
    settings_of_a_club = {
        "target": st.integers(1, 100),
        "games_to_win": st.integers(1, 5),
        "plays_low_bids": st.booleans(),
        "counter_charlemagne": st.booleans(),
        "all_pass": st.sampled_from(["next_dealer", "same_dealer", "dealer_must_bid"]),
        "number_bid_leader": st.sampled_from(["declarer", "left_of_declarer"]),
        "ladder": st.just(ladder),
        "contracts": st.dictionaries(st.sampled_from(numbers), values),
    }
    return base, draw(st.fixed_dictionaries({}, optional=settings_of_a_club))


@pytest.mark.slow
@property_settings
@given(changes())
def test_difference_of_a_changed_ruleset_recreates_it(change: tuple[Ruleset, dict[str, Any]]) -> None:
    base, difference = change
    changed = apply_house_rules(base, difference)
    stored_difference = json.loads(json.dumps(diff_house_rules(base, changed)))
    assert apply_house_rules(base, stored_difference) == changed
    assert diff_house_rules(base, apply_house_rules(base, stored_difference)) == stored_difference
    assert set(stored_difference) <= set(difference)


def test_only_bas_saint_laurent_rulesets_have_two_player_rules() -> None:
    four = [ruleset for ruleset in RULESETS.values() if ruleset.seats == 4]
    assert [ruleset.key for ruleset in four if has_two_player_rules(ruleset)] == [
        "bas-saint-laurent",
        "bas-saint-laurent-jokers",
    ]


def test_house_rules_keep_the_two_player_rules() -> None:
    at_home = {"target": 32, "games_to_win": 1, "contracts": {"grosse": {"made": 10, "failed": 4}}}
    assert has_two_player_rules(apply_house_rules(BAS_SAINT_LAURENT, at_home))
    assert not has_two_player_rules(apply_house_rules(CANADIAN, {"target": 21}))
