"""What the tables of words say, in both languages: an entry that is lost, or says something else, is seen.

``tables/`` holds each as text; ``manage.py test --renew-outlines tests/wording/test_tables.py`` writes them
anew.
"""

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
from django.db.models import Choices
from django.utils.functional import Promise
from django.utils.translation import override

from operations.data_dir import PROJECT
from tests.support.kept_texts import RENEW, KeptTexts

FOLDER = Path(__file__).parent / "tables"
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
    "operations",
    "jobs",
)
OF_LISTS = (
    "tournaments.entries.entry_import.values",
    "tournaments.history.presenters.history",
    "tournaments.imports.hand_sheets.words",
    "tournaments.rounds.presenters.rounds",
    "engine.planning.lengths",
    "operations.terminal",
    "clubs.audit.history",
    "rules.questions.bidding",
)
"""Tables of one language, of words as people write them, and of what is shown to whom."""
SAID = "_lazy"
"""What the source of a module has that words for both languages."""


@cache
def modules() -> list[str]:
    """The modules with tables of words."""
    files = (path for folder in SOURCES for path in sorted((PROJECT / folder).rglob("*.py")))
    worded = (
        path for path in files if SAID in path.read_text(encoding="utf-8") and "migrations" not in path.parts
    )
    named = (".".join(path.relative_to(PROJECT).with_suffix("").parts) for path in worded)
    return sorted({*(name.removesuffix(".__init__") for name in named), *OF_LISTS})


def constants(name: str) -> Iterator[tuple[str, Any]]:
    """The values that the module itself gives names to, and the choices that it offers."""
    module = import_module(name)
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        for target in targets:
            if isinstance(target, ast.Name) and not isinstance(found := getattr(module, target.id), type):
                yield target.id, found
        if isinstance(node, ast.ClassDef) and issubclass(found := getattr(module, node.name), Choices):
            yield node.name, dict(found.choices)


def entries(value: Any, name: str) -> Iterator[str]:
    """A line for each text in a value, after the way that leads to it."""
    inside = _inside(value)
    if inside is None:
        yield f"{name}: {_said(value)}"
    else:
        for key, each in inside:
            yield from entries(each, f"{name}.{_key(key)}")


def _inside(value: Any) -> Iterable[tuple[Any, Any]] | None:
    """What it consists of, each after its name or place; None if it is no table."""
    match value:
        case Mapping():
            return value.items()
        case tuple() | list():
            return enumerate(value)
        case _ if is_dataclass(value):
            return [(field.name, getattr(value, field.name)) for field in fields(value)]
    return None


def _said(value: Any) -> str:
    match value:
        case Promise():
            return f"{_in('en', value)} | {_in('fr', value)}"
        case set() | frozenset():
            return ", ".join(sorted(map(str, value)))
        case _ if callable(value):
            return " ".join([getattr(value, "__qualname__", ""), *_held_by(value)])
    return str(value)


def _held_by(function: Any) -> list[str]:
    """The words that a function was made with."""
    held = (cell.cell_contents for cell in getattr(function, "__closure__", None) or ())
    return [each for each in held if isinstance(each, str)]


def _in(language: str, text: Promise) -> str:
    with override(language):
        return str(text)


def _key(key: Any) -> str:
    return key.name if isinstance(key, Enum) else str(key)


@pytest.mark.parametrize("module", modules())
def test_of_words_say_what_is_kept_of_them(module: str, request: pytest.FixtureRequest) -> None:
    kept = KeptTexts(FOLDER, is_renewed=request.config.getoption(RENEW))
    said = [line for name, value in constants(module) for line in entries(value, name)]
    kept.compare(f"{module}.txt", "".join(f"{line}\n" for line in said))


def test_of_words_are_all_kept_and_none_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(modules())
