"""Every kind of change has its sentence in the history, and no sentence waits for a kind that is not."""

import ast
from collections.abc import Mapping

import pytest

from operations.data_dir import PROJECT
from wording.labels.history import DEEDS
from wording.labels.people import CLUB_DEEDS

SAID_LATER = {"correct_result", "publish_correction"}
"""What a table corrected, and what was published before: such a change finds out what it is."""
BETWEEN_CLUBS = {"_change", "_answered"}
"""Of an event, or of a club for its series."""


def kinds(known: set[str]) -> set[str]:
    """What ``Change(…, "kind", …)``, ``_ruled(…, kind="…")`` and the like name."""
    found: set[str] = set()
    for path in sorted({*PROJECT.glob("*/**/services/*.py"), *PROJECT.glob("*/**/services.py")}):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in known:
                continue
            given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "kind")]
            found |= {
                text.value
                for each in given
                for text in ast.walk(each)
                if isinstance(text, ast.Constant) and isinstance(text.value, str)
            }
    return found


@pytest.mark.parametrize(
    ("deeds", "known", "more"),
    [
        (
            DEEDS,
            {"Change", "_ruled", "_act", "_acting", *BETWEEN_CLUBS},
            SAID_LATER,
        ),
        (CLUB_DEEDS, {"ClubChange", "_changed", "_told", *BETWEEN_CLUBS}, set()),
    ],
    ids=["of an event", "of a club"],
)
def test_every_kind_of_change_has_a_sentence(
    deeds: Mapping[str, object], known: set[str], more: set[str]
) -> None:
    assert kinds(known) | more == set(deeds)
