"""A service that begins a change does it in one transaction: what it had written goes if the rest is refused.

Tests run in a transaction of their own, so that none of them could tell.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from operations.data_dir import PROJECT

ROOMS = ("clubs", "federations", "scoring", "tournaments")
BEGINS = {"Change", "ClubChange", "lock_match", "lock_club", "locked_event"}
"""What writes down a change, or holds what it is of."""
IN_A_TRANSACTION = "transaction.atomic"
OF_THE_CALLER = {
    ("clubs/services/validators.py", "lock_club"),
    ("scoring/services/saving.py", "lock_match"),
    ("tournaments/history/services/locking.py", "locked_event"),
    ("tournaments/imports/services/parts.py", "make_event_of_file"),
    ("tournaments/imports/services/parts.py", "new_event"),
}
"""Steps of others' changes, in their transaction."""


def services() -> Iterator[Path]:
    for room in ROOMS:
        yield from (path for path in sorted((PROJECT / room).rglob("*.py")) if "services" in str(path))


def bare_beginners(source: str) -> list[str]:
    """The public functions of a module that begin a change, by themselves or through one of the module's own,
    outside of any transaction."""
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    bare = {name for name, function in functions.items() if IN_A_TRANSACTION not in ast.unparse(function)}
    begin = set(BEGINS)
    while more := {name for name in bare - begin if begin & called(functions[name].body)}:
        begin |= more
    return sorted(name for name in begin & bare if not name.startswith("_"))


def called(body: Iterable[ast.AST]) -> set[str]:
    """The names that are called there, but in functions within: those are handed on."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.add(node.func.id)
        found |= called(ast.iter_child_nodes(node))
    return found


def test_a_change_is_begun_in_a_transaction() -> None:
    bare = {
        (path.relative_to(PROJECT).as_posix(), name)
        for path in services()
        for name in bare_beginners(path.read_text(encoding="utf-8"))
    }
    assert bare == OF_THE_CALLER


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("def pay():\n    Change(1)", ["pay"]),
        ("@transaction.atomic\ndef pay():\n    Change(1)", []),
        ("def pay():\n    with transaction.atomic():\n        Change(1)", []),
        ("def pay():\n    _begin()\ndef _begin():\n    return ClubChange(1)", ["pay"]),
        ("def pay():\n    def write():\n        Change(1)\n    in_pieces(write)", []),
    ],
)
def test_who_begins_one_is_known(body: str, found: list[str]) -> None:
    assert bare_beginners(body) == found
