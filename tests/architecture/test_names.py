"""Names of functions, templates, style sheets and classes: no bare participle, no clause, no private word."""

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
PRIVATE = frozenset(
    (
        *("anew", "brings", "deed", "deeds", "here", "hindered", "kept", "pencil", "plain", "rail", "said", "square"),
        *("squares", "telling", "tick", "ticked", "ticks", "told", "unheard", "unseen"),
    )
)
"""Words that only their authors understood; the glossary has the terms."""
CLAUSE = frozenset(
    (
        *("about", "after", "again", "against", "apart", "at", "away", "before", "below", "beside", "between", "by"),
        *("elsewhere", "for", "from", "how", "into", "of", "once", "over", "then", "there", "to", "under", "what"),
        *("when", "where", "who", "whom", "why", "with", "without"),
    )
)
"""Words that begin or end a clause, not a noun."""
TEMPLATES = PROJECT / "templates"
STYLES = PROJECT / "static/css"
COMMENT = re.compile(r"/\*.*?\*/|\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
VARIABLE = re.compile(r"\{% for (\w+)|(?<=[\s])(\w+)=(?=[^{}<>]*%\})|\bas(?:var)? (\w+) %\}")
TERMS = {
    ("api/views.py", "throttled"): "Django REST framework calls it",
    ("engine/records/values.py", "played"): "a column of every record, beside won, drawn and lost",
    ("tournaments/money/presenters/fees.py", "owed"): "an amount",
    ("web/money.py", "owed"): "an amount",
}
"""Allowed exceptions, with the reason."""


def is_noun(name: str) -> bool:
    """Check a name for words that make it a clause or a riddle; a state may be a participle."""
    words = re.split("[._-]", name)
    return not (PRIVATE & {*words} or CLAUSE & {words[0], words[-1]} or "of" in words)


def list_paths() -> set[str]:
    """Return the names of templates, their folders and the style sheets, without their endings."""
    return {path.stem for path in (*TEMPLATES.rglob("*"), *STYLES.glob("*.css"))}


def list_classes() -> set[str]:
    sheets = (COMMENT.sub("", path.read_text(encoding="utf-8")) for path in STYLES.glob("*.css"))
    return {name for sheet in sheets for name in re.findall(r"\.([a-z][\w-]*)", re.sub(r"\{[^{}]*\}", " ", sheet))}


def list_variables() -> set[str]:
    texts = (COMMENT.sub("", path.read_text(encoding="utf-8")) for path in TEMPLATES.rglob("*.html"))
    return {name for text in texts for found in VARIABLE.findall(text) for name in found if name}


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


def test_template_and_style_sheet_names_are_nouns() -> None:
    names = list_paths() - {"game_over", "match_over"}  # both are terms
    assert {name for name in names if not is_noun(name) or PARTICIPLE.fullmatch(name)} == set()


def test_style_class_name_is_no_clause() -> None:
    assert {name for name in list_classes() if not is_noun(name)} == set()


def test_template_variable_is_no_private_word() -> None:
    assert {name for name in list_variables() if PRIVATE & {*name.split("_")}} == set()


@pytest.mark.parametrize("name", ["by_ear", "of-games", "why", "rail", "to_send", "hands_of_game", "taken-apart"])
def test_check_detects_a_clause_or_a_private_word(name: str) -> None:
    assert not is_noun(name)


@pytest.mark.parametrize("name", ["sign_in", "check_in_box", "door_prize", "js-only", "in-progress", "no_results"])
def test_check_accepts_nouns_and_states(name: str) -> None:
    assert is_noun(name)
