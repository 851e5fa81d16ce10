"""Every ruleset, contract, side and result (RULES §2), compared with a table copied from the documents.

The table does not use the code; the totals at the end sum over all possible hands, like perft in chess.
"""

from collections.abc import Iterator

import pytest

from rules import RULESETS, PlayedHand, Ruleset, Side, apply_house_rules, read_record
from tests.rules.sheets import get_refusal, match_of

GAME = None
"""In place of points: the hand wins the whole game."""

_Row = tuple[set[int], int | None, int | None]
"""Tricks that make the contract, points when made, points to the other side when failed."""

NUMBER_CONTRACTS: dict[str, _Row] = {
    "5": ({5, 6, 7, 8}, 5, 5),
    "6": ({6, 7, 8}, 6, 6),
    "7": ({7, 8}, 7, 7),
}
EIGHT: dict[str, _Row] = {"8": ({8}, 8, 8)}
ABOVE_THE_NUMBERS: dict[str, _Row] = {
    "petite": ({0}, 8, 8),
    "grosse": ({8}, 8, 8),
    "charlemagne": ({8}, GAME, GAME),
}
THE_CANADIAN_GAME: dict[str, _Row] = {
    **NUMBER_CONTRACTS,
    **EIGHT,
    "mulot": ({0}, 15, 7),
    "charlemagne": ({8}, 16, 8),
    "gros_mulot": ({0}, 30, 15),
    "gros_charlemagne": ({8}, 32, 16),
}
THE_MAINE_GAME = NUMBER_CONTRACTS | ABOVE_THE_NUMBERS
BAS_SAINT_LAURENT_CONTRACTS = NUMBER_CONTRACTS | EIGHT | ABOVE_THE_NUMBERS

RULEBOOK = {
    ("canadian", "P V T"): THE_CANADIAN_GAME,
    ("maine", "P"): THE_MAINE_GAME,
    ("maine-32", "G"): THE_MAINE_GAME,
    ("bas-saint-laurent", "J"): BAS_SAINT_LAURENT_CONTRACTS,
    ("bas-saint-laurent-jokers", "J D2"): BAS_SAINT_LAURENT_CONTRACTS,
    ("two-player", "J"): BAS_SAINT_LAURENT_CONTRACTS,
    ("two-player-jokers", "J"): BAS_SAINT_LAURENT_CONTRACTS,
}

RESULTS: tuple[int | str, ...] = (*range(9), "made", "failed")
"""Tricks of the declaring side, or an outcome whose tricks were not counted (D8)."""

ALL_CONTRACTS = [
    pytest.param(RULESETS[key], contract, row, id=f"RULES 2 {source} {key} {contract}")
    for (key, source), contracts in RULEBOOK.items()
    for contract, row in contracts.items()
]


def hand(ruleset: Ruleset, side: Side, contract: str, result: int | str) -> PlayedHand:
    outcome_fields = {"outcome": result} if isinstance(result, str) else {"tricks": result}
    record = read_record(ruleset, {"side": side.name, "contract": contract, **outcome_fields})
    assert isinstance(record, PlayedHand)
    return record


@pytest.mark.parametrize(("ruleset", "contract", "row"), ALL_CONTRACTS)
def test_hand_scores_match_the_rulebook(ruleset: Ruleset, contract: str, row: _Row) -> None:
    making_tricks, points_made, points_failed = row
    for side in Side:
        for result in RESULTS:
            is_made = result == "made" or result in making_tricks
            winner, points = (side, points_made) if is_made else (side.other, points_failed)
            match = match_of(ruleset, hand(ruleset, side, contract, result))
            line = match.lines[0]
            if points is GAME:
                assert (line.gained, line.game.points) == ((0, 0), (0, 0))
                assert (line.game.winner, match.winner) == (winner, winner)
            else:
                assert line.gained[winner] == line.game.points[winner] == points
                assert line.gained[winner.other] == line.game.points[winner.other] == 0


@pytest.mark.parametrize(("ruleset", "contract", "row"), ALL_CONTRACTS)
def test_tricks_must_agree_with_the_outcome(ruleset: Ruleset, contract: str, row: _Row) -> None:
    for tricks in range(9):
        hand_fields = {"side": "B", "contract": contract, "tricks": tricks}
        right, wrong = ("made", "failed") if tricks in row[0] else ("failed", "made")
        assert read_record(ruleset, hand_fields | {"outcome": right}) == read_record(ruleset, hand_fields)
        refusal = get_refusal(read_record, ruleset, hand_fields | {"outcome": wrong})
        assert refusal == ("tricks_contradict_outcome", "tricks")


def test_rulebook_table_covers_every_ruleset_and_contract() -> None:
    assert [key for key, _ in RULEBOOK] == [
        "canadian",
        "maine",
        "maine-32",
        "bas-saint-laurent",
        "bas-saint-laurent-jokers",
        "two-player",
        "two-player-jokers",
    ]
    assert {key for key, _ in RULEBOOK} == set(RULESETS)
    for (key, _), contracts in RULEBOOK.items():
        assert set(RULESETS[key].played_keys) == set(contracts)


def count_hands(ruleset: Ruleset) -> tuple[int, int, int, int, int]:
    """Return the numbers of hands and made hands, points of declarers and of opponents, games won from 0–0."""
    hands = list(iter_hands(ruleset))
    points = [(made.side, match_of(ruleset, made)) for made in hands]
    return (
        len(hands),
        sum(made.made for made in hands),
        sum(match.lines[0].gained[side] for side, match in points),
        sum(match.lines[0].gained[side.other] for side, match in points),
        sum(match.is_over for _, match in points),
    )


def iter_hands(ruleset: Ruleset) -> Iterator[PlayedHand]:
    for contract in ruleset.played_keys:
        for side in Side:
            for result in RESULTS:
                yield hand(ruleset, side, contract, result)


@pytest.mark.parametrize(
    ("key", "count"),
    [
        ("canadian", (176, 44, 544, 1228, 4)),
        ("maine", (132, 36, 204, 544, 22)),
        ("maine-32", (132, 36, 204, 544, 22)),
        ("bas-saint-laurent", (154, 40, 236, 688, 22)),
        ("bas-saint-laurent-jokers", (154, 40, 236, 688, 22)),
        ("two-player", (154, 40, 236, 688, 22)),
        ("two-player-jokers", (154, 40, 236, 688, 22)),
    ],
)
def test_exhaustive_hand_totals_match_the_rulebook(key: str, count: tuple[int, int, int, int, int]) -> None:
    ruleset = apply_house_rules(RULESETS[key], {"games_to_win": 1})
    assert count_hands(ruleset) == count


def test_low_bid_house_rule_changes_the_exhaustive_totals() -> None:
    assert count_hands(apply_house_rules(RULESETS["bas-saint-laurent"], {"plays_low_bids": True})) == (
        (242, 100, 376, 768, 22)
    )
