"""The planning package: its examples work, and it imports neither Django nor a clock."""

import ast
import doctest
from pathlib import Path

import pytest

import engine.planning
import engine.planning.running_standings


@pytest.mark.slow
def test_package_doctest_examples_pass() -> None:
    for module in (engine.planning, engine.planning.running_standings):
        examples = doctest.testmod(module)
        assert examples.attempted > 0
        assert examples.failed == 0


def test_planner_imports_neither_django_nor_a_clock() -> None:
    for path in Path(engine.planning.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & {"django", "time", "datetime", "os"}, path
