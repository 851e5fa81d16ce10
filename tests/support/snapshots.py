"""Snapshots: output of the program, saved under ``tests/snapshots`` as text and compared by tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import unified_diff

import pytest

from operations.data_dir import PROJECT

RENEW = "--renew-snapshots"
FOLDER = PROJECT / "tests/snapshots"
_NUMBER = re.compile(r"\d+")


class Snapshots:
    """The files of ``tests/snapshots``; ``is_renewed`` overwrites them instead of failing."""

    def __init__(self, *, is_renewed: bool) -> None:
        self.is_renewed = is_renewed

    def compare(self, name: str, lines: Iterable[str]) -> None:
        """Fail with the lines that differ from the snapshot of this name."""
        self.compare_all({name: lines})

    def compare_all(self, snapshots: Mapping[str, Iterable[str]]) -> None:
        """Fail with the lines of all these snapshots that differ."""
        if differences := "".join(self._find_difference(name, list(lines)) for name, lines in snapshots.items()):
            pytest.fail(differences, pytrace=False)

    def _find_difference(self, name: str, lines: list[str]) -> str:
        file = FOLDER / name
        if self.is_renewed:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            if not lines:
                file.unlink()
        before = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        changes = unified_diff(before, lines, f"{name}, snapshot", f"{name}, now", n=1, lineterm="")
        return "".join(f"{line}\n" for line in changes)


def take_new_lines(lines: Iterable[str], known_lines: set[str]) -> list[str]:
    """Return the lines that are not known yet, apart from their numbers, and add them to the known ones."""
    new = []
    for line in lines:
        key = _NUMBER.sub("0", line)
        if key not in known_lines:
            known_lines.add(key)
            new.append(line)
    return new
