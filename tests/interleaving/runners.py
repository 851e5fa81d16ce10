"""Two concurrent calls on two PostgreSQL connections, whose statements are released one by one.

A schedule says how many statements the first call sends before the second call begins. The second call then runs
to its end, or until it waits for a lock of the first. A schedule always takes the same course.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from django.db import DatabaseError, connection

from errors import Refusal
from tests.interleaving.calls import Call

DONE_OUTCOME = "done"
POLL_SECONDS = 0.01
"""Seconds between two checks whether a statement waits for a lock."""
LOCK_OR_WRITE = re.compile(r"^(INSERT|UPDATE|DELETE)|FOR (NO KEY )?(UPDATE|SHARE)", re.DOTALL)
"""Statements before which another call may make a difference."""

_dice = threading.local()


@dataclass(slots=True)
class Runner:
    """A thread with its own connection, which waits for permission before each statement."""

    sent_statements: list[str] = field(default_factory=list)
    is_free: bool = True
    """Whether statements run without waiting for permission."""
    _requests: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _permits: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    _future: Future[str] = field(default_factory=Future)
    _process: int = 0

    def open(self) -> None:
        self._process = self._pool.submit(_connect).result()

    def close(self) -> None:
        self._pool.submit(_disconnect).result()
        self._pool.shutdown()

    def begin(self, call: Call) -> None:
        """Start the call and stop it before its first statement."""
        self.sent_statements, self.is_free = [], False
        self._requests, self._permits = threading.Semaphore(0), threading.Semaphore(0)
        self._future = self._pool.submit(self._run, call)
        self._wait_for_question()

    def step(self) -> bool:
        """Release one statement, and return whether the call has a next one."""
        self._permits.release()
        return self._wait_for_question()

    def finish(self) -> None:
        """Release all statements, and wait until the call ends or waits for a lock."""
        self.is_free = True
        self._permits.release()
        while not self._future.done() and not self._is_waiting():
            threading.Event().wait(POLL_SECONDS)

    def get_outcome(self) -> str:
        """Return the outcome of the call: done, the code of a refusal, or a database error."""
        return self._future.result(timeout=20)

    def _wait_for_question(self) -> bool:
        """Return whether the call has a next statement; False once it has ended or waits for a lock."""
        while not self._requests.acquire(timeout=POLL_SECONDS):
            if self._future.done() or self._is_waiting():
                return False
        return True

    def _is_waiting(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE pid = %s AND NOT granted)", [self._process])
            return bool(cursor.fetchone()[0])

    def _run(self, call: Call) -> str:
        _dice.own = Random("the same for each run")
        with connection.execute_wrapper(self._execute_step):
            try:
                call()
            except Refusal as refusal:
                return refusal.code
            except DatabaseError as error:
                return f"{type(error).__name__}: {error}"
        return DONE_OUTCOME

    def _execute_step(self, execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        if not self.is_free:
            self._requests.release()
            self._permits.acquire()
        self.sent_statements.append(sql)
        return execute(sql, params, many, context)


def _connect() -> int:
    """Open this thread's connection and return the id of its backend process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        process: int = cursor.fetchone()[0]
    return process


def _disconnect() -> None:
    connection.close()  # the connection of this thread


def _draw_number(most: int) -> int:
    """Return a number from this thread's random generator."""
    drawn: int = _dice.own.randrange(most)
    return drawn


@contextmanager
def open_runners() -> Iterator[tuple[Runner, Runner]]:
    """Keep two runners open while the block runs; a call draws the same random numbers in every schedule."""
    first, second = Runner(), Runner()
    with patch.object(secrets, "randbelow", _draw_number):
        first.open()
        second.open()
        try:
            yield first, second
        finally:
            first.close()
            second.close()


def run_two(runners: tuple[Runner, Runner], first: Call, second: Call, *, after: int | None) -> tuple[str, str]:
    """Run two calls and return both outcomes.

    The second call begins when the first has sent ``after`` statements; None means after its end.
    """
    one, other = runners
    one.begin(first)
    if after is None:
        one.finish()
    else:
        _ = all(one.step() for _ in range(after))
    other.begin(second)
    other.finish()
    one.finish()
    other.finish()
    return one.get_outcome(), other.get_outcome()
