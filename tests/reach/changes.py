"""Changed files and lines according to git."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.reach.tree import list_files

_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def list_changed_lines(tree: Path, since: str) -> dict[str, set[int]]:
    """Return the lines by path that differ from a revision.

    A deletion counts as the two lines around it, an untracked file as changed in all its lines.
    """
    lines: dict[str, set[int]] = {}
    path = None
    shown = _run_git(tree, "diff", "--unified=0", "--no-renames", "--no-ext-diff", "--relative", since)
    for line in shown.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/") if line != "+++ /dev/null" else None
        elif path and (hunk := _HUNK.match(line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.setdefault(path, set()).update(range(first, first + count) if count else (first, first + 1))
    earlier_files = set(_run_git(tree, "ls-tree", "-r", "-z", "--name-only", since).split("\0"))
    for new in set(list_files(tree)) - earlier_files - lines.keys():
        lines[new] = set(range(1, 1 + (tree / new).read_bytes().count(b"\n")))
    return lines


def _run_git(tree: Path, *arguments: str) -> str:
    command = ["git", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, cwd=tree, capture_output=True, encoding="utf-8", check=True).stdout
