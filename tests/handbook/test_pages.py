"""The handbook is true: equal contents in both languages, with the words of the interface."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from babel.messages.pofile import read_po
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

from handbook.pages import HANDBOOK_FOLDER, LANGUAGES, PAGES, get_page_title, read_source
from operations.data_dir import PROJECT

PAGES_BY_LANGUAGE = [(name, language) for name in PAGES for language in LANGUAGES]
BOLD = re.compile(r"\*\*(.+?)\*\*")
COMMAND = re.compile(r"^ {4}python3 manage\.py ([\w-]+)(.*)$", re.MULTILINE)
ADDRESS = re.compile(r"`(/[\w/]*)`")
OUTSIDE_DJANGO = {"/health", "/ready", "/metrics"}
"""Addresses that the server process answers itself, tested in tests/operations."""
BOOTSTRAP = {"up", "test"}
"""Commands whose options are read before Django's; tests/operations tests them."""


@cache
def list_interface_texts(language: str) -> frozenset[str]:
    """Return all texts of the interface in this language."""
    with (PROJECT / "locale/fr/LC_MESSAGES/django.po").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    sides: list[Any] = [message.string if language == "fr" else message.id for message in messages]
    return frozenset(text for side in sides for text in (side if isinstance(side, tuple) else (side,)))


@pytest.mark.parametrize(("name", "language"), PAGES_BY_LANGUAGE)
def test_bold_words_appear_in_the_interface(name: str, language: str) -> None:
    assert {
        word for word in BOLD.findall(read_source(name, language)) if word not in list_interface_texts(language)
    } == set()


@pytest.mark.parametrize("name", PAGES)
def test_page_has_the_same_structure_in_both_languages(name: str) -> None:
    in_french, in_english = (shape_of(read_source(name, language)) for language in LANGUAGES)
    assert in_french == in_english


def shape_of(text: str) -> list[str]:
    """Return the headings, lines of lists and tables, links and commands, in order, without words."""
    lines = re.findall(r"^(#+ |\d+\. |[-|] ?| {4}python3 manage\.py \w+)", text, re.MULTILINE)
    return lines + sorted(re.findall(r"\]\((?:\.\./pictures/\w+/)?([\w.-]+)\)", text))


def test_handbook_files_match_the_list_of_pages() -> None:
    for language in LANGUAGES:
        assert {file.stem for file in (HANDBOOK_FOLDER / language).glob("*.md")} == set(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_titles_are_distinct(language: str) -> None:
    assert len({get_page_title(name, language) for name in PAGES}) == len(PAGES)


@pytest.mark.parametrize(("name", "language"), PAGES_BY_LANGUAGE)
def test_commands_named_in_the_handbook_exist(name: str, language: str) -> None:
    for command, arguments in COMMAND.findall(read_source(name, language)):
        app = get_commands()[command]
        if command not in BOOTSTRAP:
            parser = load_command_class(app, command).create_parser("manage.py", command)
            options = {option for action in parser._actions for option in action.option_strings} | {"--data"}
            assert set(re.findall(r"--[\w-]+", arguments)) <= options


@pytest.mark.parametrize(("name", "language"), PAGES_BY_LANGUAGE)
def test_addresses_named_in_the_handbook_exist(name: str, language: str) -> None:
    for address in set(ADDRESS.findall(read_source(name, language))) - OUTSIDE_DJANGO:
        try:
            resolve(address)
        except Resolver404:
            pytest.fail(address)
