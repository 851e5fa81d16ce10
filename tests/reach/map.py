"""Reader of the test map: the tests that reach a line, and their durations."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from coverage import CoverageData

from operations.data_dir import PROJECT
from tests.reach.folder import DURATIONS, FOLDER, LINES, SOURCES

_PHASE = re.compile(r" \((setup|call|teardown)\)$")
"""Phase that pytest appends to the test name in the environment of child processes."""


class Map:
    """The recorded test map, queried with current line numbers."""

    def __init__(self, folder: Path = FOLDER, tree: Path = PROJECT) -> None:
        self.tree, self.sources = tree, folder / SOURCES
        self.seconds: dict[str, float] = json.loads((folder / DURATIONS).read_text(encoding="utf-8"))
        self.age_in_hours = (time.time() - (folder / DURATIONS).stat().st_mtime) / 3600
        self._data = CoverageData(basename=str(folder / LINES))
        self._data.read()
        self._tests_by_line = cache(self._read_tests_by_line)

    @property
    def is_of_this_tree(self) -> bool:
        """Return whether the map was recorded in this folder: it has absolute paths."""
        return any(Path(each).is_relative_to(self.tree) for each in self._data.measured_files())

    def is_reached(self, path: str) -> bool:
        return bool(self._tests_by_line(path))

    def find_tests(self, path: str, lines: Iterable[int]) -> set[str]:
        """Return the passed tests that reach at least one of these lines."""
        reached = self._tests_by_line(path)
        return {test for line in self._get_old_lines(path, set(lines)) for test in reached.get(line, ())}

    def find_tests_of_file(self, path: str) -> set[str]:
        """Return the passed tests that reach any line of the file."""
        return {test for tests in self._tests_by_line(path).values() for test in tests}

    def iter_tests_by_line(self) -> Iterator[tuple[str, int, set[str]]]:
        """Yield each reached line: the path of its file, its number, and the passed tests that reach it."""
        for measured in self._data.measured_files():
            path = str(Path(measured).relative_to(self.tree))
            yield from ((path, line, tests) for line, tests in self._tests_by_line(path).items())

    def _read_tests_by_line(self, path: str) -> dict[int, set[str]]:
        recorded = self._data.contexts_by_lineno(str(self.tree / path))
        named = {line: {_PHASE.sub("", each) for each in contexts} for line, contexts in recorded.items()}
        return {line: tests & self.seconds.keys() for line, tests in named.items()}

    def _get_old_lines(self, path: str, lines: set[int]) -> set[int]:
        """Return the line numbers at the time of recording; new lines count as their two neighbours."""
        before, now = _read_lines(self.sources / path), _read_lines(self.tree / path)
        if before == now:
            return lines
        then = set()
        changes = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
        for kind, before_from, before_to, now_from, now_to in changes:
            touched = lines & set(range(now_from + 1, now_to + 1))
            if kind == "equal":
                then |= {line - now_from + before_from for line in touched}
            elif kind == "insert" and touched:
                then |= {before_from, before_from + 1}
            elif touched or (kind == "delete" and lines & {now_from, now_from + 1}):
                then |= set(range(before_from + 1, before_to + 1))
        return then


def _read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
