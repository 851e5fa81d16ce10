"""Entry point for the page in the browser; loaded once the ``stand_ins`` are installed."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from errors import Refusal
from operations.signed_log_loader import load_log
from operations.verifier.verification import check
from wording.sentences import get_sentence


def answer(file: str, log: str, key: str, progress: Callable[[int, int], None]) -> str:
    """Verify these files ("" for none), and return the result, or its ``refusal``, as JSON."""
    try:
        signed_log = load_log(log) if log else None
        verdict = check(Path(file) if file else None, key=key, log=signed_log, progress=progress)
    except Refusal as refusal:
        return json.dumps({"refusal": get_sentence(refusal)})
    return json.dumps(asdict(verdict))
