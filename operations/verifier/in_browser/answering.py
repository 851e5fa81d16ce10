"""What a page asks of Python, and is told: loaded once ``stand_ins`` stand in."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from operations.kept_logs import load_log
from operations.verifier.checking import check
from rules import Refusal
from wording.sentences import sentence


def answer(file: str, log: str, key: str, progress: Callable[[int, int], None]) -> str:
    """The verdict on these files, "" where there is none, as JSON; or its ``refusal``."""
    try:
        read = load_log(log) if log else None
        verdict = check(Path(file) if file else None, key=key, log=read, progress=progress)
    except Refusal as refusal:
        return json.dumps({"refusal": sentence(refusal)})
    return json.dumps(asdict(verdict))
