"""Every kind of change has a sentence in the history, and every sentence has a kind of change."""

import ast
from collections.abc import Iterable

import pytest
from django.utils.translation import override

from operations.data_dir import PROJECT
from tournaments.models import NO_RESULT
from wording.labels.club_history import CLUB_SENTENCES
from wording.labels.history import EVENT_SENTENCES, describe_action

LATER_KINDS = {"correct_result", "publish_correction"}
"""Kinds that ``find_kinds`` does not see: they are set by a receiver or assigned later."""
INTERCLUB_FUNCTIONS = {"_begin_interclub_change", "_begin_answer"}
"""Functions that begin a change of an event or, for its series, of a club."""


def find_kinds(function_names: set[str]) -> set[str]:
    """Return the kinds in calls such as ``Change(…, "kind", …)`` and ``_rule(…, kind="…")``."""
    found: set[str] = set()
    for path in sorted({*PROJECT.glob("*/**/services/*.py"), *PROJECT.glob("*/**/services.py")}):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in function_names:
                continue
            given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "kind")]
            found |= {
                text.value
                for each in given
                for text in ast.walk(each)
                if isinstance(text, ast.Constant) and isinstance(text.value, str)
            }
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("actions", "function_names", "more"),
    [
        (
            EVENT_SENTENCES,
            {"Change", "_rule", "_act", "_begin_action", *INTERCLUB_FUNCTIONS},
            LATER_KINDS,
        ),
        (CLUB_SENTENCES, {"ClubChange", "_begin_change", "_record_for_both_clubs", *INTERCLUB_FUNCTIONS}, set()),
    ],
    ids=["of an event", "of a club"],
)
def test_every_kind_of_change_has_a_sentence(actions: Iterable[str], function_names: set[str], more: set[str]) -> None:
    assert find_kinds(function_names) | more == set(actions)


@pytest.mark.parametrize(
    ("language", "expected_text"),
    [
        ("en", "Round 2, table 1 corrected, 1 – 5: 32–6 is now no result"),
        ("fr", "Ronde 2, table 1 corrigée, 1 – 5\N{NO-BREAK SPACE}: 32–6, maintenant sans résultat"),
    ],
)
def test_corrected_result_without_a_new_one_is_described(language: str, expected_text: str) -> None:
    corrected = {"round": 2, "table": 1, "sides": [[1], [5]], "before": "32–6", "after": NO_RESULT}
    with override(language):
        assert describe_action("correct_result", corrected, {}) == expected_text


@pytest.mark.parametrize(
    ("after", "expected_text"), [(0, "1: withdrawn before round 1"), (2, "1: withdrawn after round 2")]
)
def test_withdrawal_names_a_round_that_was_played(after: int, expected_text: str) -> None:
    with override("en"):
        assert describe_action("withdraw_entry", {"entry": 1, "after": after}, {}) == expected_text
