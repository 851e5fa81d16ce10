"""Every kind of change has its sentence in the history, and no sentence waits for a kind that is not."""

import ast
from pathlib import Path

from config.history_wording import DEEDS

SERVICES = Path(__file__).resolve().parents[2] / "tournaments" / "services"
BY_LISTENING = {"correct_result"}


def kinds() -> set[str]:
    """What ``Change(…, "kind", …)``, ``_ruled(…, kind="…")`` and the like name."""
    found: set[str] = set()
    for path in SERVICES.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in KNOWN:
                continue
            given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "kind")]
            found |= {
                text.value
                for each in given
                for text in ast.walk(each)
                if isinstance(text, ast.Constant) and isinstance(text.value, str)
            }
    return found


KNOWN = {"Change", "_ruled", "_act"}


def test_every_kind_of_change_has_a_sentence() -> None:
    assert kinds() | BY_LISTENING == set(DEEDS)
