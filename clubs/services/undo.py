"""Undo for each line of a club's history: at once or, for hundreds of people, in pieces."""

from collections.abc import Sequence
from functools import partial

from django.db import IntegrityError, models, transaction

from clubs.audit.log import NOBODY, Actor, RecordedRow, actor_from_json, actor_to_json
from clubs.models import Club, ClubAction, Person
from errors import Refusal
from jobs.models import Course, Job
from jobs.pieces import (
    Progress,
    begun_course,
    course_of,
    end_course,
    in_portions,
    nobody_watches,
    rollback_on_failure,
    take_back_pieces,
    write_in_pieces,
)
from jobs.running import Cancelled
from jobs.services import enqueue

from .changes import ClubChange
from .people_import import LARGE, imports_topic, without_traces
from .validators import row_or_refuse

UNDO = "undo_club_action"
"""The kind of the undo's jobs."""
IN_PIECES = frozenset({"person", "family"})
"""Kinds of rows that can be inserted or deleted one after the other."""


def undo_club_action(*, club_id: int, action_id: int, by: Actor = NOBODY) -> ClubAction:
    """Undo one line of a club's history; undoing the new line restores the change. Safe to repeat.

    Refuses: no_such_action, cannot_be_undone, changed_since, last_owner.
    """
    action = _long(club_id, action_id)
    return _undone(club_id, action_id, by) if action is None else _undone_in_pieces(_begin_undo(action, by))


def undo_for_form(*, club_id: int, action_id: int, by: Actor = NOBODY) -> ClubAction | Job:
    """Undo a change in a club's history. For a long change, gives the background task that undoes it."""
    action = _long(club_id, action_id)
    if action is None:
        return _undone(club_id, action_id, by)
    course = _begin_undo(action, by)
    return enqueue(kind=UNDO, key=course.key, topic=course.topic, club_id=club_id)


def undo_asked_action(key: str, progress: Progress) -> Club:
    """Undo the line with that key, as it was requested. Safe to repeat."""
    course = course_of(UNDO, key)
    if course is not None:
        _undone_in_pieces(course, progress)
    return Club.objects.get(actions=int(key))


def take_back_undo(course: Course) -> None:
    """Restore what an interrupted undo has undone so far. Safe to repeat."""
    action = _action_of(course)
    portions = in_portions(action.rows[::-1])
    take_back_pieces(
        course, [partial(_take_back, action.club_id, _opposite(rows)[::-1]) for rows in portions]
    )


@transaction.atomic
def _undone(club_id: int, action_id: int, by: Actor) -> ClubAction:
    change = ClubChange(club_id, "undo", by)
    action: ClubAction
    known: ClubAction | None
    action, known = change.to_undo(action_id)
    if known is not None:
        return known
    if not action.rows:
        raise Refusal("cannot_be_undone")
    _take_back_rows(change, action.rows[::-1])
    return _keep_line(change, action)


def _long(club_id: int, action_id: int) -> ClubAction | None:
    """Return the line if it needs pieces and was not undone already."""
    action = ClubAction.objects.filter(club=club_id, pk=action_id, undone_by=None).first()
    if action is None or len(action.rows) < LARGE:
        return None
    come_or_go = all(kind in IN_PIECES and None in (before, after) for kind, _, before, after in action.rows)
    return action if come_or_go else None


def _begin_undo(action: ClubAction, by: Actor) -> Course:
    """Begin an undo in pieces. People who have done something in the club since are found first. Refuses:
    changed_since."""
    begun = course_of(UNDO, str(action.pk))
    if begun is not None and begun.done:
        return begun
    come = [pk for kind, pk, before, _ in action.rows if kind == "person" and before is None]
    if without_traces(Person.objects.filter(pk__in=come)).count() < len(come):
        raise Refusal("changed_since")
    return begun_course(
        kind=UNDO,
        key=str(action.pk),
        asked={"club": action.club_id, "by": actor_to_json(by)},
        topic=imports_topic(action.club),
        take_back=take_back_undo,
    )


def _undone_in_pieces(course: Course, progress: Progress = nobody_watches) -> ClubAction:
    action = _action_of(course)
    rows = action.rows[::-1]
    lines: list[ClubAction] = []

    def last(course: Course) -> None:
        change = ClubChange(action.club_id, "undo", actor_from_json(course.asked["by"]))
        change.rows += _opposite(rows)
        lines.append(_keep_line(change, action))

    pieces = [partial(_take_back, action.club_id, some) for some in in_portions(rows)]
    try:
        with rollback_on_failure(course, take_back_undo):
            write_in_pieces(course, pieces, progress=progress)
            end_course(course, last)
    except Cancelled:
        known = ClubAction.objects.filter(undoes=action).first()
        if known is None:
            raise
        return known
    return lines[0]


def _action_of(course: Course) -> ClubAction:
    return row_or_refuse(
        ClubAction.objects.filter(club=course.asked["club"]), int(course.key), otherwise="no_such_action"
    )


def _opposite(rows: Sequence[RecordedRow]) -> list[RecordedRow]:
    """Return the rows as the undo records them, in that order."""
    return [[kind, pk, after, before] for kind, pk, before, after in rows]


def _take_back(club_id: int, rows: Sequence[RecordedRow], course: Course) -> None:
    _take_back_rows(ClubChange(club_id, "undo"), rows)


def _take_back_rows(change: ClubChange, rows: Sequence[RecordedRow]) -> None:
    """Undo these rows in their order. Refuses: changed_since."""
    try:
        with transaction.atomic():
            change.take_back_rows(rows)
    except (IntegrityError, models.ProtectedError):
        raise Refusal("changed_since") from None


def _keep_line(change: ClubChange, action: ClubAction) -> ClubAction:
    return change.record(undoes=action, **change.details_of_undo(action))
