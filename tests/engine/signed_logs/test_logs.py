"""A club's log: whatever of its past is changed, left out or put in is found by who only has the log."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.signed_logs import (
    EntryKind,
    SignedEntry,
    SignedLog,
    checkpoint_from_text,
    checkpoint_in,
    fingerprint,
    head_of,
    new_private_key,
    next_entry,
    public_of,
    signed_log_from_json,
    signed_log_to_json,
    signed_note,
)

FIRST, SECOND, STRANGER = (new_private_key() for _ in range(3))


def a_log(size: int = 6, *, key: str = FIRST) -> SignedLog:
    """Of so many events, with another key after the second one."""
    entries: list[SignedEntry] = []
    for number in range(1, size + 1):
        says = {"event": f"e{number}", "sum": f"{number:064}", "standings": f"{number:064}"}
        kind = EntryKind.FINAL
        if number == 3:
            kind, says = EntryKind.KEY, {"new_key": public_of(SECOND)}
        entries.append(_next(entries, kind, key, says))
        key = SECOND if number == 3 else key
    return with_head(entries, key)


def _next(entries: list[SignedEntry], kind: EntryKind, key: str, says: dict[str, str]) -> SignedEntry:
    at = "2026-11-22T22:00:00+00:00"
    before = entries[-1] if entries else None
    return next_entry(before, kind=kind, at=at, private=key, public=public_of(key), **says)


def with_head(entries: list[SignedEntry], key: str = SECOND) -> SignedLog:
    note = signed_note(head_of(entries), private=key, public=public_of(key))
    return SignedLog(entries=tuple(entries), checkpoint=note)


def codes(log: SignedLog, pinned: str = "") -> set[str]:
    return {each.what for each in log.faults(pinned=pinned)}


def test_a_log_as_it_was_written_has_no_fault_also_as_a_file() -> None:
    log = a_log()
    assert log.faults() == []
    assert signed_log_from_json(signed_log_to_json(log, club="Les Atouts")) == log


def test_it_is_known_by_any_key_that_it_had() -> None:
    for key in (FIRST, SECOND):
        assert codes(a_log(), fingerprint(public_of(key))) == set()
        assert codes(a_log(), public_of(key)) == set()
    assert codes(a_log(), fingerprint(public_of(STRANGER))) == {"log_without_key"}


def _changed(log: SignedLog) -> SignedLog:
    entries = list(log.entries)
    entries[1] = replace(entries[1], entry={**entries[1].entry, "sum": "0" * 64})
    return with_head(entries)


def _left_out(log: SignedLog) -> SignedLog:
    return with_head([*log.entries[:1], *log.entries[2:]])


def _put_in_by_a_stranger(log: SignedLog) -> SignedLog:
    return with_head([*log.entries, _next(list(log.entries), EntryKind.FINAL, STRANGER, {})])


def _exchanged(log: SignedLog) -> SignedLog:
    return with_head([log.entries[1], log.entries[0], *log.entries[2:]])


def _shortened(log: SignedLog) -> SignedLog:
    return replace(log, entries=log.entries[:-1])


def _head_of_a_stranger(log: SignedLog) -> SignedLog:
    return with_head(list(log.entries), STRANGER)


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (_changed, {"log_not_signed", "log_not_chained"}),
        (_left_out, {"log_not_chained"}),
        (_put_in_by_a_stranger, {"log_other_key", "log_head_is_other"}),
        (_exchanged, {"log_not_chained"}),
        (_shortened, {"log_head_is_other"}),
        (_head_of_a_stranger, {"log_head_is_other"}),
    ],
)
def test_what_was_done_to_its_past_is_found(forge: Callable[[SignedLog], SignedLog], found: set[str]) -> None:
    assert codes(forge(a_log())) == found


def test_a_log_written_anew_does_not_go_on_from_what_somebody_has_kept() -> None:
    """Its owner has the key and can sign whatever they like: who kept a head finds it."""
    older, newer = a_log(4), a_log(6)
    kept = checkpoint_from_text(older.checkpoint)
    assert kept is not None
    rewritten = with_head([_next([], EntryKind.FINAL, SECOND, {"sum": "1" * 64}), *newer.entries[1:]])
    assert newer.goes_on_from(kept)
    assert not rewritten.goes_on_from(kept)
    assert not older.goes_on_from(head_of(newer.entries))


def test_its_head_is_a_signed_note_as_others_read_it() -> None:
    log = a_log()
    text, signed = log.checkpoint.split("\n\n")
    origin, size, root = text.split("\n")
    assert (int(size), len(root)) == (6, 44)
    assert signed.startswith(f"— {origin} ")
    assert checkpoint_in(log.checkpoint, public=public_of(SECOND)) == head_of(log.entries)
    assert checkpoint_in(log.checkpoint, public=public_of(FIRST)) is None
    assert checkpoint_in(log.checkpoint.replace("\n6\n", "\n7\n"), public=public_of(SECOND)) is None


@pytest.mark.parametrize("text", ["", "a\n\nb", "a\nb\nc\n\n— a x", "a\n1\nAA==\n\n- a AAAA"])
def test_another_text_is_no_head(text: str) -> None:
    assert checkpoint_from_text(text) is None


@pytest.mark.parametrize(
    "plain",
    [
        [],
        {},
        {"charlemagne_log": 2, "checkpoint": "", "entries": []},
        {"charlemagne_log": 1, "checkpoint": "", "entries": [{}]},
        {"charlemagne_log": 1, "checkpoint": "", "entries": [{"entry": {"number": "1"}, "signature": ""}]},
    ],
)
def test_another_file_is_no_log(plain: object) -> None:
    assert signed_log_from_json(plain) is None
