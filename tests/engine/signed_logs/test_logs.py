"""A club's results log: anyone who has the log can detect changed, missing and inserted entries."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.signed_logs import (
    EntryKind,
    SignedEntry,
    SignedLog,
    build_next_entry,
    build_signed_note,
    checkpoint_from_text,
    generate_private_key,
    get_fingerprint,
    get_latest_checkpoint,
    get_public_key,
    get_signed_checkpoint,
    signed_log_from_json,
    signed_log_to_json,
)

FIRST, SECOND, STRANGER = (generate_private_key() for _ in range(3))


def build_log(size: int = 6, *, key: str = FIRST) -> SignedLog:
    """Build a log of this size, whose third entry announces a new key."""
    entries: list[SignedEntry] = []
    for number in range(1, size + 1):
        says = {"event": f"e{number}", "sum": f"{number:064}", "standings": f"{number:064}"}
        kind = EntryKind.FINAL
        if number == 3:
            kind, says = EntryKind.KEY, {"new_key": get_public_key(SECOND)}
        entries.append(_build_next_entry(entries, kind, key, says))
        key = SECOND if number == 3 else key
    return add_checkpoint(entries, key)


def _build_next_entry(entries: list[SignedEntry], kind: EntryKind, key: str, says: dict[str, str]) -> SignedEntry:
    at = "2026-11-22T22:00:00+00:00"
    before = entries[-1] if entries else None
    return build_next_entry(before, kind=kind, timestamp=at, private=key, public=get_public_key(key), **says)


def add_checkpoint(entries: list[SignedEntry], key: str = SECOND) -> SignedLog:
    note = build_signed_note(get_latest_checkpoint(entries), private=key, public=get_public_key(key))
    return SignedLog(entries=tuple(entries), checkpoint=note)


def list_fault_codes(log: SignedLog, pinned: str = "") -> set[str]:
    return {each.kind for each in log.find_faults(pinned_key=pinned)}


def test_unchanged_log_has_no_faults() -> None:
    log = build_log()
    assert log.find_faults() == []
    assert signed_log_from_json(signed_log_to_json(log, club="Les Atouts")) == log


def test_log_verifies_against_any_key_it_had() -> None:
    for key in (FIRST, SECOND):
        assert list_fault_codes(build_log(), get_fingerprint(get_public_key(key))) == set()
        assert list_fault_codes(build_log(), get_public_key(key)) == set()
    assert list_fault_codes(build_log(), get_fingerprint(get_public_key(STRANGER))) == {"log_without_key"}


def _change_entry(log: SignedLog) -> SignedLog:
    entries = list(log.entries)
    entries[1] = replace(entries[1], entry={**entries[1].entry, "sum": "0" * 64})
    return add_checkpoint(entries)


def _omit_entry(log: SignedLog) -> SignedLog:
    return add_checkpoint([*log.entries[:1], *log.entries[2:]])


def _put_in_by_a_stranger(log: SignedLog) -> SignedLog:
    return add_checkpoint([*log.entries, _build_next_entry(list(log.entries), EntryKind.FINAL, STRANGER, {})])


def _exchange_entries(log: SignedLog) -> SignedLog:
    return add_checkpoint([log.entries[1], log.entries[0], *log.entries[2:]])


def _shorten_log(log: SignedLog) -> SignedLog:
    return replace(log, entries=log.entries[:-1])


def _sign_with_foreign_key(log: SignedLog) -> SignedLog:
    return add_checkpoint(list(log.entries), STRANGER)


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (_change_entry, {"log_not_signed", "log_not_chained"}),
        (_omit_entry, {"log_not_chained"}),
        (_put_in_by_a_stranger, {"log_other_key", "log_head_is_other"}),
        (_exchange_entries, {"log_not_chained"}),
        (_shorten_log, {"log_head_is_other"}),
        (_sign_with_foreign_key, {"log_head_is_other"}),
    ],
)
def test_tampering_with_past_entries_is_detected(forge: Callable[[SignedLog], SignedLog], found: set[str]) -> None:
    assert list_fault_codes(forge(build_log())) == found


def test_rewritten_log_does_not_extend_a_saved_checkpoint() -> None:
    """The owner can sign a rewritten log, but a reader who saved a checkpoint detects it."""
    older, newer = build_log(4), build_log(6)
    checkpoint = checkpoint_from_text(older.checkpoint)
    assert checkpoint is not None
    rewritten = add_checkpoint([_build_next_entry([], EntryKind.FINAL, SECOND, {"sum": "1" * 64}), *newer.entries[1:]])
    assert newer.is_extension_of(checkpoint)
    assert not rewritten.is_extension_of(checkpoint)
    assert not older.is_extension_of(get_latest_checkpoint(newer.entries))


def test_checkpoint_is_a_standard_signed_note() -> None:
    log = build_log()
    text, signed = log.checkpoint.split("\n\n")
    origin, size, root = text.split("\n")
    assert (int(size), len(root)) == (6, 44)
    assert signed.startswith(f"— {origin} ")
    assert get_signed_checkpoint(log.checkpoint, public=get_public_key(SECOND)) == get_latest_checkpoint(log.entries)
    assert get_signed_checkpoint(log.checkpoint, public=get_public_key(FIRST)) is None
    assert get_signed_checkpoint(log.checkpoint.replace("\n6\n", "\n7\n"), public=get_public_key(SECOND)) is None


@pytest.mark.parametrize("text", ["", "a\n\nb", "a\nb\nc\n\n— a x", "a\n1\nAA==\n\n- a AAAA"])
def test_malformed_checkpoint_text_is_rejected(text: str) -> None:
    assert checkpoint_from_text(text) is None


@pytest.mark.parametrize(
    "log_json",
    [
        [],
        {},
        {"charlemagne_log": 2, "checkpoint": "", "entries": []},
        {"charlemagne_log": 1, "checkpoint": "", "entries": [{}]},
        {"charlemagne_log": 1, "checkpoint": "", "entries": [{"entry": {"number": "1"}, "signature": ""}]},
    ],
)
def test_malformed_log_file_is_rejected(log_json: object) -> None:
    assert signed_log_from_json(log_json) is None
