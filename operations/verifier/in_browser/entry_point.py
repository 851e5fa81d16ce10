"""Entry point for the page in the browser; loaded once the ``stand_ins`` are installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from errors import Refusal
from operations.signed_log_loader import load_log
from operations.verifier.verification import check
from wording.sentences import sentence


def answer(file: str, log: str, key: str, progress: Callable[[int, int], None]) -> str:
    """Verify these files ("" for none), and return the result, or its ``refusal``, as JSON."""
    try:
        read = load_log(log) if log else None
        verdict = check(Path(file) if file else None, key=key, log=read, progress=progress)
    except Refusal as refusal:
        return json.dumps({"refusal": sentence(refusal)})
    return json.dumps(asdict(verdict))
