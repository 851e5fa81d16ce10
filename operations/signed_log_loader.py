"""Results logs of clubs, loaded from an address or a saved file."""

import json
from pathlib import Path
from urllib.request import urlopen

from engine.signed_logs import Checkpoint, SignedLog, checkpoint_from_text, get_latest_checkpoint, signed_log_from_json
from errors import Refusal

SCHEMES = ("https://", "http://")
MAX_BYTES = 64 * 1024 * 1024
"""Size limit: a hundred thousand entries."""
TIMEOUT = 30  # seconds


def load_log(place: str) -> SignedLog:
    """Load the log at this address or path. Refuses: no_such_file, no_answer_there, not_a_log."""
    try:
        log = signed_log_from_json(json.loads(_read_text(place)))
    except (ValueError, RecursionError):
        log = None
    if log is None or not log.entries:
        raise Refusal("not_a_log", place=place)
    return log


def load_checkpoint(place: str) -> Checkpoint:
    """Return the latest checkpoint of an older log, or of a file with the checkpoint alone. Refuses:
    no_such_file, no_answer_there, not_a_log."""
    head = checkpoint_from_text(_read_text(place))
    return get_latest_checkpoint(load_log(place).entries) if head is None else head


def _read_text(place: str) -> str:
    is_address = place.startswith(SCHEMES)
    try:
        if is_address:
            with urlopen(place, timeout=TIMEOUT) as answer:  # noqa: S310 - of these schemes only
                return str(answer.read(MAX_BYTES).decode())
        return Path(place).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
    except OSError:
        raise Refusal("no_answer_there" if is_address else "no_such_file", path=place, place=place) from None
