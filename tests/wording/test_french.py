"""Every text of the interface is in French, too, in Quebec's words and typography."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from operations.data_dir import PROJECT, VARIABLE
from tests import parts

CATALOGUE = Path("locale/fr/LC_MESSAGES/django.po")
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
WORDS_OF_FRANCE = re.compile(r"\b(scores?|plis?|tours?|cagnottes?)\b", re.IGNORECASE)
NOT_QUEBEC = {
    "a straight apostrophe": re.compile(r"\w'\w"),
    "quotation marks of another language": re.compile(r"[“”\"]"),
    "no nonbreaking space before a colon": re.compile("(?<!\u00a0):"),
    "no nonbreaking space inside guillemets": re.compile("«(?!\u00a0)|(?<!\u00a0)»"),
    "a space before ? or ;": re.compile(r"\s[?;]"),
    "no nonbreaking space before a unit": re.compile(r"(?<=[\ds)]) [kMG]o\b"),
    "an exclamation mark": re.compile("!"),
    "three dots": re.compile(r"\.\.\."),
}
NAMED = frozenset({"bids", "name", "names", "one", "pattern", "round", "who"})
"""What stands first in a text that counts something, and is no number: ``Ronde 2``."""
NOT_SOURCE = shutil.ignore_patterns(".*", "data", "tests", "bench", "docs", "static", "__pycache__")


def catalogue(project: Path) -> Catalog:
    with (project / CATALOGUE).open("rb") as file:
        return read_po(file)


def texts(found: Catalog) -> set[tuple[str, ...]]:
    """Each text by its context, its English and its English plural."""
    return {
        (message.context or "", *([message.id] if isinstance(message.id, str) else message.id))
        for message in messages(found)
    }


def messages(found: Catalog) -> list[Message]:
    return [message for message in found if message.id]


def texts_of_source(place: Path) -> Catalog:
    """The catalogue as it would be made now, in a copy of the source under that folder."""
    copy = place / "project"
    shutil.copytree(PROJECT, copy, ignore=NOT_SOURCE)
    environment = os.environ | {VARIABLE: str(place / "data"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    collected = subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "--locale", "fr"],
        cwd=copy, env=environment, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert collected.returncode == 0, collected.stderr
    return catalogue(copy)


@pytest.mark.slow
@pytest.mark.skipif(parts.gettext() is None, reason="no gettext")
def test_the_catalogue_has_the_texts_of_the_source_and_no_others(tmp_path: Path) -> None:
    in_source, translated = texts(texts_of_source(tmp_path)), texts(catalogue(PROJECT))
    assert sorted(in_source - translated) == [], "not in the catalogue: run makemessages, and translate"
    assert sorted(translated - in_source) == [], "no longer in the source: run makemessages"


def test_every_text_is_translated_and_every_translation_looked_at() -> None:
    found = messages(catalogue(PROJECT))
    assert [message.id for message in found if message.fuzzy] == []
    assert [message.id for message in found if not _is_complete(message)] == []


@pytest.mark.slow
def test_translations_take_the_values_that_their_texts_take() -> None:
    problems = [
        (message.id, str(error)) for message, errors in catalogue(PROJECT).check() for error in errors
    ]
    assert problems == []


@pytest.mark.slow
def test_translations_leave_out_no_value() -> None:
    problems = [
        (english, form)
        for message in messages(catalogue(PROJECT))
        for english, form in zip(_english(message), _french(message), strict=True)
        if set(PLACEHOLDER.findall(english)) != set(PLACEHOLDER.findall(form))
    ]
    assert problems == []


@pytest.mark.slow
@pytest.mark.parametrize("wrong", NOT_QUEBEC.values(), ids=NOT_QUEBEC.keys())
def test_translations_are_set_as_in_quebec(wrong: re.Pattern[str]) -> None:
    assert [form for form in french_forms() if wrong.search(form)] == []


def test_translations_have_quebec_s_words_of_the_game() -> None:
    assert [form for form in french_forms() if WORDS_OF_FRANCE.search(_without_sayings(form))] == []


@pytest.mark.parametrize("language", ["French", "English"])
def test_no_sentence_begins_with_a_number(language: str) -> None:
    """A counted word counts as a number wherever it stands first."""
    found = messages(catalogue(PROJECT))
    counted = {
        name
        for message in found
        if message.pluralizable
        for name in PLACEHOLDER.findall(_english(message)[1])[:1]
    }
    first = re.compile(
        rf"(?:<\w+>)*(?:\d+|%\((?:{'|'.join(counted - NAMED)})\)s)\s\w.*[.!?](?:\s|$|<)", re.DOTALL
    )
    forms = _french if language == "French" else _english
    assert [form for message in found for form in forms(message) if first.match(form)] == []


def test_french_counts_as_french_does_none_is_singular() -> None:
    found = catalogue(PROJECT)
    assert str(found.locale) == "fr_CA"
    assert (found.num_plurals, found.plural_expr) == (2, "(n > 1)")


def french_forms() -> list[str]:
    return [form for message in messages(catalogue(PROJECT)) for form in _french(message)]


def _english(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def _french(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _without_sayings(form: str) -> str:
    """``À tour de rôle`` is no round."""
    return form.replace("à tour de rôle", "")


def _is_complete(message: Message) -> bool:
    return all(form.strip() for form in _french(message))
