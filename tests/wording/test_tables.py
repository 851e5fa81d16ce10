"""Snapshots of the tables of words in both languages: a lost or changed entry appears as a changed line."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Choices, Model
from django.utils.functional import Promise
from django.utils.translation import override

from operations.data_dir import PROJECT
from tests.support.snapshots import FOLDER, Snapshots
from versioning import get_facts

SOURCES = (
    "rules",
    "engine",
    "web",
    "clubs",
    "scoring",
    "tournaments",
    "federations",
    "wording",
    "config",
    "server",
    "operations",
    "jobs",
)
LIST_MODULES = (
    "tournaments.entries.entry_import.values",
    "tournaments.imports.hand_sheets.words",
    "tournaments.rounds.presenters.rounds",
    "engine.planning.lengths",
    "rules.questions.bidding",
)
"""Modules without translations: words in imported files, and lists of what is shown to whom."""
LAZY_SUFFIX = "_lazy"
"""Part of the source of every module with translated texts."""


@cache
def list_modules() -> list[str]:
    """Return the modules with tables of words."""
    files = (path for folder in SOURCES for path in sorted((PROJECT / folder).rglob("*.py")))
    worded = (
        path for path in files if LAZY_SUFFIX in path.read_text(encoding="utf-8") and "migrations" not in path.parts
    )
    named = (".".join(path.relative_to(PROJECT).with_suffix("").parts) for path in worded)
    return sorted({*(name.removesuffix(".__init__") for name in named), *LIST_MODULES})


def iter_constants(name: str) -> Iterator[tuple[str, Any]]:
    """Yield the named values of a module, its choices, and the facts about the fields of its models."""
    module = import_module(name)
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        for target in targets:
            if isinstance(target, ast.Name) and not isinstance(found := getattr(module, target.id), type):
                yield target.id, found
        if isinstance(node, ast.ClassDef) and issubclass(found := getattr(module, node.name), Choices):
            yield node.name, dict(found.choices)
        elif isinstance(node, ast.ClassDef) and issubclass(found, Model):
            yield node.name, get_facts(found)


def iter_entries(value: Any, name: str, *, kinds: tuple[type, ...]) -> Iterator[str]:
    """Yield a line for each text of these types in a value, after its path in the value."""
    if isinstance(value, Promise):
        yield f"{name}: {_translate('en', value)} | {_translate('fr', value)}"
    elif isinstance(value, kinds):
        yield f"{name}: {value}"
    else:
        for key, each in _iter_parts(value):
            yield from iter_entries(each, f"{name}.{key}" if key else name, kinds=kinds)


def _iter_parts(value: Any) -> Iterable[tuple[str, Any]]:
    """Return the parts of a table with their names; list items have none, so that insertions move no others."""
    match value:
        case Mapping():
            return ((key.name if isinstance(key, Enum) else str(key), each) for key, each in value.items())
        case tuple() | list():
            return (("", each) for each in value)
        case set() | frozenset():
            return (("", each) for each in sorted(map(str, value)))
        case _ if is_dataclass(value):
            return ((field.name, getattr(value, field.name)) for field in fields(value))
    return ()


def _translate(language: str, text: Promise) -> str:
    with override(language):
        return str(text)


@pytest.mark.parametrize("module", list_modules())
def test_word_table_matches_its_snapshot(module: str, snapshots: Snapshots) -> None:
    kinds = (Promise, str) if module in LIST_MODULES else (Promise,)
    texts = [line for name, value in iter_constants(module) for line in iter_entries(value, name, kinds=kinds)]
    snapshots.compare(f"words/{module}.txt", texts)


def test_every_snapshot_belongs_to_a_module() -> None:
    assert {file.stem for file in (FOLDER / "words").glob("*.txt")} <= set(list_modules())
