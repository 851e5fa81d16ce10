"""Undo for each line of a club's history: at once or, for hundreds of people, in pieces."""

from collections.abc import Sequence
from functools import partial

from django.db import IntegrityError, models, transaction

from clubs.audit.log import NOBODY, Actor, RecordedRow, deserialize_actor, serialize_actor
from clubs.models import Club, ClubAction, Person
from errors import Refusal
from jobs.models import Job, LongWrite
from jobs.pieces import (
    Progress,
    end_long_write,
    find_long_write,
    get_or_create_long_write,
    ignore_progress,
    rollback_on_failure,
    run_pieces,
    split_into_portions,
    undo_pieces,
)
from jobs.registry import JobCancelledError
from jobs.services import enqueue

from .changes import ClubChange, get_row
from .people_import import LARGE, filter_unused_people, get_imports_topic

UNDO = "undo_club_action"
"""The kind of the undo's jobs."""
BATCHED_KINDS = frozenset({"person", "family"})
"""Kinds of rows that can be inserted or deleted one after the other."""


def undo_club_action(*, club_id: int, action_id: int, by: Actor = NOBODY) -> ClubAction:
    """Undo one line of a club's history; undoing the new line restores the change. Safe to repeat.

    Refuses: no_such_action, cannot_be_undone, changed_since, last_owner.
    """
    action = _find_large_action(club_id, action_id)
    return _undo_now(club_id, action_id, by) if action is None else _undo_in_batches(_begin_undo(action, by))


def undo_for_form(*, club_id: int, action_id: int, by: Actor = NOBODY) -> ClubAction | Job:
    """Undo a change in a club's history. For a long change, gives the background task that undoes it."""
    action = _find_large_action(club_id, action_id)
    if action is None:
        return _undo_now(club_id, action_id, by)
    long_write = _begin_undo(action, by)
    return enqueue(kind=UNDO, key=long_write.key, topic=long_write.topic, club_id=club_id)


def run_undo(key: str, progress: Progress) -> Club:
    """Undo the line with that key, as it was requested. Safe to repeat."""
    long_write = find_long_write(UNDO, key)
    if long_write is not None:
        _undo_in_batches(long_write, progress)
    return Club.objects.get(actions=int(key))


def revert_undo(long_write: LongWrite) -> None:
    """Restore what an interrupted undo has undone so far. Safe to repeat."""
    action = _get_action(long_write)
    portions = split_into_portions(action.rows[::-1])
    undo_pieces(long_write, [partial(_undo_batch, action.club_id, _invert_rows(rows)[::-1]) for rows in portions])


@transaction.atomic
def _undo_now(club_id: int, action_id: int, by: Actor) -> ClubAction:
    change = ClubChange(club_id, "undo", by)
    action: ClubAction
    undo_action: ClubAction | None
    action, undo_action = change.get_undo_pair(action_id)
    if undo_action is not None:
        return undo_action
    if not action.rows:
        raise Refusal("cannot_be_undone")
    _undo_rows(change, action.rows[::-1])
    return _record_action(change, action)


def _find_large_action(club_id: int, action_id: int) -> ClubAction | None:
    """Return the line if it needs pieces and was not undone already."""
    action = ClubAction.objects.filter(club=club_id, pk=action_id, undone_by=None).first()
    if action is None or len(action.rows) < LARGE:
        return None
    is_batchable = all(kind in BATCHED_KINDS and None in (before, after) for kind, _, before, after in action.rows)
    return action if is_batchable else None


def _begin_undo(action: ClubAction, by: Actor) -> LongWrite:
    """Begin an undo in pieces. People who have done something in the club since are found first. Refuses:
    changed_since."""
    long_write = find_long_write(UNDO, str(action.pk))
    if long_write is not None and long_write.done:
        return long_write
    added_ids = [pk for kind, pk, before, _ in action.rows if kind == "person" and before is None]
    if filter_unused_people(Person.objects.filter(pk__in=added_ids)).count() < len(added_ids):
        raise Refusal("changed_since")
    return get_or_create_long_write(
        kind=UNDO,
        key=str(action.pk),
        request={"club": action.club_id, "by": serialize_actor(by)},
        topic=get_imports_topic(action.club),
        undo=revert_undo,
    )


def _undo_in_batches(long_write: LongWrite, progress: Progress = ignore_progress) -> ClubAction:
    action = _get_action(long_write)
    rows = action.rows[::-1]
    lines: list[ClubAction] = []

    def record_undo(long_write: LongWrite) -> None:
        change = ClubChange(action.club_id, "undo", deserialize_actor(long_write.request["by"]))
        change.rows += _invert_rows(rows)
        lines.append(_record_action(change, action))

    pieces = [partial(_undo_batch, action.club_id, batch) for batch in split_into_portions(rows)]
    try:
        with rollback_on_failure(long_write, revert_undo):
            run_pieces(long_write, pieces, progress=progress)
            end_long_write(long_write, record_undo)
    except JobCancelledError:
        undo_action = ClubAction.objects.filter(undoes=action).first()
        if undo_action is None:
            raise
        return undo_action
    return lines[0]


def _get_action(long_write: LongWrite) -> ClubAction:
    return get_row(
        ClubAction.objects.filter(club=long_write.request["club"]), int(long_write.key), refusal_code="no_such_action"
    )


def _invert_rows(rows: Sequence[RecordedRow]) -> list[RecordedRow]:
    """Return the rows as the undo records them, in that order."""
    return [[kind, pk, after, before] for kind, pk, before, after in rows]


def _undo_batch(club_id: int, rows: Sequence[RecordedRow], long_write: LongWrite) -> None:
    _undo_rows(ClubChange(club_id, "undo"), rows)


def _undo_rows(change: ClubChange, rows: Sequence[RecordedRow]) -> None:
    """Undo these rows in their order. Refuses: changed_since."""
    try:
        with transaction.atomic():
            change.undo_rows(rows)
    except (IntegrityError, models.ProtectedError):
        raise Refusal("changed_since") from None


def _record_action(change: ClubChange, action: ClubAction) -> ClubAction:
    return change.record(undoes=action, **change.build_undo_details(action))
