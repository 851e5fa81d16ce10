"""Public API of the package: its exported names, and the examples in its docstrings."""

import ast
import doctest
import importlib
import inspect
import pkgutil
from functools import cache

import pytest

import rules
from operations.data_dir import PROJECT

USERS = (
    "bench",
    "clubs",
    "config",
    "engine",
    "scoring",
    "simulate",
    "tests",
    "tournaments",
    "web",
    "wording",
)


@pytest.mark.slow
def test_every_docstring_example_passes() -> None:
    names = ["rules", *(module.name for module in pkgutil.walk_packages(rules.__path__, "rules."))]
    outcomes = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(outcome.attempted for outcome in outcomes) > 0
    assert sum(outcome.failed for outcome in outcomes) == 0


def test_package_exports_exactly_its_declared_names() -> None:
    modules = {module.name for module in pkgutil.iter_modules(rules.__path__)}
    offered = {name for name in vars(rules) if not name.startswith("_")} - (modules - set(rules.__all__))
    assert offered == set(rules.__all__)


@cache
def list_external_imports() -> frozenset[str]:
    """Return the names that code outside of the package imports from it."""
    found: set[str] = set()
    for path in (path for user in USERS for path in (PROJECT / user).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "from rules import" in text:
            imports = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom))
            found.update(alias.name for node in imports if node.module == "rules" for alias in node.names)
    return frozenset(found)


@pytest.mark.slow
def test_every_exported_name_is_used_or_needed_as_a_type() -> None:
    offered = {name: getattr(rules, name) for name in rules.__all__}
    annotations = " ".join(
        str(value)
        for thing in offered.values()
        if callable(thing)
        for value in [*inspect.get_annotations(thing).values(), *_list_annotations(thing)]
    )
    unused = offered.keys() - list_external_imports()
    needed_names = {name for name in unused if offered[name] in rules.RULESETS.values() or name in annotations}
    assert unused == needed_names


def _list_annotations(thing: object) -> list[object]:
    methods = [value for value in vars(thing).values() if inspect.isfunction(value)] if inspect.isclass(thing) else []
    return [value for method in methods for value in inspect.get_annotations(method).values()]
