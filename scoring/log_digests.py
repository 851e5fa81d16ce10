"""The running digest of a match's log, which phones keep beside the log as the server sent it.

It is sealed with the key of the installation. So a phone that sends the last digest it received shows whether
this server still has that log. And a server restored to an older state recognizes its own log when a phone
sends it back (docs/decisions/0046-restore-logs-from-phones.md).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hmac import HMAC
from typing import Any

from django.utils.crypto import constant_time_compare, salted_hmac

from .models import Mark, Match

SALT = "scoring.log"
"""Salt of the digests. Phones keep digests over an upgrade: never change it, even if the module is
renamed."""


JsonObject = Mapping[str, Any]

ATTRIBUTE_FIELDS = ("number", "saw_only", "is_directors", "director", "helper")
LINE_FIELDS = (*ATTRIBUTE_FIELDS, "key", "record", "supersedes", "created_at")
"""The fields of a line that never change. Its status, which may change later, is not in the digest."""


def get_match_identity(match: Match) -> JsonObject:
    """Return the identity of a match without its primary key: it also holds after a round is drawn again."""
    return {
        "evening": match.card.topic,
        "round": match.round_number,
        "table": match.card.number,
        "opened_at": match.opened_at.isoformat(),
        "names": [player.person.name for player in match.seated_players],
    }


def lines_to_json(lines: Sequence[Mark]) -> list[JsonObject]:
    """Convert the lines of a log to JSON, with entry keys for references."""
    keys = {mark.pk: str(mark.entry_key) for mark in lines}
    return [
        {
            **{name: getattr(mark, name) for name in ATTRIBUTE_FIELDS},
            "key": keys[mark.pk],
            "record": mark.record_data,
            "supersedes": None if mark.supersedes_id is None else keys[mark.supersedes_id],
            "created_at": mark.created_at.isoformat(),
        }
        for mark in lines
    ]


def iter_running_digests(identity: JsonObject, lines: Iterable[JsonObject]) -> Iterator[str]:
    """Yield ``COUNT.DIGEST`` of the empty log, and after each of its lines."""
    seal = salted_hmac(SALT, "", algorithm="sha256")
    digest = _compute_next_digest(seal, "", identity)
    yield f"0.{digest}"
    for count, line in enumerate(lines, start=1):
        digest = _compute_next_digest(seal, digest, {name: line[name] for name in LINE_FIELDS})
        yield f"{count}.{digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentLog:
    """A match's log as phones keep it: which match, its lines, and its running ``digests``, the latest one
    last."""

    identity: JsonObject
    lines: Sequence[JsonObject]
    digests: Sequence[str]


def build_sent_log(match: Match) -> SentLog:
    """Return the log of a match as phones keep it. No query, if its card, players and marks came with it."""
    identity, lines = get_match_identity(match), lines_to_json(match.written_marks)
    return SentLog(identity=identity, lines=lines, digests=list(iter_running_digests(identity, lines)))


def is_sealed(identity: JsonObject, lines: Iterable[JsonObject], digest: str) -> bool:
    """Check whether this server sent exactly this log."""
    *_, last = iter_running_digests(identity, lines)
    return constant_time_compare(last, digest)


def is_marked_log_digest(digest: str) -> bool:
    return not digest.startswith("0.")


_encode_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def _compute_next_digest(seal: HMAC, previous: str, data: Mapping[str, Any]) -> str:
    """Return the next running digest. ``seal`` has the key of the installation, and nothing else yet."""
    mac = seal.copy()
    mac.update(f"{previous}\n{_encode_json(data)}".encode())
    return mac.hexdigest()[:24]
