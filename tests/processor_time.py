"""Processor time of each test: it finds slow tests without the mark, and divides files into shards."""

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
"""Seconds of processor time, including processes that the test starts and waits for. This is twice the limit for an
unmarked test, since a test takes up to twice as long on a busy machine."""
MAX_FIRST_SECONDS = 5.0
"""Limit for a test that is first to build a state that others share, again after each change."""
MARKS = ("slow", "long")
_CACHE = PROJECT / ".pytest_cache"
_SLOW, _SECONDS, _SAVED_SECONDS = _CACHE / "slow", _CACHE / "seconds", _CACHE / "seconds.json"


class ProcessorTime:
    """Plugin that records the slow tests of this process and the seconds of each file.

    A test over the limit is measured twice more at once: the states that it shares with others exist by then.
    """

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
    """Delete the records that were never read."""
    for file in (_SLOW, _SECONDS):
        file.unlink(missing_ok=True)


def read_slow_tests() -> set[str]:
    """Return the unmarked tests that were too slow since the last call, and delete their records."""
    return set(_pop_lines(_SLOW))


def save_seconds() -> None:
    """Add up the seconds that the processes of a run recorded; files that did not run keep theirs."""
    total: dict[str, float] = defaultdict(float)
    for process in map(json.loads, _pop_lines(_SECONDS)):
        for file, seconds in process.items():
            total[file] += seconds
    _SAVED_SECONDS.write_text(json.dumps(read_seconds_by_file() | total), encoding="utf-8")


def read_seconds_by_file() -> dict[str, float]:
    """Return the seconds of the last run of each file, on all databases."""
    return dict(json.loads(_SAVED_SECONDS.read_text(encoding="utf-8"))) if _SAVED_SECONDS.exists() else {}


def choose_shard_files(files: list[str], seconds: dict[str, float], number: int, count: int) -> list[str]:
    """Return the files of shard ``number`` (from 1) of ``count`` shards of about equal time.

    A file without a recorded time counts as one second.
    """
    taken = [0.0] * count
    shard: list[str] = []
    for file in sorted(files, key=lambda each: (-seconds.get(each, 1.0), each)):
        lightest = taken.index(min(taken))
        taken[lightest] += seconds.get(file, 1.0)
        if lightest == number - 1:
            shard.append(file)
    return sorted(shard)


def get_processor_time() -> float:
    """Return the seconds of processor time of this process and of its finished children."""
    taken = os.times()
    return time.process_time() + taken.children_user + taken.children_system


def _is_quick(item: pytest.Item) -> bool:
    """Return whether the test must be quick: unmarked, on SQLite, and no browser journey."""
    is_marked = any(map(item.get_closest_marker, MARKS))
    return not is_marked and connection.vendor == "sqlite" and "journeys" not in item.path.parts


def _measure_again(item: pytest.Item, nextitem: pytest.Item | None) -> float:
    """Run the test once more without reporting its outcome, and return its seconds."""
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
