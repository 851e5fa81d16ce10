"""Function names state an action or a result; a participle alone states neither."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.data_dir import PROJECT

PACKAGES = (
    *("api", "client", "clubs", "config", "engine", "errors", "federations", "jobs", "live", "operations"),
    *("rules", "scoring", "server", "simulate", "tournaments", "versioning", "web", "wording"),
)
PARTICIPLE = re.compile(
    r"_?(?!feed|deed|need|seed|speed|embed|oembed|shed|bed)([a-z]+ed|asked|begun|bound|brought|built|dealt|done"
    r"|drawn|driven|fallen|felt|found|given|gone|heard|held|hidden|kept|known|laid|led|left|lent|lost|made|meant"
    r"|met|paid|said|seen|sent|shown|sold|spent|stood|taken|thrown|told|torn|won|worn|written)"
)
TERMS = {
    ("api/views.py", "throttled"): "Django REST framework calls it",
    ("engine/records/values.py", "played"): "a column of every record, beside won, drawn and lost",
    ("tournaments/money/presenters/fees.py", "owed"): "an amount",
    ("web/money.py", "owed"): "an amount",
}
"""Allowed exceptions, with the reason."""


def iter_functions() -> Iterator[tuple[str, str]]:
    for room in PACKAGES:
        for path in sorted((PROJECT / room).rglob("*.py")):
            yield from ((path.relative_to(PROJECT).as_posix(), name) for name in iter_names(path))


def iter_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


@pytest.mark.slow
def test_function_name_is_no_bare_participle() -> None:
    found = {each for each in iter_functions() if PARTICIPLE.fullmatch(each[1])}
    assert found == set(TERMS)


@pytest.mark.parametrize("name", ["told", "_kept", "shortened", "_ordered"])
def test_check_detects_a_bare_participle(name: str) -> None:
    assert PARTICIPLE.fullmatch(name)


@pytest.mark.parametrize("name", ["deed", "feed", "read", "put", "played_keys", "rows_filled", "_lock_tries"])
def test_check_accepts_nouns_verbs_and_two_word_names(name: str) -> None:
    assert not PARTICIPLE.fullmatch(name)
