"""Requests wait while a web process restarts, and two web processes behave like one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clubs.services.rate_limit import MAX_MISSES
from tests.support.waiting import wait_until

from .conftest import RunningUp, start_up

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

PHONES = 4
KILLS = 2


@pytest.fixture(scope="module")
def two_web_processes(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[RunningUp]:
    yield from start_up(prepared_folder, tmp_path_factory.mktemp("two"), "--processes", "2")


@contextmanager
def request_repeatedly(up: RunningUp) -> Iterator[Counter[object]]:
    """Request a page from several phones while the block runs; yield the counts of statuses and errors.

    Each request opens a new connection.
    """
    met: Counter[object] = Counter()
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            try:
                met[up.look()] += 1
            except OSError as error:
                met[type(error).__name__] += 1

    phones = [threading.Thread(target=look) for _ in range(PHONES)]
    for phone in phones:
        phone.start()
    try:
        yield met
    finally:
        is_over.set()
        for phone in phones:
            phone.join()


def end_web_process(up: RunningUp, ending: signal.Signals, met: Counter[object]) -> None:
    """End the web process amid requests, and wait until its successor has answered many."""
    before, first = met[200], up.get_children()["web"]
    wait_until(lambda: met[200] > before + 5 * PHONES)
    os.kill(first, ending)
    wait_until(lambda: up.get_children().get("web", first) != first)
    before = met[200]
    wait_until(lambda: met[200] > before + 5 * PHONES)


@contextmanager
def isolate_process(up: RunningUp, serving: int) -> Iterator[None]:
    """Suspend the other web processes while the block runs."""
    others = [pid for pid in up.list_web_processes() if pid != serving]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in others:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.long
def test_requests_wait_while_a_killed_web_process_restarts(up: RunningUp) -> None:
    with request_repeatedly(up) as met:
        for _ in range(KILLS):
            end_web_process(up, signal.SIGKILL, met)
    broken = met.pop("RemoteDisconnected", 0) + met.pop("ConnectionResetError", 0)
    assert set(met) == {200}, met
    assert broken <= KILLS * PHONES, "only what the killed one had begun to answer"


def test_terminating_web_process_finishes_its_requests(up: RunningUp) -> None:
    with request_repeatedly(up) as met:
        for _ in range(KILLS):
            end_web_process(up, signal.SIGTERM, met)
    assert set(met) == {200}, met


@pytest.mark.long
def test_either_of_two_web_processes_answers_alone(two_web_processes: RunningUp) -> None:
    for pid in two_web_processes.list_web_processes():
        with isolate_process(two_web_processes, pid):
            assert two_web_processes.look() == 200


@pytest.mark.long("hundreds of guesses at two web processes")
def test_two_web_processes_share_the_limit_on_guesses(two_web_processes: RunningUp) -> None:
    first, second = two_web_processes.list_web_processes()
    with isolate_process(two_web_processes, first):
        assert {two_web_processes.look(f"/t/{code}") for code in range(100_000, 100_000 + MAX_MISSES)} == {404}
    with isolate_process(two_web_processes, second):
        assert two_web_processes.look("/t/100000") == 429
