"""Long writing in pieces: each a transaction of its own, so short that no phone in the hall waits for it.

A course remembers how far such work is. Its row is written with each piece, so whoever begins again, or goes
on beside the first one, takes the next piece, and none is done twice
(docs/decisions/0025-split-long-writes-into-pieces.md).
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
"""As many rows are written in one piece, or a few times as many where they are small."""

Piece = Callable[[Course], object]
"""Writes a part, by what the ``kept`` of the course says, and may add to it."""
_Item = TypeVar("_Item")

Progress = Callable[[int, int], None]


def nobody_watches(done: int, of: int) -> None:
    """The progress of work that nobody watches."""


def in_portions(
    items: Iterable[_Item], *, weight: Callable[[_Item], int] = lambda item: 1, most: int = ROWS
) -> Iterator[list[_Item]]:
    """The items in order, as many at a time as together weigh no more; one that weighs more comes alone."""
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
    """A transaction after which others have as long to take their turn: another process asks SQLite for its
    lock only now and then, and would never find it free."""
    with transaction.atomic():
        begun = time.monotonic()
        yield
    if not connection.in_atomic_block:
        time.sleep(time.monotonic() - begun)


def begun_course(
    *, kind: str, key: str, asked: Mapping[str, Any] = {}, topic: str = "", take_back: TakeBack
) -> Course:
    """The course of that kind and key, as far as it is; once what is taken back is gone, from its start."""
    course, _ = Course.objects.get_or_create(kind=kind, key=key, defaults={"asked": asked, "topic": topic})
    if course.is_taken_back:
        take_back(course)
    return course


def course_of(kind: str, key: str) -> Course | None:
    """The one that is under way; None once it has ended."""
    return Course.objects.filter(kind=kind, key=key).first()


def write_in_pieces(course: Course, pieces: Sequence[Piece], *, progress: Progress = nobody_watches) -> None:
    """Does the pieces that are not done yet, each in a short transaction: the same ones in the same order
    whenever it begins again.

    Raises Cancelled, if it is being taken back, or another has ended it: let it pass.
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
    """Whatever is raised here takes back what the course wrote; but for Cancelled, which leaves that to who
    stopped it, and for a database that is busy or away, after which it goes on."""
    try:
        yield
    except (Cancelled, OperationalError):
        raise
    except Exception:
        take_back(course)
        raise


def end_course(course: Course, last: Piece) -> None:
    """The piece that shows what the others wrote; with it the course is no more. Raises Cancelled."""
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
    """Writes this column of those rows anew, some at a time, by what each row is at that moment: its ``pk``,
    the column, and what it ``also`` takes."""
    for some in in_portions(keys):
        with short_transaction():
            rows = model._default_manager.filter(pk__in=some).select_for_update(of=("self",))
            found = list(rows.order_by("pk").values("pk", *{column, *also}))
            changed = [model(pk=row["pk"], **{column: rewritten(row)}) for row in found]
            model._default_manager.bulk_update(changed, [column])


def take_back_course(course: Course, written: Callable[[Course], Iterable[QuerySet[Any]]]) -> None:
    """Deletes those rows, some at a time and in that order: what points to others comes before them. Then the
    course is as before its first piece. Safe to repeat, also for two at once."""
    Course.objects.filter(pk=course.pk).update(is_taken_back=True)
    course.refresh_from_db()
    for rows in written(course):
        while _delete_some(course, rows):
            pass
    _begin_anew(course)


def take_back_pieces(course: Course, undo: Sequence[Piece]) -> None:
    """Does what undoes each piece that is done, the last one first. Then the course is as before its first
    piece. Safe to repeat, also for two at once."""
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
        # Nothing follows from the deletion of these rows, and so nobody looks for what does.
        rows.model._default_manager.filter(pk__in=some)._raw_delete(rows.db)  # noqa: SLF001
    return bool(some)


def _take_turn(course: Course) -> None:
    """The course as it is by now; nobody else goes on with it until the transaction ends."""
    mine = Course.objects.select_for_update().defer("asked")
    now = mine.filter(pk=course.pk, is_taken_back=False).first()
    if now is None:
        raise Cancelled
    course.done, course.kept = now.done, now.kept
