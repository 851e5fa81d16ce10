"""The handbooks say what is so: of the same things in both languages, by the words of the interface."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from babel.messages.pofile import read_po
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

from handbook.pages import HERE, LANGUAGES, PAGES, page_title, source_of
from operations.data_dir import PROJECT

EACH = [(name, language) for name in PAGES for language in LANGUAGES]
BOLD = re.compile(r"\*\*(.+?)\*\*")
COMMAND = re.compile(r"^ {4}python3 manage\.py ([\w-]+)(.*)$", re.MULTILINE)
ADDRESS = re.compile(r"`(/[\w/]*)`")
OUTSIDE_DJANGO = {"/health", "/ready", "/metrics"}
"""Answered by the process itself: tests/operations."""
BOOTSTRAP = {"up", "test"}
"""Commands whose options are read before Django's: their options are tried by tests/operations."""


@cache
def interface(language: str) -> frozenset[str]:
    """All that the interface says in this language."""
    with (PROJECT / "locale/fr/LC_MESSAGES/django.po").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    sides: list[Any] = [message.string if language == "fr" else message.id for message in messages]
    return frozenset(text for side in sides for text in (side if isinstance(side, tuple) else (side,)))


@pytest.mark.parametrize(("name", "language"), EACH)
def test_what_is_bold_stands_in_the_interface(name: str, language: str) -> None:
    assert {
        word for word in BOLD.findall(source_of(name, language)) if word not in interface(language)
    } == set()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_the_same_parts_in_both_languages(name: str) -> None:
    in_french, in_english = (shape_of(source_of(name, language)) for language in LANGUAGES)
    assert in_french == in_english


def shape_of(text: str) -> list[str]:
    """Its headings, lines of lists and tables, links and commands, in order, without words."""
    lines = re.findall(r"^(#+ |\d+\. |[-|] ?| {4}python3 manage\.py \w+)", text, re.MULTILINE)
    return lines + sorted(re.findall(r"\]\((?:\.\./pictures/\w+/)?([\w.-]+)\)", text))


def test_of_no_page_one_is_left_over() -> None:
    for language in LANGUAGES:
        assert {file.stem for file in (HERE / language).glob("*.md")} == set(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_pages_have_two_titles(language: str) -> None:
    assert len({page_title(name, language) for name in PAGES}) == len(PAGES)


@pytest.mark.parametrize(("name", "language"), EACH)
def test_a_command_is_one_that_there_is(name: str, language: str) -> None:
    for command, arguments in COMMAND.findall(source_of(name, language)):
        app = get_commands()[command]
        if command not in BOOTSTRAP:
            parser = load_command_class(app, command).create_parser("manage.py", command)
            known = {option for action in parser._actions for option in action.option_strings} | {"--data"}
            assert set(re.findall(r"--[\w-]+", arguments)) <= known


@pytest.mark.parametrize(("name", "language"), EACH)
def test_an_address_is_one_that_there_is(name: str, language: str) -> None:
    for address in set(ADDRESS.findall(source_of(name, language))) - OUTSIDE_DJANGO:
        try:
            resolve(address)
        except Resolver404:
            pytest.fail(address)
