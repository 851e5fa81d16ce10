"""Selection of the tests that may detect a mutant: the likeliest first, then the cheapest."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.reach.map import Map
from tests.reach.tree import PACKAGES, list_files
from tests.support.opened_pages import get_snapshot_name
from tests.support.snapshots import FOLDER

_NAME_PATTERN = re.compile(r"[A-Za-z_]\w{3,}")
MAX_USERS = 40
"""Maximum number of files searched for uses of a name."""
PAGE_SNAPSHOTS = "tests/every_page/test_page_snapshots.py::"
"""The snapshot tests of every page, which detect most mutants of templates."""


class Selector:
    def __init__(self, map_: Map, tree: Path) -> None:
        self.map, self.tree = map_, tree
        files = list_files(tree)
        self.names_by_test = {name: names for path in files for name, names in list_test_names(tree, path).items()}
        self.rarity = Counter(chain.from_iterable(self.names_by_test.values()))
        self.sources = {
            path: (tree / path).read_text(encoding="utf-8")
            for path in files
            if path.split("/")[0] in {*PACKAGES, "templates"} and path.endswith((".py", ".html"))
        }

    def choose_tests(self, mutant: Mutant, seconds: float) -> list[str]:
        """Choose tests until their recorded durations reach this time, but at least one.

        For a template, the cheapest snapshot test of all pages comes first, then tests with a snapshot of their own;
        then tests that mention most of its words, then the cheapest.
        """
        mutant_names, seconds_of = self._list_names(mutant), self.map.seconds
        reaching = self.find_reaching_tests(mutant)
        of_template = reaching if mutant.path.endswith(".html") else set[str]()
        walks = [test for test in of_template if test.startswith(PAGE_SNAPSHOTS)]
        first = min(walks, key=lambda test: (seconds_of[test], test), default="")
        compared = {test for test in of_template if (FOLDER / get_snapshot_name(test)).exists()}
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(
            reaching,
            key=lambda test: (
                test != first,
                test not in compared,
                -self._get_similarity(test, mutant_names),
                seconds_of[test],
                test,
            ),
        ):
            if not chosen or spent + self.map.seconds[test] <= seconds:
                chosen.append(test)
                spent += self.map.seconds[test]
        return chosen

    def _get_similarity(self, test: str, names: set[str]) -> float:
        """Return how many of these words a test mentions, with a greater weight for rare words."""
        name, _, parameters = test.partition("[")
        common = names & (self.names_by_test.get(name, set()) | set(_NAME_PATTERN.findall(parameters)))
        return round(sum(1 / (self.rarity[word] or 1) for word in common), 3)

    def find_reaching_tests(self, mutant: Mutant) -> set[str]:
        """Return the tests that reach the mutated line or, if there are none, its statement or definition.

        For code that runs at import, return the tests that use its names or run its definitions.
        """
        if mutant.names:
            users = self._find_user_tests(mutant.path, mutant.names) | self.map.find_tests(
                mutant.path, mutant.other_lines[1:]
            )
            return (users or self.map.find_tests_of_file(mutant.path)) | self._find_parametrized_tests(mutant.path)
        return (
            self.map.find_tests(mutant.path, {mutant.line})
            or self.map.find_tests(mutant.path, mutant.other_lines[:1])
            or self.map.find_tests(mutant.path, mutant.other_lines)
        )

    def _find_parametrized_tests(self, path: str) -> set[str]:
        """Return the tests parametrized with the module: its tables are built at import, so no line leads to them."""
        module = ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")
        return {test for test in self.map.seconds if test.endswith(f"[{module}]")}

    def _find_user_tests(self, path: str, names: Iterable[str]) -> set[str]:
        used = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
        users = [other for other, text in self.sources.items() if used.search(text)]
        reaching = set()
        for other in sorted(users, key=lambda other: (other != path, other))[:MAX_USERS]:
            lines = self.sources[other].split("\n")
            reaching |= self.map.find_tests(other, {n for n, line in enumerate(lines, 1) if used.search(line)})
        return reaching

    def _list_names(self, mutant: Mutant) -> set[str]:
        """Return words that a test of this code would mention: those of nearby lines and of the path."""
        lines = (self.tree / mutant.path).read_text(encoding="utf-8").split("\n")
        here = " ".join(
            [*lines[max(0, mutant.line - 4) : mutant.line + 3], mutant.description, *Path(mutant.path).parts]
        )
        return {*_NAME_PATTERN.findall(here), *mutant.names}


def list_test_names(tree: Path, path: str) -> dict[str, set[str]]:
    """Return the words in each test of a file, by the test's name without parameters."""
    if not (Path(path).name.startswith("test_") and path.endswith(".py")):
        return {}
    text = (tree / path).read_text(encoding="utf-8")
    lines = text.split("\n")
    return {
        "::".join([path, *within, node.name]): {
            word for line in lines[node.lineno - 1 : node.end_lineno] for word in _NAME_PATTERN.findall(line)
        }
        for within, node in _iter_tests(ast.parse(text).body)
    }


def _iter_tests(body: list[ast.stmt], *within: str) -> Iterator[tuple[tuple[str, ...], ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _iter_tests(node.body, *within, node.name)
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield within, node
