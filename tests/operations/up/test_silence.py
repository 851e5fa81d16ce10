"""What nobody sees falls silent: `up` says so in its terminal, once, and once when it is well again."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from operations.data_dir import DATABASE
from tests.support.waiting import wait_until

from .conftest import Up

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


def ask_for_work(up: Up, kind: str, *, ago: timedelta) -> None:
    """Work of this kind has waited for so long. It is about something that there is not, and soon fails."""
    at = str(datetime.now(UTC).replace(tzinfo=None) - ago)
    with closing(sqlite3.connect(up.data / DATABASE)) as database, database:
        database.execute(
            "INSERT INTO jobs_job (kind, key, status, attempts, created_at, sent_at, error)"
            " VALUES (?, '0', 'queued', 4, ?, ?, '')",
            [kind, at, at],
        )


@pytest.mark.parametrize(
    ("worker", "kind", "silent", "well"),
    [
        (
            "worker", "refresh_standings",
            "Standings wait for more than half a minute, and no worker computes them.",
            "The worker is at work again.",
        ),
        (
            "long-worker", "refresh_ratings",
            "Work that takes a while (plans, ratings, papers) waits for more than half a minute",
            "Work that takes a while is being done again.",
        ),
    ],
)  # fmt: skip
def test_a_worker_that_lies_there_and_does_nothing_is_told_of_once(
    up: Up, worker: str, kind: str, silent: str, well: str
) -> None:
    child = up.children()[worker]
    os.kill(child, signal.SIGSTOP)
    try:
        ask_for_work(up, kind, ago=timedelta(minutes=1))
        wait_until(lambda: silent in up.said())
    finally:
        os.kill(child, signal.SIGCONT)
    wait_until(lambda: well in up.said())
    assert up.said().count(silent) == 1
