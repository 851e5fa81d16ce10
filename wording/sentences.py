"""Sentences of refusals in the reader's language: what is wrong, then what to do."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext

from api import refusals as api
from clubs import refusals as clubs
from clubs.game_words import contract_name
from errors import Answer, Refusal
from federations import refusals as federations
from jobs import refusals as jobs
from operations import refusals as operations
from scoring import refusals as scoring
from tournaments.board import refusals as board
from tournaments.entries import refusals as entries
from tournaments.event_files import refusals as event_files
from tournaments.events import refusals as events
from tournaments.imports import refusals as imports
from tournaments.interclub import refusals as interclub
from tournaments.messages import refusals as messages
from tournaments.mirrors import refusals as mirrors
from tournaments.money import refusals as money
from tournaments.papers import refusals as papers
from tournaments.planner import refusals as planner
from tournaments.publishing import refusals as publishing
from tournaments.rounds import refusals as rounds
from tournaments.seasons import refusals as seasons
from tournaments.standings import refusals as standings
from web.sheets import refusals as sheets

REFUSAL_MODULES = (
    api,
    clubs,
    federations,
    jobs,
    operations,
    scoring,
    board,
    entries,
    event_files,
    events,
    imports,
    interclub,
    messages,
    mirrors,
    money,
    papers,
    planner,
    publishing,
    rounds,
    seasons,
    standings,
    sheets,
)


def merge_answers(*tables: Mapping[str, str | Promise | Answer]) -> dict[str, Answer]:
    """Join the tables of the packages. A code in two of them is a bug: ValueError."""
    merged: dict[str, Answer] = {}
    for table in tables:
        duplicates = merged.keys() & table.keys()
        if duplicates:
            raise ValueError(f"two sentences for {', '.join(sorted(duplicates))}")
        merged |= {code: each if isinstance(each, Answer) else Answer(each) for code, each in table.items()}
    return merged


ANSWERS_BY_CODE = merge_answers(*(each.REFUSALS for each in REFUSAL_MODULES))
"""Answers to all refusals, by code."""
SENTENCES: Mapping[str, Any] = {code: answer.sentence for code, answer in ANSWERS_BY_CODE.items()}


def get_http_status(refusal: Refusal) -> int:
    """Return the HTTP status of a refusal."""
    return ANSWERS_BY_CODE[refusal.code].status


def get_sentence(refusal: Refusal) -> str:
    """Return the sentence of a refusal. A code without one is a bug: KeyError."""
    details = {
        name: _format_value(_name_contracts(value) if name in CONTRACT_DETAILS else value)
        for name, value in refusal.details.items()
    }
    return str(SENTENCES[refusal.code]) % ({"near": _suggest_name(refusal)} | details)


def _suggest_name(refusal: Refusal) -> str:
    """Return the ``known`` name that is nearest to that of the refused field, in brackets; empty without one."""
    name = (refusal.field or "").rpartition(".")[2]
    known = refusal.details.get("known")
    matches = get_close_matches(name, known, n=1) if isinstance(known, tuple) else []
    return gettext(" (did you mean “%(name)s”?)") % {"name": matches[0]} if matches else ""


def get_located_sentence(refusal: Refusal) -> str:
    """Return the sentence of a refusal with its place in a file: ``hands.csv, line 12, column tricks: …``."""
    details: Mapping[str, Any] = refusal.details
    place = [str(details["file"])] if details.get("file") else []
    if details.get("line"):
        place.append(gettext("line %(line)s") % {"line": details["line"]})
    if refusal.field and details.get("file") and refusal.field != details["file"]:
        place.append(gettext("column %(column)s") % {"column": refusal.field})
    return gettext("%(place)s: %(sentence)s") % {"place": ", ".join(place), "sentence": get_sentence(refusal)}


CONTRACT_DETAILS = frozenset({"contract", "minimum", "ladder", "bid"})
"""Details that are contracts, or that a user entered as one."""


def _name_contracts(value: Any) -> Any:
    """Return contracts as the reader's language names them."""
    return [contract_name(key) for key in value] if isinstance(value, list | tuple) else contract_name(value)


def _format_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return get_text_list([str(item) for item in value], gettext("and"))
    return str(value).encode(errors="replace").decode()  # JSON can hold a lone surrogate, which has no bytes
