"""Long writes in pieces, each in a transaction so short that no phone in the hall has to wait.

A ``LongWrite`` records the progress, in the transaction of each piece. A worker that starts again, or beside
another, takes the next piece, and none is done twice (docs/decisions/0025-split-long-writes-into-pieces.md).
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from jobs.models import LongWrite
from jobs.registry import JobCancelledError, UndoLongWrite

ROWS_PER_PIECE = 100
"""Rows per piece, or a few times as many if they are small."""

Piece = Callable[[LongWrite], object]
"""Writes a part, based on the ``state`` of the long write, which it may extend."""
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


def get_or_create_long_write(
    *, kind: str, key: str, request: Mapping[str, Any] = {}, topic: str = "", undo: UndoLongWrite
) -> LongWrite:
    """Return the long write of that kind and key, or a new one. If it is being undone, finish that first."""
    long_write, _ = LongWrite.objects.get_or_create(kind=kind, key=key, defaults={"request": request, "topic": topic})
    if long_write.is_being_undone:
        undo(long_write)
    return long_write


def find_long_write(kind: str, key: str) -> LongWrite | None:
    """Return the long write in progress; None once it has ended."""
    return LongWrite.objects.filter(kind=kind, key=key).first()


def run_pieces(long_write: LongWrite, pieces: Sequence[Piece], *, progress: Progress = ignore_progress) -> None:
    """Do the remaining pieces, each in a short transaction. The pieces must be the same, in the same order,
    at each start.

    Raises JobCancelledError, if the long write is being undone or has ended: do not catch it.
    """
    while long_write.done < len(pieces):
        progress(long_write.done, len(pieces))
        with short_transaction():
            _lock_long_write(long_write)
            if long_write.done < len(pieces):
                pieces[long_write.done](long_write)
                long_write.done += 1
                long_write.touched_at = timezone.now()
                long_write.save(update_fields=["done", "state", "touched_at"])


@contextmanager
def rollback_on_failure(long_write: LongWrite, undo: UndoLongWrite) -> Iterator[None]:
    """Undo what the long write wrote if anything is raised. JobCancelledError is left to the one who stopped it; after
    a database that is busy or away, the long write continues."""
    try:
        yield
    except (JobCancelledError, OperationalError):
        raise
    except Exception:
        undo(long_write)
        raise


def end_long_write(long_write: LongWrite, last_piece: Piece) -> None:
    """Write the last piece, which reveals the others, and delete the long write. Raises JobCancelledError."""
    with short_transaction():
        _lock_long_write(long_write)
        last_piece(long_write)
        long_write.delete()


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


def undo_long_write(long_write: LongWrite, list_rows: Callable[[LongWrite], Iterable[QuerySet[Any]]]) -> None:
    """Delete those rows, some at a time in that order: referring rows come before the rows they point to.
    Afterwards the long write is as before its first piece. Safe to repeat, also concurrently."""
    LongWrite.objects.filter(pk=long_write.pk).update(is_being_undone=True)
    long_write.refresh_from_db()
    for rows in list_rows(long_write):
        while _delete_portion(long_write, rows):
            pass
    _reset_long_write(long_write)


def undo_pieces(long_write: LongWrite, undo: Sequence[Piece]) -> None:
    """Undo each piece that is done, the last one first. Afterwards the long write is as before its first piece.
    Safe to repeat, also concurrently."""
    LongWrite.objects.filter(pk=long_write.pk).update(is_being_undone=True)
    long_write.refresh_from_db()
    while long_write.done:
        with short_transaction():
            now = LongWrite.objects.select_for_update().filter(pk=long_write.pk, is_being_undone=True).first()
            long_write.done = 0 if now is None else now.done
            if long_write.done:
                undo[long_write.done - 1](long_write)
                long_write.done -= 1
                long_write.save(update_fields=["done"])
    _reset_long_write(long_write)


def _reset_long_write(long_write: LongWrite) -> None:
    LongWrite.objects.filter(pk=long_write.pk, is_being_undone=True).update(
        done=0, state={}, is_being_undone=False, touched_at=None
    )
    long_write.refresh_from_db()


def _delete_portion(long_write: LongWrite, rows: QuerySet[Any]) -> bool:
    with short_transaction():
        is_ours = LongWrite.objects.select_for_update().filter(pk=long_write.pk, is_being_undone=True).exists()
        pks = list(rows.values_list("pk", flat=True)[:ROWS_PER_PIECE]) if is_ours else []
        # Nothing else is deleted along with these rows, so Django need not look for it.
        rows.model._default_manager.filter(pk__in=pks)._raw_delete(rows.db)  # noqa: SLF001
    return bool(pks)


def _lock_long_write(long_write: LongWrite) -> None:
    """Lock the long write and reload its progress; nobody else continues it until the transaction ends."""
    mine = LongWrite.objects.select_for_update().defer("request")
    now = mine.filter(pk=long_write.pk, is_being_undone=False).first()
    if now is None:
        raise JobCancelledError
    long_write.done, long_write.state = now.done, now.state
