"""Time called by the director: unfinished matches end as they stand, and go on again if that is undone."""

from collections.abc import Iterable, Iterator
from uuid import uuid4

from django.db import transaction

from clubs.models import Account
from errors import Refusal
from rules import Record, TimeCall, UndoneRecord
from scoring.fold import load_log
from scoring.log_values import MarkStatus
from scoring.logs import Log, place_mark
from scoring.models import Mark, Match

from .marks import write_mark
from .match_changes import lock_match, save_change


@transaction.atomic
def call_time(*, match_ids: Iterable[int], account: Account | None = None, reason: str = "") -> list[Match]:
    """End these matches as they stand, and return those that it ended, or sent to an extra hand. A match that
    is over or called already, or has two marks for one hand, stays as it is."""
    open_matches = [
        (match, log)
        for match, log in _lock_matches(match_ids)
        if not match.is_over and not log.rivals and not _is_called(log)
    ]
    for match, log in open_matches:
        _write_record(match, log, log.next_number, TimeCall(), account, reason)
    return [match for match, _ in open_matches]


@transaction.atomic
def withdraw_time_call(*, match_ids: Iterable[int], account: Account | None = None, reason: str = "") -> None:
    """Let these matches go on after the time was called. Refuses: changed_since, if something else was
    recorded there since."""
    for match, log in _lock_matches(match_ids):
        last_value = log.active.get(log.last_number)
        if last_value is None or log.rivals or not isinstance(last_value[1], TimeCall):
            raise Refusal("changed_since")
        _write_record(match, log, log.last_number, UndoneRecord(), account, reason, supersedes=last_value[0])


def _is_called(log: Log[Mark]) -> bool:
    return any(isinstance(record, TimeCall) for _, record in log.active.values())


def _lock_matches(match_ids: Iterable[int]) -> Iterator[tuple[Match, Log[Mark]]]:
    """Lock the matches in one order, so that two requests cannot deadlock."""
    for pk in sorted(match_ids):
        match = lock_match(pk)
        yield match, load_log(match)


def _write_record(
    match: Match,
    log: Log[Mark],
    number: int,
    record: Record,
    account: Account | None,
    reason: str,
    *,
    supersedes: Mark | None = None,
) -> None:
    placement = place_mark(log, number, record, supersedes=supersedes)
    assert placement.status == MarkStatus.CURRENT, "the log is locked, and the place is as it was seen"
    write_mark(
        match,
        log,
        record,
        placement,
        number=number,
        entry_key=uuid4(),
        supersedes=supersedes,
        reason=reason,
        account=account,
    )
    save_change(match, log=log)
