"""Active players, leaders and exchanged cards of every contract and mode (RULES §2, D4, D12)."""

from collections import Counter
from typing import Any

import pytest

from rules import MAINE, RULESETS, Seat, apply_house_rules, build_setup
from rules.preparation import PLAY_MODES
from tests.rules import vectors
from tests.rules.setup_ways import Way, list_ways, rotate_seat
from tests.rules.sheets import get_refusal


def build_expected_setups() -> dict[Way, dict[str, Any]]:
    """Return the table of ``setups.json``, whose declarer is seat 0, rotated to every declarer."""
    rows: dict[Way, dict[str, Any]] = {}
    for row in vectors.read("setups.json"):
        for ruleset in map(RULESETS.__getitem__, row["rulesets"]):
            for contract in row["contracts"]:
                for declarer in range(ruleset.seats):
                    defender = None if row["defender"] is None else rotate_seat(row["defender"], declarer, ruleset)
                    way = ruleset.key, contract, row["mode"], declarer, defender
                    assert way not in rows
                    active = [rotate_seat(seat, declarer, ruleset) for seat in row["expected"]["active"]]
                    leader = rotate_seat(row["expected"]["leader"], declarer, ruleset)
                    rows[way] = row["expected"] | {"active": sorted(active), "leader": leader}
    return rows


SETUPS = build_expected_setups()


def test_setup_table_lists_every_mode_exactly_once() -> None:
    assert Counter(list_ways()) == Counter(list(SETUPS))


def test_setup_counts_match_the_rulebook() -> None:
    counts = Counter(key for key, *_ in SETUPS)
    assert counts == {
        "canadian": 4 * (4 + 2 + 1 + 2),
        "maine": 4 * (7 + 2 + 4),
        "maine-32": 4 * (7 + 2 + 4),
        "bas-saint-laurent": 4 * (8 + 2 + 6),
        "bas-saint-laurent-jokers": 2 * 4 * (8 + 2 + 6),
        "two-player": 2 * 11,
        "two-player-jokers": 2 * 2 * 11,
    }
    assert counts.total() == 398
    assert Counter(len(row["active"]) for row in SETUPS.values()) == {2: 130, 3: 60, 4: 208}


def get_setup(way: Way) -> dict[str, Any]:
    key, contract, mode, declarer, defender = way
    ruleset = RULESETS[key]
    ways = build_setup(
        ruleset,
        ruleset.get_bid(contract),
        declarer=Seat(declarer),
        mode=mode,
        defender=None if defender is None else Seat(defender),
    )
    return {name: getattr(ways, name) for name in SETUPS[way]} | {"active": list(ways.active)}


@pytest.mark.parametrize("key", RULESETS)
def test_setup_matches_the_table_of_players_leads_and_exchanges(key: str) -> None:
    for way in (way for way in SETUPS if way[0] == key):
        assert (way, get_setup(way)) == (way, SETUPS[way])


def test_leader_and_declarer_are_always_active() -> None:
    for way, row in SETUPS.items():
        assert {row["leader"], way[3]} <= set(row["active"])


def test_every_play_mode_belongs_to_a_contract() -> None:
    assert {mode.removeprefix("reserve+") for _, _, mode, _, _ in SETUPS} == set(PLAY_MODES)


HOUSE_RULE_LEADERS = [
    pytest.param("canadian", "declarer", "6", 2, 2, id="canadian: the bidder leads a number"),
    pytest.param("canadian", "declarer", "mulot", 2, 2, id="canadian: and any other contract as ever"),
    pytest.param("maine", "left_of_declarer", "6", 2, 3, id="maine: the left of the bidder leads a number"),
    pytest.param("maine", "left_of_declarer", "6", 3, 0, id="maine: round the table"),
    pytest.param("maine", "left_of_declarer", "grosse", 2, 2, id="maine: the Grosse is no number"),
    pytest.param("two-player", "left_of_declarer", "6", 1, 0, id="two players: the other one"),
]


@pytest.mark.parametrize(("key", "leader", "contract", "declarer", "leads"), HOUSE_RULE_LEADERS)
def test_house_rule_sets_the_leader_of_a_number_bid(
    key: str, leader: str, contract: str, declarer: int, leads: int
) -> None:
    ruleset = apply_house_rules(RULESETS[key], {"number_bid_leader": leader})
    chosen = ruleset.get_bid(contract)
    ways = build_setup(ruleset, chosen, declarer=Seat(declarer), mode=chosen.modes[0])
    assert ways.leader == leads


def test_house_rule_may_forbid_a_play_mode() -> None:
    ruleset = apply_house_rules(MAINE, {"contracts": {"charlemagne": {"modes": ["partner"]}}})
    contract = ruleset.get_bid("charlemagne")
    refusal = get_refusal(lambda: build_setup(ruleset, contract, declarer=Seat(0), mode="card_vs_2"))
    assert refusal == ("no_such_mode", "mode")


@pytest.mark.parametrize(
    ("key", "contract", "declarer", "mode", "defender", "refusal"),
    [
        pytest.param("canadian", "6", 4, "kitty", None, ("no_such_seat", "declarer"), id="RULES 1"),
        pytest.param("two-player", "6", 2, "two_player", None, ("no_such_seat", "declarer"), id="RULES 6"),
        pytest.param("canadian", "6", -1, "kitty", None, ("no_such_seat", "declarer"), id="no seat below 0"),
        pytest.param("canadian", "mulot", 0, "kitty", None, ("no_such_mode", "mode"), id="P Mulot: no kitty"),
        pytest.param("canadian", "charlemagne", 0, "card", None, ("no_such_mode", "mode"), id="P and not or"),
        pytest.param("canadian", "gros_charlemagne", 0, "kitty_and_card", None, ("no_such_mode", "mode"), id="P or"),
        pytest.param("canadian", "6", 0, "reserve+kitty", None, ("no_such_mode", "mode"), id="D12"),
        pytest.param("maine", "charlemagne", 0, "no_card_vs_1", None, ("no_such_mode", "mode"), id="J only"),
        pytest.param("maine", "grosse", 0, "card_vs_2", None, ("no_such_mode", "mode"), id="D4"),
        pytest.param("two-player", "charlemagne", 0, "card_vs_1", None, ("no_such_mode", "mode"), id="RULES 6 no card"),
        pytest.param("maine", "charlemagne", 0, "card_vs_1", None, ("defender_required", "defender"), id="P G who"),
        pytest.param(
            "maine", "charlemagne", 0, "card_vs_1", 2, ("defender_not_opponent", "defender"), id="P G partner"
        ),
        pytest.param(
            "bas-saint-laurent",
            "charlemagne",
            1,
            "no_card_vs_1",
            1,
            ("defender_not_opponent", "defender"),
            id="J nobody plays against himself",
        ),
    ],
)
def test_setup_refuses_values_unknown_to_the_contract(
    key: str, contract: str, declarer: int, mode: str, defender: int | None, refusal: tuple[str, str]
) -> None:
    ruleset = RULESETS[key]
    defends = None if defender is None else Seat(defender)
    assert refusal == get_refusal(
        lambda: build_setup(ruleset, ruleset.get_bid(contract), declarer=Seat(declarer), mode=mode, defender=defends)
    )
