"""Every text of the interface is translated into Quebec French, with its terms and typography."""

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
from django.utils.translation import override

from operations.data_dir import DATA_VARIABLE, PROJECT
from tests import external_tools
from tournaments.standings.labels import METRIC_SHORT

CATALOGUE = Path("locale/fr/LC_MESSAGES/django.po")
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
FRANCE_TERMS = re.compile(r"\b(scores?|plis?|tours?|cagnottes?)\b", re.IGNORECASE)
FORBIDDEN_PATTERNS = {
    "a straight apostrophe": re.compile(r"\w'\w"),
    "quotation marks of another language": re.compile(r"[“”\"]"),
    "no nonbreaking space before a colon": re.compile("(?<!\u00a0):"),
    "no nonbreaking space inside guillemets": re.compile("«(?!\u00a0)|(?<!\u00a0)»"),
    "a space before ? or ;": re.compile(r"\s[?;]"),
    "no nonbreaking space before a unit": re.compile(r"(?<=[\ds)]) [kMG]o\b"),
    "an exclamation mark": re.compile("!"),
    "three dots": re.compile(r"\.\.\."),
}
NAMED_PLACEHOLDERS = frozenset({"bids", "name", "names", "one", "pattern", "round", "who"})
"""Placeholders that may begin a counted text and are not numbers: ``Ronde 2``."""
IGNORED_FILES = shutil.ignore_patterns(".*", "data", "tests", "bench", "docs", "static", "__pycache__")


def read_catalogue(project: Path) -> Catalog:
    with (project / CATALOGUE).open("rb") as file:
        return read_po(file)


def list_texts(found: Catalog) -> set[tuple[str, ...]]:
    """Return each text with its context and its English plural."""
    return {
        (message.context or "", *([message.id] if isinstance(message.id, str) else message.id))
        for message in list_messages(found)
    }


def list_messages(found: Catalog) -> list[Message]:
    return [message for message in found if message.id]


def build_source_catalogue(place: Path) -> Catalog:
    """Build the catalogue of the current source code, in a copy of it below this folder."""
    copy = place / "project"
    shutil.copytree(PROJECT, copy, ignore=IGNORED_FILES)
    environment = os.environ | {DATA_VARIABLE: str(place / "data"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    collected = subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "--locale", "fr"],
        cwd=copy, env=environment, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert collected.returncode == 0, collected.stderr
    return read_catalogue(copy)


@pytest.mark.slow
@pytest.mark.skipif(external_tools.find_gettext() is None, reason="no gettext")
def test_catalogue_contains_exactly_the_texts_of_the_source(tmp_path: Path) -> None:
    in_source, translated = list_texts(build_source_catalogue(tmp_path)), list_texts(read_catalogue(PROJECT))
    assert sorted(in_source - translated) == [], "not in the catalogue: run makemessages, and translate"
    assert sorted(translated - in_source) == [], "no longer in the source: run makemessages"


@pytest.mark.slow
def test_every_text_is_translated_and_no_translation_is_fuzzy() -> None:
    found = list_messages(read_catalogue(PROJECT))
    assert [message.id for message in found if message.fuzzy] == []
    assert [message.id for message in found if not _is_complete(message)] == []


@pytest.mark.slow
def test_translations_pass_the_format_checks() -> None:
    problems = [(message.id, str(error)) for message, errors in read_catalogue(PROJECT).check() for error in errors]
    assert problems == []


@pytest.mark.slow
def test_translations_keep_every_placeholder() -> None:
    problems = [
        (english, form)
        for message in list_messages(read_catalogue(PROJECT))
        for english, form in zip(_list_english_forms(message), _list_french_forms(message), strict=True)
        if set(PLACEHOLDER.findall(english)) != set(PLACEHOLDER.findall(form))
    ]
    assert problems == []


@pytest.mark.slow
@pytest.mark.parametrize("wrong", FORBIDDEN_PATTERNS.values(), ids=FORBIDDEN_PATTERNS.keys())
def test_translations_follow_quebec_typography(wrong: re.Pattern[str]) -> None:
    assert [form for form in list_french_forms() if wrong.search(form)] == []


@pytest.mark.slow
def test_translations_use_quebec_card_terms() -> None:
    assert [form for form in list_french_forms() if FRANCE_TERMS.search(_remove_sayings(form))] == []


@pytest.mark.parametrize("language", ["French", "English"])
def test_no_sentence_begins_with_a_number(language: str) -> None:
    """A placeholder that counts in one text counts as a number in all texts."""
    found = list_messages(read_catalogue(PROJECT))
    counted = {
        name
        for message in found
        if message.pluralizable
        for name in PLACEHOLDER.findall(_list_english_forms(message)[1])[:1]
    }
    first = re.compile(
        rf"(?:<\w+>)*(?:\d+|%\((?:{'|'.join(counted - NAMED_PLACEHOLDERS)})\)s)\s\w.*[.!?](?:\s|$|<)", re.DOTALL
    )
    forms = _list_french_forms if language == "French" else _list_english_forms
    assert [form for message in found for form in forms(message) if first.match(form)] == []


def test_french_plural_rule_treats_zero_as_singular() -> None:
    found = read_catalogue(PROJECT)
    assert str(found.locale) == "fr_CA"
    assert (found.num_plurals, found.plural_expr) == (2, "(n > 1)")


def list_french_forms() -> list[str]:
    return [form for message in list_messages(read_catalogue(PROJECT)) for form in _list_french_forms(message)]


def _list_english_forms(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def _list_french_forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _remove_sayings(form: str) -> str:
    """Remove ``à tour de rôle``, where ``tour`` does not mean a round."""
    return form.replace("à tour de rôle", "")


def _is_complete(message: Message) -> bool:
    return all(form.strip() for form in _list_french_forms(message))


def test_average_per_match_is_abbreviated_like_its_total() -> None:
    averages = [key for key in METRIC_SHORT if key.startswith("mean_")]
    with override("fr"):
        assert [str(METRIC_SHORT[key]) for key in averages] == [
            f"{METRIC_SHORT[key.removeprefix('mean_')]}/m." for key in averages
        ]
