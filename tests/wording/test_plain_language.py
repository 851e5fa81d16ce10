"""Texts are plain: the glossary's terms, short sentences, easy words, and no spelling mistakes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyphen
import pytest

from operations.data_dir import PROJECT

from .test_french import list_messages, read_catalogue

GLOSSARY = PROJECT / "docs" / "glossary.md"
PLAIN_LANGUAGE_PAGES = {
    GLOSSARY,
    PROJECT / "docs" / "operating" / "roles.md",
    PROJECT / "docs" / "operating" / "security.md",
    PROJECT / "docs" / "development" / "rules-coverage.md",
}
CODE = re.compile(r"```.*?```|^    .*?$|`[^`\n]*`|\]\([^)]*\)|<[^>]+>|^\|.*?$|https?://\S+", re.DOTALL | re.MULTILINE)
PLACEHOLDER = re.compile(r"%\(\w+\)s|%s|\{\w*\}")
SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=[-*#\d])")
LONGEST = {"messages": 20, "handbook": 20, "docs": 25}
"""Maximum number of words in 95 % of the sentences."""
HARDEST = 8
"""Maximum Flesch–Kincaid grade of the handbook, in years of school."""
SYLLABLES = pyphen.Pyphen(lang="en_US")


def list_english_messages() -> list[str]:
    return [
        PLACEHOLDER.sub("x", text)
        for message in list_messages(read_catalogue(PROJECT))
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    ]


def list_french_messages() -> list[str]:
    return [
        PLACEHOLDER.sub("x", text)
        for message in list_messages(read_catalogue(PROJECT))
        for text in ([message.string] if isinstance(message.string, str) else message.string or ())
    ]


def read_prose(*patterns: str) -> list[str]:
    """Return the prose of these pages, without code, tables and links; omit the glossary and generated pages."""
    found = sorted(path for pattern in patterns for path in PROJECT.glob(pattern) if path not in PLAIN_LANGUAGE_PAGES)
    return [CODE.sub(" ", path.read_text(encoding="utf-8")) for path in found]


TEXTS: dict[str, Callable[[], list[str]]] = {
    "messages": list_english_messages,
    "handbook": lambda: read_prose("handbook/en/*.md"),
    "docs": lambda: read_prose("docs/*.md", "docs/*/*.md", "README.md", "SECURITY.md", "CHANGELOG.md"),
}
FRENCH: dict[str, Callable[[], list[str]]] = {
    "messages": list_french_messages,
    "handbook": lambda: read_prose("handbook/fr/*.md"),
}


def list_forbidden_words() -> list[str]:
    """Return the words in the last column of the glossary."""
    rows = re.findall(r"^\|[^|]*\|[^|]*\|[^|]*\|([^|]*)\|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    words = (word.strip() for row in rows for word in row.split(","))
    return [word for word in words if word and word != "not" and not set(word) <= set("-: ")]


def iter_sentences(texts: list[str]) -> Iterator[str]:
    return (each for text in texts for each in SENTENCE.split(text) if len(each.split()) > 1)


def get_grade(texts: list[str]) -> float:
    found = [re.findall(r"[A-Za-z’]+", each) for each in iter_sentences(texts)]
    words = [word for each in found for word in each]
    syllables = sum(len(SYLLABLES.positions(word)) + 1 for word in words)
    return 0.39 * len(words) / len(found) + 11.8 * syllables / len(words) - 15.59


@pytest.mark.slow
@pytest.mark.parametrize("what", TEXTS)
def test_english_texts_avoid_words_the_glossary_excludes(what: str) -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, list_forbidden_words()))})\b", re.IGNORECASE)
    found = {match[0].lower() for text in TEXTS[what]() for match in pattern.finditer(text)}
    assert found == set(), "docs/glossary.md names the term"


@pytest.mark.parametrize("what", FRENCH)
def test_french_texts_avoid_words_the_glossary_excludes(what: str) -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, list_forbidden_words()))})\b", re.IGNORECASE)
    found = {match[0].lower() for text in FRENCH[what]() for match in pattern.finditer(text)}
    assert found == set(), "docs/glossary.md names the term"


@pytest.mark.parametrize("what", TEXTS)
def test_most_sentences_are_short(what: str) -> None:
    lengths = sorted(len(each.split()) for each in iter_sentences(TEXTS[what]()))
    assert lengths[len(lengths) * 95 // 100] <= LONGEST[what]


def test_handbook_has_an_easy_reading_grade() -> None:
    assert get_grade(TEXTS["handbook"]()) <= HARDEST


@pytest.mark.slow
def test_texts_have_no_spelling_mistakes(tmp_path: Path) -> None:
    """The mistakes are those of codespell's list; its output shows the corrections."""
    for what, texts in TEXTS.items():
        (tmp_path / what).write_text("\n".join(texts()), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "codespell_lib", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert checked.stdout == ""
