"""Long writes in pieces, each in a transaction so short that no phone in the hall has to wait.

A course records the progress, in the transaction of each piece. A worker that starts again, or beside
another, takes the next piece, and none is done twice (docs/decisions/0025-split-long-writes-into-pieces.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from jobs.models import Course
from jobs.registry import TakeBack
from jobs.running import Cancelled

ROWS = 100
"""Rows per piece, or a few times as many if they are small."""

Piece = Callable[[Course], object]
"""Writes a part, based on the ``kept`` of the course, which it may extend."""
_Item = TypeVar("_Item")

Progress = Callable[[int, int], None]


def nobody_watches(done: int, of: int) -> None:
    """Ignore the progress of work that no page shows."""


def in_portions(
    items: Iterable[_Item], *, weight: Callable[[_Item], int] = lambda item: 1, most: int = ROWS
) -> Iterator[list[_Item]]:
    """Split the items, in order, into lists of at most this weight; a heavier item comes alone."""
    portion: list[_Item] = []
    left = most
    for item in items:
        if portion and weight(item) > left:
            yield portion
            portion, left = [], most
        portion.append(item)
        left -= weight(item)
    if portion:
        yield portion


@contextmanager
def short_transaction() -> Iterator[None]:
    """Run a transaction, then pause for as long. Other processes try SQLite's lock only now and then, and
    would never find it free."""
    with transaction.atomic():
        begun = time.monotonic()
        yield
    if not connection.in_atomic_block:
        time.sleep(time.monotonic() - begun)


def begun_course(
    *, kind: str, key: str, asked: Mapping[str, Any] = {}, topic: str = "", take_back: TakeBack
) -> Course:
    """Return the course of that kind and key, or a new one. If it is being undone, finish that first."""
    course, _ = Course.objects.get_or_create(kind=kind, key=key, defaults={"asked": asked, "topic": topic})
    if course.is_taken_back:
        take_back(course)
    return course


def course_of(kind: str, key: str) -> Course | None:
    """Return the course in progress; None once it has ended."""
    return Course.objects.filter(kind=kind, key=key).first()


def write_in_pieces(course: Course, pieces: Sequence[Piece], *, progress: Progress = nobody_watches) -> None:
    """Do the remaining pieces, each in a short transaction. The pieces must be the same, in the same order,
    at each start.

    Raises Cancelled, if the course is being undone or has ended: do not catch it.
    """
    while course.done < len(pieces):
        progress(course.done, len(pieces))
        with short_transaction():
            _take_turn(course)
            if course.done < len(pieces):
                pieces[course.done](course)
                course.done += 1
                course.touched_at = timezone.now()
                course.save(update_fields=["done", "kept", "touched_at"])


@contextmanager
def rollback_on_failure(course: Course, take_back: TakeBack) -> Iterator[None]:
    """Undo what the course wrote if anything is raised. Cancelled is left to the one who stopped it; after a
    database that is busy or away, the course continues."""
    try:
        yield
    except (Cancelled, OperationalError):
        raise
    except Exception:
        take_back(course)
        raise


def end_course(course: Course, last: Piece) -> None:
    """Write the last piece, which reveals the others, and delete the course. Raises Cancelled."""
    with short_transaction():
        _take_turn(course)
        last(course)
        course.delete()


def rewrite_in_pieces(
    model: type[Model],
    keys: Iterable[int],
    column: str,
    rewritten: Callable[[Mapping[str, Any]], Any],
    *,
    also: Sequence[str] = (),
) -> None:
    """Rewrite this column of those rows, some at a time, from each row's current ``pk``, column
    and ``also``."""
    for some in in_portions(keys):
        with short_transaction():
            rows = model._default_manager.filter(pk__in=some).select_for_update(of=("self",))
            found = list(rows.order_by("pk").values("pk", *{column, *also}))
            changed = [model(pk=row["pk"], **{column: rewritten(row)}) for row in found]
            model._default_manager.bulk_update(changed, [column])


def take_back_course(course: Course, written: Callable[[Course], Iterable[QuerySet[Any]]]) -> None:
    """Delete those rows, some at a time in that order: referring rows come before the rows they point to.
    Afterwards the course is as before its first piece. Safe to repeat, also concurrently."""
    Course.objects.filter(pk=course.pk).update(is_taken_back=True)
    course.refresh_from_db()
    for rows in written(course):
        while _delete_some(course, rows):
            pass
    _begin_anew(course)


def take_back_pieces(course: Course, undo: Sequence[Piece]) -> None:
    """Undo each piece that is done, the last one first. Afterwards the course is as before its first piece.
    Safe to repeat, also concurrently."""
    Course.objects.filter(pk=course.pk).update(is_taken_back=True)
    course.refresh_from_db()
    while course.done:
        with short_transaction():
            now = Course.objects.select_for_update().filter(pk=course.pk, is_taken_back=True).first()
            course.done = 0 if now is None else now.done
            if course.done:
                undo[course.done - 1](course)
                course.done -= 1
                course.save(update_fields=["done"])
    _begin_anew(course)


def _begin_anew(course: Course) -> None:
    Course.objects.filter(pk=course.pk, is_taken_back=True).update(
        done=0, kept={}, is_taken_back=False, touched_at=None
    )
    course.refresh_from_db()


def _delete_some(course: Course, rows: QuerySet[Any]) -> bool:
    with short_transaction():
        is_ours = Course.objects.select_for_update().filter(pk=course.pk, is_taken_back=True).exists()
        some = list(rows.values_list("pk", flat=True)[:ROWS]) if is_ours else []
        # Nothing else is deleted along with these rows, so Django need not look for it.
        rows.model._default_manager.filter(pk__in=some)._raw_delete(rows.db)  # noqa: SLF001
    return bool(some)


def _take_turn(course: Course) -> None:
    """Lock the course and reload its progress; nobody else continues it until the transaction ends."""
    mine = Course.objects.select_for_update().defer("asked")
    now = mine.filter(pk=course.pk, is_taken_back=False).first()
    if now is None:
        raise Cancelled
    course.done, course.kept = now.done, now.kept
