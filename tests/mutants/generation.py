"""Possible mutations of a tree, and a random choice of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from tests.mutants import python, scripts, templates
from tests.mutants.fault import Fault
from tests.reach.tree import PACKAGES, list_files


def find_fault_maker(path: str) -> Callable[[str, str], list[Fault]] | None:
    """Return who makes faults in such a file; None if nobody does."""
    folders = Path(path).parts
    if folders[0] in PACKAGES and path.endswith(".py") and "migrations" not in folders:
        return python.list_module_faults
    if folders[0] == "templates" and path.endswith(".html"):
        return templates.list_template_faults
    return scripts.list_script_faults if path.startswith("static/js/") else None


def list_faults(tree: Path, lines: dict[str, set[int]] | None = None) -> list[Fault]:
    """In these lines, or in the whole tree."""
    return [
        fault
        for path in (list_files(tree) if lines is None else sorted(lines))
        if (tree / path).is_file() and (kind := find_fault_maker(path))
        for fault in kind(path, (tree / path).read_text(encoding="utf-8"))
        if lines is None or fault.line in lines[path]
    ]


def sample_faults(faults: Iterable[Fault], count: int, seed: int) -> list[Fault]:
    """One each in that many lines, which are drawn by lot: every line is as likely as another."""
    by_line: dict[tuple[str, int], list[Fault]] = {}
    for fault in faults:
        by_line.setdefault((fault.path, fault.line), []).append(fault)
    dice = Random(seed)
    lines = dice.sample(sorted(by_line), min(count, len(by_line)))
    return [dice.choice(by_line[line]) for line in lines]
