"""The entries of a club's log of final standings: each signed, and bound to the one before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.checksums import to_canonical_json

from .checkpoints import Checkpoint, get_signed_checkpoint, read_note
from .keys import create_signature, get_fingerprint, is_key_match, is_signed
from .merkle import compute_root, hash_leaf

VERSION = 1
"""The version of the format of entries and logs."""
MARK = "charlemagne_log"
_DIGITS = frozenset("0123456789abcdef")


class EntryKind(StrEnum):
    """The kinds of entry: standings are final, are final after a correction, are no longer final; the club
    has another key."""

    FINAL = "final"
    CORRECTED = "corrected"
    WITHDRAWN = "withdrawn"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class SignedEntry:
    """An entry as JSON::

        {"charlemagne_log": 1, "number": 7, "kind": "final", "at": "2026-11-22T22:04:00+00:00",
         "event": "9c41…", "sum": "…", "standings": "…", "before": "…", "key": "…"}

    ``event`` tells which entries speak of one event, and nothing else of it; ``sum`` and ``standings`` are of
    its file. ``before`` is the hash of the entry before, "" in the first one; ``key`` the public half of what
    has signed it. One of the kind ``key`` has a ``new_key`` and speaks of no event.
    """

    entry: Mapping[str, Any]
    signature: str

    @property
    def canonical_bytes(self) -> bytes:
        """The bytes that are signed, also the leaf of the tree."""
        return to_canonical_json(dict(self.entry))

    @property
    def hash(self) -> bytes:
        return hash_leaf(self.canonical_bytes)

    @property
    def is_signed(self) -> bool:
        """Whether the key in the entry has signed it."""
        return is_signed(self.canonical_bytes, self.signature, self.entry["key"])


def build_next_entry(
    previous: SignedEntry | None, *, kind: EntryKind, timestamp: str, private: str, public: str, **details: str
) -> SignedEntry:
    """Return the next entry after this one, signed."""
    entry = {
        MARK: VERSION,
        "number": 1 if previous is None else previous.entry["number"] + 1,
        "kind": kind.value,
        "at": timestamp,
        "before": _get_hash(previous),
        "key": public,
        **details,
    }
    return SignedEntry(entry, create_signature(to_canonical_json(entry), private))


def _get_hash(previous: SignedEntry | None) -> str:
    """Return the hash of an entry as the next one stores it."""
    return "" if previous is None else previous.hash.hex()


def get_log_origin(first_key: str) -> str:
    """Return the name of a log, wherever it is: by its first key."""
    return f"charlemagne-log/{get_fingerprint(first_key).replace(' ', '')}"


def get_latest_checkpoint(entries: Sequence[SignedEntry]) -> Checkpoint:
    """Return the latest checkpoint of a log of one entry at least."""
    return Checkpoint(
        origin=get_log_origin(entries[0].entry["key"]),
        size=len(entries),
        root=compute_root([each.hash for each in entries]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault in a log: its ``kind``, and the number of its entry, 0 if it concerns no single entry."""

    kind: str
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedLog:
    """A published log: its ``entries``, and its latest checkpoint as a signed note."""

    entries: tuple[SignedEntry, ...]
    checkpoint: str

    def find_faults(self, *, pinned_key: str = "") -> list[Fault]:
        """Return the faults: entries that were changed, left out or inserted, or a missing ``pinned_key``.

        The pinned key must be the first key of the log, or one that replaced it by signed changes.
        """
        found: list[Fault] = []
        previous: SignedEntry | None = None
        key, keys = "", []
        for number, each in enumerate(self.entries, start=1):
            key = key or each.entry["key"]
            if (each.entry["number"], each.entry["before"]) != (number, _get_hash(previous)):
                found.append(Fault(kind="log_not_chained", number=number))
            if not each.is_signed:
                found.append(Fault(kind="log_not_signed", number=number))
            if each.entry["key"] != key:
                found.append(Fault(kind="log_other_key", number=number))
                key = each.entry["key"]
            keys.append(key)
            key, previous = each.entry.get("new_key", key), each
        if not self.entries or get_signed_checkpoint(self.checkpoint, public=key) != get_latest_checkpoint(
            self.entries
        ):
            found.append(Fault(kind="log_head_is_other"))
        if pinned_key and not any(is_key_match(each, pinned_key) for each in (*keys, key) if each):
            found.append(Fault(kind="log_without_key"))
        return found

    def is_extension_of(self, older: Checkpoint) -> bool:
        """Return whether the log has all entries of an older checkpoint, in its order."""
        return 0 < older.size <= len(self.entries) and get_latest_checkpoint(self.entries[: older.size]) == older

    def has_entry(self, signed_entry: SignedEntry) -> bool:
        place: int = signed_entry.entry["number"] - 1
        return 0 <= place < len(self.entries) and self.entries[place] == signed_entry


def signed_log_to_json(log: SignedLog, **extra: Any) -> dict[str, Any]:
    """Return the log as JSON data; ``extra`` are additional fields for readers."""
    return {
        MARK: VERSION,
        **extra,
        "checkpoint": log.checkpoint,
        "entries": [{"entry": dict(each.entry), "signature": each.signature} for each in log.entries],
    }


def signed_log_from_json(data: Any) -> SignedLog | None:
    """Return the log from the output of ``signed_log_to_json``; None if it is not one."""
    if not isinstance(data, dict) or data.get(MARK) != VERSION or not isinstance(data.get("checkpoint"), str):
        return None
    entries = [signed_entry_from_json(each) for each in data.get("entries", ()) or ()]
    if None in entries:
        return None
    return SignedLog(entries=tuple(each for each in entries if each is not None), checkpoint=data["checkpoint"])


def signed_entry_from_json(data: Any) -> SignedEntry | None:
    """Return an entry with its signature, from ``{"entry": …, "signature": …}``; None if it is not one."""
    if not isinstance(data, dict) or not isinstance(entry := data.get("entry"), dict):
        return None
    is_text = all(isinstance(value, str) for name, value in entry.items() if name not in (MARK, "number"))
    has_all = {MARK, "number", "kind", "at", "before", "key"} <= entry.keys() and type(entry["number"]) is int
    has_key = has_all and is_text and len(entry["key"]) == 64 and set(entry["key"]) <= _DIGITS
    if not has_key or not isinstance(signature := data.get("signature"), str):
        return None
    return SignedEntry(entry, signature)


def checkpoint_from_text(text: str) -> Checkpoint | None:
    """Return the checkpoint of a stored note, without checking who signed it; None if it is not one."""
    parsed = read_note(text)
    return None if parsed is None else parsed[0]
