"""While a web process starts again: who asks meanwhile waits, and is answered. And two of them, as one."""

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

from clubs.services.rate_limit import ALLOWED
from tests.support.waiting import wait_until

from .conftest import Up, started

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

PHONES = 4
KILLS = 2


@pytest.fixture(scope="module")
def two_web_processes(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[Up]:
    yield from started(prepared_folder, tmp_path_factory.mktemp("two"), "--processes", "2")


@contextmanager
def looks_without_pause(up: Up) -> Iterator[Counter[object]]:
    """Meanwhile some phones ask for a page, each again and again on a new connection: how often they were
    answered with which status, or met which error."""
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


def end_web_process(up: Up, ending: signal.Signals, met: Counter[object]) -> None:
    """Ends it in the middle of the looks, and waits until its successor has answered many."""
    before, first = met[200], up.children()["web"]
    wait_until(lambda: met[200] > before + 5 * PHONES)
    os.kill(first, ending)
    wait_until(lambda: up.children().get("web", first) != first)
    before = met[200]
    wait_until(lambda: met[200] > before + 5 * PHONES)


@contextmanager
def only(up: Up, serving: int) -> Iterator[None]:
    """Only this one of the web processes gets time to run."""
    others = [pid for pid in up.web_processes() if pid != serving]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in others:
            os.kill(pid, signal.SIGCONT)


def test_who_asks_while_a_killed_web_process_starts_again_waits_and_is_answered(up: Up) -> None:
    with looks_without_pause(up) as met:
        for _ in range(KILLS):
            end_web_process(up, signal.SIGKILL, met)
    broken = met.pop("RemoteDisconnected", 0) + met.pop("ConnectionResetError", 0)
    assert set(met) == {200}, met
    assert broken <= KILLS * PHONES, "only what the killed one had begun to answer"


def test_a_web_process_that_is_asked_to_end_answers_whom_it_has_let_in(up: Up) -> None:
    with looks_without_pause(up) as met:
        for _ in range(KILLS):
            end_web_process(up, signal.SIGTERM, met)
    assert set(met) == {200}, met


def test_either_of_two_web_processes_answers_while_the_other_does_not(two_web_processes: Up) -> None:
    for pid in two_web_processes.web_processes():
        with only(two_web_processes, pid):
            assert two_web_processes.look() == 200


@pytest.mark.long("two web processes, and hundreds of guesses")
def test_codes_are_not_guessed_twice_as_often_where_two_web_processes_serve(two_web_processes: Up) -> None:
    first, second = two_web_processes.web_processes()
    with only(two_web_processes, first):
        assert {two_web_processes.look(f"/t/{code}") for code in range(100_000, 100_000 + ALLOWED)} == {404}
    with only(two_web_processes, second):
        assert two_web_processes.look("/t/100000") == 429
