"""The time of the processor of each test: which are slow without the mark, and which files make a shard."""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from django.db import connection

from operations.data_dir import PROJECT

MAX_SECONDS = 0.2
"""Seconds of processor, with those of processes that the test starts and waits for. Twice what makes it slow:
on a busy machine a test takes up to twice as much."""
MAX_FIRST_SECONDS = 5.0
"""What a test may take that makes first what others use too: after each change it is made again."""
MARKS = ("slow", "long")
_CACHE = PROJECT / ".pytest_cache"
_SLOW, _SECONDS, _SAVED_SECONDS = _CACHE / "slow", _CACHE / "seconds", _CACHE / "seconds.json"


class ProcessorTime:
    """Notes the slow tests of this process, and the seconds of each file. A test over the limit is measured
    twice more at once: what it made first, and shares with others, is there by then."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, bool, bool]:
        begun = get_processor_time()
        done = yield
        taken = get_processor_time() - begun
        self.seconds[item.nodeid.partition("::")[0]] += taken
        if _is_quick(item) and (
            taken > MAX_FIRST_SECONDS
            or (taken > MAX_SECONDS and all(_measure_again(item, nextitem) > MAX_SECONDS for _ in range(2)))
        ):
            _append(_SLOW, item.nodeid)
        return done

    def pytest_sessionfinish(self) -> None:
        if self.seconds:
            _append(_SECONDS, json.dumps(self.seconds))


def delete_times() -> None:
    """Forget what was noted and never asked for."""
    for file in (_SLOW, _SECONDS):
        file.unlink(missing_ok=True)


def read_slow_tests() -> set[str]:
    """The quick tests that were slow three times, since this was asked last."""
    return set(_pop_lines(_SLOW))


def save_seconds() -> None:
    """Add up what the processes of a run noted; files that were not run keep what they took before."""
    total: dict[str, float] = defaultdict(float)
    for process in map(json.loads, _pop_lines(_SECONDS)):
        for file, seconds in process.items():
            total[file] += seconds
    _SAVED_SECONDS.write_text(json.dumps(read_seconds_by_file() | total), encoding="utf-8")


def read_seconds_by_file() -> dict[str, float]:
    """Of the last run of each file, on all databases."""
    return dict(json.loads(_SAVED_SECONDS.read_text(encoding="utf-8"))) if _SAVED_SECONDS.exists() else {}


def choose_shard_files(files: list[str], seconds: dict[str, float], number: int, count: int) -> list[str]:
    """The files of one of so many shards (1 is the first), which take about as long as each other; a file of
    which nothing is known takes a second."""
    taken = [0.0] * count
    shard: list[str] = []
    for file in sorted(files, key=lambda each: (-seconds.get(each, 1.0), each)):
        lightest = taken.index(min(taken))
        taken[lightest] += seconds.get(file, 1.0)
        if lightest == number - 1:
            shard.append(file)
    return sorted(shard)


def get_processor_time() -> float:
    """Seconds of processor that this process has taken, with those of its finished children."""
    taken = os.times()
    return time.process_time() + taken.children_user + taken.children_system


def _is_quick(item: pytest.Item) -> bool:
    """Whether it runs by default. All journeys but a few do not, nor does anything on PostgreSQL."""
    is_marked = any(map(item.get_closest_marker, MARKS))
    return not is_marked and connection.vendor == "sqlite" and "journeys" not in item.path.parts


def _measure_again(item: pytest.Item, nextitem: pytest.Item | None) -> float:
    """Of one more run, whose outcome nobody hears of."""
    if hasattr(item, "_initrequest"):
        item._initrequest()
    begun = get_processor_time()
    runtestprotocol(item, log=False, nextitem=nextitem)
    return get_processor_time() - begun


def _append(file: Path, line: str) -> None:
    _CACHE.mkdir(exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(f"{line}\n")


def _pop_lines(file: Path) -> list[str]:
    found = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return found
