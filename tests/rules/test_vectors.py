"""Matches on which every implementation of the rules, in any language, must agree: ``tests/vectors``.

``rulesets.json`` holds the built-in rulesets in the form that an event stores. Each case of ``matches.json``
gives its ruleset by key, the match format, the first dealer, and the serialized records 1, 2, 3…; and expects:

- ``totals``: totals of the current game after each record (the final ones if the game ends there),
- ``game``: totals of the current game at the end; ``games``: the finished games; ``games_won``; ``points``,
- ``is_over``, ``winner``, the next ``dealer``, and the numbers of the ``surplus`` records.

The expected values were worked out by hand from the rules.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import (
    RULESETS,
    MatchState,
    Seat,
    fold,
    match_format_from_json,
    match_format_to_json,
    read_record,
    record_to_json,
    ruleset_from_json,
    ruleset_to_json,
)

VECTORS = Path(__file__).parent.parent / "vectors"
SYSTEMS = json.loads((VECTORS / "rulesets.json").read_text(encoding="utf-8"))
CASES = json.loads((VECTORS / "matches.json").read_text(encoding="utf-8"))


def serialize_outcome(match: MatchState) -> dict[str, Any]:
    return {
        "totals": [list(line.game.points) for line in match.lines],
        "game": list(match.game.points),
        "games": [
            {"points": list(game.points), "winner": game.winner and game.winner.name, "by": game.by}
            for game in match.games
        ],
        "games_won": list(match.games_won),
        "points": list(match.points),
        "is_over": match.is_over,
        "winner": None if match.winner is None else match.winner.name,
        "dealer": match.dealer,
        "surplus": [line.number for line in match.lines if line.is_surplus],
    }


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['ruleset']}: {case['name']}") for case in CASES])
def test_match_vector_gives_its_expected_outcome(case: dict[str, Any]) -> None:
    ruleset = ruleset_from_json(SYSTEMS[case["ruleset"]])
    records = [read_record(ruleset, hand) for hand in case["hands"]]
    places = enumerate(records, start=1)
    match = fold(ruleset, match_format_from_json(case["format"]), places, first_dealer=Seat(case["first_dealer"]))
    assert serialize_outcome(match) == case["expected"]


def test_vectors_use_the_serialized_form() -> None:
    for case in CASES:
        ruleset = ruleset_from_json(SYSTEMS[case["ruleset"]])
        assert [record_to_json(read_record(ruleset, hand)) for hand in case["hands"]] == case["hands"]
        assert match_format_to_json(match_format_from_json(case["format"])) == case["format"]


def test_ruleset_vectors_match_the_builtin_rulesets() -> None:
    assert {key: ruleset_to_json(ruleset) for key, ruleset in RULESETS.items()} == SYSTEMS
    assert {case["ruleset"] for case in CASES} == set(RULESETS)
