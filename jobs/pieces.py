"""Long writes in pieces, each in a transaction so short that no phone in the hall has to wait.

A course records the progress, in the transaction of each piece. A worker that starts again, or beside
another, takes the next piece, and none is done twice (docs/decisions/0025-split-long-writes-into-pieces.md).
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from jobs.models import Course
from jobs.registry import JobCancelledError, UndoCourse

ROWS_PER_PIECE = 100
"""Rows per piece, or a few times as many if they are small."""

Piece = Callable[[Course], object]
"""Writes a part, based on the ``kept`` of the course, which it may extend."""
_Item = TypeVar("_Item")

Progress = Callable[[int, int], None]


def ignore_progress(done: int, total: int) -> None:
    """Ignore the progress of work that no page shows."""


def split_into_portions(
    items: Iterable[_Item], *, weight: Callable[[_Item], int] = lambda item: 1, max_weight: int = ROWS_PER_PIECE
) -> Iterator[list[_Item]]:
    """Split the items, in order, into lists of at most this weight; a heavier item comes alone."""
    portion: list[_Item] = []
    remaining = max_weight
    for item in items:
        if portion and weight(item) > remaining:
            yield portion
            portion, remaining = [], max_weight
        portion.append(item)
        remaining -= weight(item)
    if portion:
        yield portion


@contextmanager
def short_transaction() -> Iterator[None]:
    """Run a transaction, then pause for as long. Other processes try SQLite's lock only now and then, and
    would never find it free."""
    with transaction.atomic():
        started_at = time.monotonic()
        yield
    if not connection.in_atomic_block:
        time.sleep(time.monotonic() - started_at)


def get_or_create_course(
    *, kind: str, key: str, request: Mapping[str, Any] = {}, topic: str = "", undo: UndoCourse
) -> Course:
    """Return the course of that kind and key, or a new one. If it is being undone, finish that first."""
    course, _ = Course.objects.get_or_create(kind=kind, key=key, defaults={"asked": request, "topic": topic})
    if course.is_taken_back:
        undo(course)
    return course


def find_course(kind: str, key: str) -> Course | None:
    """Return the course in progress; None once it has ended."""
    return Course.objects.filter(kind=kind, key=key).first()


def run_pieces(course: Course, pieces: Sequence[Piece], *, progress: Progress = ignore_progress) -> None:
    """Do the remaining pieces, each in a short transaction. The pieces must be the same, in the same order,
    at each start.

    Raises JobCancelledError, if the course is being undone or has ended: do not catch it.
    """
    while course.done < len(pieces):
        progress(course.done, len(pieces))
        with short_transaction():
            _lock_course(course)
            if course.done < len(pieces):
                pieces[course.done](course)
                course.done += 1
                course.touched_at = timezone.now()
                course.save(update_fields=["done", "kept", "touched_at"])


@contextmanager
def rollback_on_failure(course: Course, undo: UndoCourse) -> Iterator[None]:
    """Undo what the course wrote if anything is raised. JobCancelledError is left to the one who stopped it; after a
    database that is busy or away, the course continues."""
    try:
        yield
    except (JobCancelledError, OperationalError):
        raise
    except Exception:
        undo(course)
        raise


def end_course(course: Course, last_piece: Piece) -> None:
    """Write the last piece, which reveals the others, and delete the course. Raises JobCancelledError."""
    with short_transaction():
        _lock_course(course)
        last_piece(course)
        course.delete()


def rewrite_rows(
    model: type[Model],
    keys: Iterable[int],
    column: str,
    rewrite: Callable[[Mapping[str, Any]], Any],
    *,
    extra_columns: Sequence[str] = (),
) -> None:
    """Rewrite this column of those rows, some at a time, from each row's current ``pk``, column
    and ``extra_columns``."""
    for portion in split_into_portions(keys):
        with short_transaction():
            rows = model._default_manager.filter(pk__in=portion).select_for_update(of=("self",))
            found = list(rows.order_by("pk").values("pk", *{column, *extra_columns}))
            changed = [model(pk=row["pk"], **{column: rewrite(row)}) for row in found]
            model._default_manager.bulk_update(changed, [column])


def undo_course(course: Course, list_rows: Callable[[Course], Iterable[QuerySet[Any]]]) -> None:
    """Delete those rows, some at a time in that order: referring rows come before the rows they point to.
    Afterwards the course is as before its first piece. Safe to repeat, also concurrently."""
    Course.objects.filter(pk=course.pk).update(is_taken_back=True)
    course.refresh_from_db()
    for rows in list_rows(course):
        while _delete_portion(course, rows):
            pass
    _reset_course(course)


def undo_pieces(course: Course, undo: Sequence[Piece]) -> None:
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
    _reset_course(course)


def _reset_course(course: Course) -> None:
    Course.objects.filter(pk=course.pk, is_taken_back=True).update(
        done=0, kept={}, is_taken_back=False, touched_at=None
    )
    course.refresh_from_db()


def _delete_portion(course: Course, rows: QuerySet[Any]) -> bool:
    with short_transaction():
        is_ours = Course.objects.select_for_update().filter(pk=course.pk, is_taken_back=True).exists()
        pks = list(rows.values_list("pk", flat=True)[:ROWS_PER_PIECE]) if is_ours else []
        # Nothing else is deleted along with these rows, so Django need not look for it.
        rows.model._default_manager.filter(pk__in=pks)._raw_delete(rows.db)  # noqa: SLF001
    return bool(pks)


def _lock_course(course: Course) -> None:
    """Lock the course and reload its progress; nobody else continues it until the transaction ends."""
    mine = Course.objects.select_for_update().defer("asked")
    now = mine.filter(pk=course.pk, is_taken_back=False).first()
    if now is None:
        raise JobCancelledError
    course.done, course.kept = now.done, now.kept
