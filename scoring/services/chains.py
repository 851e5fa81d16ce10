"""Digests of a log, written with each of its changes (``scoring.log_chain``)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.log_chain import (
    DAMAGE_PREFIX,
    ChainedMark,
    ChainedResult,
    compute_next_digest,
    compute_seal,
    format_utc,
    get_initial_digest,
    is_status_intact,
)
from scoring.models import Mark, Match

RECORD: Any = Mark._meta.get_field("record_data")
SUMMARY: Any = Match._meta.get_field("summary")


def add_digests(marks: Sequence[Mark], new_marks: Iterable[Mark]) -> None:
    """Give new marks their digests. ``marks`` is the log before them, in its order. In a log of an older
    version they have none until ``complete_chains``."""
    keys = {mark.pk: mark.entry_key.hex for mark in marks}
    last_digest = marks[-1].digest if marks else None
    for mark in new_marks:
        previous = get_initial_digest(mark.match_id) if last_digest is None else last_digest
        mark.digest = compute_next_digest(previous, build_chained_mark(mark, keys)) if previous else ""
        last_digest = mark.digest


def flag_if_damaged(match: Match) -> None:
    """Note, before a change, that the log is not as it was sealed: the change must not seal the damage. No
    query if the marks are loaded."""
    if match.log_digest and not match.is_damaged and not is_status_intact(match.log_digest, build_log_chain(match)):
        match.log_digest = DAMAGE_PREFIX + match.log_digest


def seal_match(match: Match) -> None:
    """Seal the log and the result, as part of a change. No query if the marks are loaded."""
    if not match.is_damaged:
        log = build_log_chain(match)
        match.log_digest = compute_seal(log, build_chained_result(match)) if all(mark.digest for mark in log) else ""


def build_log_chain(match: Match) -> list[ChainedMark]:
    """Return the log as its digests cover it. No query if the marks are loaded."""
    return build_chain(match.written_marks)


def build_chain(marks: Sequence[Mark]) -> list[ChainedMark]:
    """Return these marks, in their order, as digests cover them."""
    keys = {mark.pk: mark.entry_key.hex for mark in marks}
    return [build_chained_mark(mark, keys) for mark in marks]


def build_chained_result(match: Match) -> ChainedResult:
    """Return the result as the seal covers it."""
    return ChainedResult(
        card=match.card_id,
        terms=match.terms_id,
        round_number=match.round_number,
        first_dealer=match.first_dealer,
        summary=SUMMARY.to_stored(match.summary),
        is_over=match.is_over,
        has_rivals=match.has_rivals,
    )


def build_chained_mark(mark: Mark, keys: Mapping[int, str]) -> ChainedMark:
    """Return a mark as its digest covers it; ``keys`` are those of the marks before it, by their ids."""
    return ChainedMark(
        number=mark.number,
        key=mark.entry_key.hex,
        record=RECORD.to_stored(mark.record_data),
        supersedes=None if mark.supersedes_id is None else keys.get(mark.supersedes_id, "?"),
        saw_only=mark.saw_only,
        waited=mark.waited,
        reason=mark.reason,
        device=mark.device,
        account=mark.account_id,
        written_by=mark.written_by,
        at=format_utc(mark.created_at),
        status=str(mark.status),
        digest=mark.digest,
    )
