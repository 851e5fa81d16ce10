"""Every ruleset is in the lists of rulesets for readers; ``tests/rules`` tests its play."""

import re

import pytest

from clubs.game_words import CONTRACTS
from clubs.game_words import RULESETS as NAMES
from operations.data_dir import PROJECT
from rules import RULESETS
from scoring.rulebook import REGIONS


def test_every_ruleset_has_a_name_and_a_region() -> None:
    assert NAMES.keys() == RULESETS.keys(), "name it: RULESETS in clubs/game_words.py"
    assert REGIONS.keys() == RULESETS.keys(), "say who plays it: REGIONS in scoring/rulebook/__init__.py"


def test_contracts_are_named_in_the_order_of_bids() -> None:
    for ruleset in RULESETS.values():
        assert [contract for contract in CONTRACTS if contract in ruleset.ladder] == [
            contract for contract in ruleset.ladder if contract in CONTRACTS
        ], ruleset.key


@pytest.mark.parametrize("name", ["rules-filter.md", "recorded-nights.md"])
def test_api_documents_name_every_ruleset(name: str) -> None:
    page = (PROJECT / "docs" / "api" / name).read_text(encoding="utf-8")
    (line,) = re.findall(r"^\| `ruleset` \|.*", page, re.MULTILINE)
    assert set(re.findall("`([^`]+)`", line)) - {"ruleset"} == RULESETS.keys(), (
        f"name it in the line of `ruleset` in docs/api/{name}"
    )
