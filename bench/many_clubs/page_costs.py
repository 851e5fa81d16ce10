"""Measure each page of one club and each periodic task: statements, rows, milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.models import Account
from config.celery import app
from server.warm_up import load_process

Figures = tuple[int, int, float]
"""Statements, rows that PostgreSQL reads for them, and milliseconds, the better of two runs."""

READ = "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"


def read_all(owner: int, pages: dict[str, str]) -> dict[str, Figures]:
    """Measure each page as the club's owner opens it without a cache, and each periodic task, by name."""
    load_process()
    browser = Client(headers={"host": "testserver"})
    browser.force_login(Account.objects.get(pk=owner))
    page_figures = {name: _measure(partial(_open, browser, path)) for name, path in pages.items()}
    tasks = {str(entry["task"]) for entry in app.conf.beat_schedule.values()}
    return page_figures | {name: _measure(app.tasks[name]) for name in sorted(tasks)}


def _open(browser: Client, path: str) -> None:
    caches["pages"].clear()
    answer: Any = browser.get(path, follow=True)
    if answer.streaming:
        b"".join(answer.streaming_content)


def _measure(call: Callable[[], object]) -> Figures:
    seconds = [_time_call(call) for _ in range(2)]
    with transaction.atomic(), connection.cursor() as cursor:
        before = _count_rows_read(cursor)
        with CaptureQueriesContext(connection) as queries:
            call()
        row_count = _count_rows_read(cursor) - before
        transaction.set_rollback(True)
    return len(queries), row_count, round(1_000 * min(seconds), 1)


def _time_call(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _count_rows_read(cursor: Any) -> int:
    """Return the rows read by this connection, also those not yet reported; only differences are meaningful."""
    cursor.execute(READ)
    return int(cursor.fetchone()[0] or 0)
