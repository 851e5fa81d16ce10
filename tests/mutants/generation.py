"""Possible mutants of a tree, and a random sample of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from tests.mutants import python, scripts, templates
from tests.mutants.mutant import Mutant
from tests.reach.tree import PACKAGES, list_files


def find_mutant_maker(path: str) -> Callable[[str, str], list[Mutant]] | None:
    """Return the function that makes the mutants of a file, or None if its kind is not mutated."""
    folders = Path(path).parts
    if folders[0] in PACKAGES and path.endswith(".py") and "migrations" not in folders:
        return python.list_module_mutants
    if folders[0] == "templates" and path.endswith(".html"):
        return templates.list_template_mutants
    return scripts.list_script_mutants if path.startswith("static/js/") else None


def list_mutants(tree: Path, lines: dict[str, set[int]] | None = None) -> list[Mutant]:
    """List the mutants of these lines, or of the whole tree."""
    return [
        mutant
        for path in (list_files(tree) if lines is None else sorted(lines))
        if (tree / path).is_file() and (kind := find_mutant_maker(path))
        for mutant in kind(path, (tree / path).read_text(encoding="utf-8"))
        if lines is None or mutant.line in lines[path]
    ]


def sample_mutants(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """Choose random lines, each equally likely, and one random mutant in each."""
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for mutant in mutants:
        by_line.setdefault((mutant.path, mutant.line), []).append(mutant)
    dice = Random(seed)
    lines = dice.sample(sorted(by_line), min(count, len(by_line)))
    return [dice.choice(by_line[line]) for line in lines]
