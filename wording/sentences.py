"""Sentences of refusals in the reader's language: what is wrong, then what to do."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext

from clubs.game_words import contract_name
from errors import Refusal
from wording.refusals.backups import BACKUP_SENTENCES
from wording.refusals.boards import BOARD_SENTENCES
from wording.refusals.cards import CARD_SENTENCES
from wording.refusals.clubs import CLUB_SENTENCES
from wording.refusals.directors import DIRECTOR_SENTENCES
from wording.refusals.draws import DRAW_SENTENCES
from wording.refusals.entries import ENTRY_SENTENCES
from wording.refusals.event_files import EVENT_FILE_SENTENCES
from wording.refusals.events import EVENT_SENTENCES
from wording.refusals.federations import FEDERATION_SENTENCES
from wording.refusals.halls import HALL_SENTENCES
from wording.refusals.hand_imports import HAND_SHEET_SENTENCES
from wording.refusals.interclub import INTERCLUB_SENTENCES
from wording.refusals.jobs import JOB_SENTENCES
from wording.refusals.messages import MESSAGE_SENTENCES
from wording.refusals.mirrors import MIRROR_SENTENCES
from wording.refusals.money import MONEY_SENTENCES
from wording.refusals.nights import NIGHT_SENTENCES
from wording.refusals.outages import OUTAGE_SENTENCES
from wording.refusals.people import PEOPLE_SENTENCES
from wording.refusals.planning import PLANNING_SENTENCES
from wording.refusals.privacy import PRIVACY_SENTENCES
from wording.refusals.programs import PROGRAM_SENTENCES
from wording.refusals.publishing import PUBLISHING_SENTENCES
from wording.refusals.recorded_nights import RECORDED_NIGHT_SENTENCES
from wording.refusals.rules import RULE_SENTENCES
from wording.refusals.seasons import SEASON_SENTENCES
from wording.refusals.sheets import SHEET_SENTENCES
from wording.refusals.signing_in import SIGNING_IN_SENTENCES
from wording.refusals.standings import STANDINGS_SENTENCES
from wording.refusals.tables import TABLE_SENTENCES
from wording.refusals.team import TEAM_SENTENCES
from wording.refusals.tournaments import TOURNAMENT_SENTENCES


def joined_tables(*tables: Mapping[str, str | Promise]) -> dict[str, str | Promise]:
    """Join the tables to one. A code in two of them is a bug: ValueError."""
    joined: dict[str, str | Promise] = {}
    for table in tables:
        twice = joined.keys() & table.keys()
        if twice:
            raise ValueError(f"two sentences for {', '.join(sorted(twice))}")
        joined |= table
    return joined


SENTENCES = joined_tables(
    RULE_SENTENCES,
    TABLE_SENTENCES,
    CLUB_SENTENCES,
    EVENT_SENTENCES,
    RECORDED_NIGHT_SENTENCES,
    BACKUP_SENTENCES,
    BOARD_SENTENCES,
    CARD_SENTENCES,
    DIRECTOR_SENTENCES,
    DRAW_SENTENCES,
    ENTRY_SENTENCES,
    EVENT_FILE_SENTENCES,
    FEDERATION_SENTENCES,
    HALL_SENTENCES,
    HAND_SHEET_SENTENCES,
    INTERCLUB_SENTENCES,
    JOB_SENTENCES,
    MESSAGE_SENTENCES,
    MIRROR_SENTENCES,
    MONEY_SENTENCES,
    NIGHT_SENTENCES,
    OUTAGE_SENTENCES,
    PEOPLE_SENTENCES,
    PLANNING_SENTENCES,
    PRIVACY_SENTENCES,
    PROGRAM_SENTENCES,
    PUBLISHING_SENTENCES,
    SEASON_SENTENCES,
    SHEET_SENTENCES,
    SIGNING_IN_SENTENCES,
    STANDINGS_SENTENCES,
    TEAM_SENTENCES,
    TOURNAMENT_SENTENCES,
)
"""Sentences of all refusals, by code."""


def sentence(refusal: Refusal) -> str:
    """Return the sentence of a refusal. A code without one is a bug: KeyError."""
    return str(SENTENCES[refusal.code]) % {
        name: _text_of(_name_contracts(value) if name in CONTRACTS else value)
        for name, value in refusal.details.items()
    }


def sentence_with_location(refusal: Refusal) -> str:
    """Return the sentence of a refusal with its place in a file: ``hands.csv, line 12, column tricks: …``."""
    details: Mapping[str, Any] = refusal.details
    place = [str(details["file"])] if details.get("file") else []
    if details.get("line"):
        place.append(gettext("line %(line)s") % {"line": details["line"]})
    if refusal.field and details.get("file") and refusal.field != details["file"]:
        place.append(gettext("column %(column)s") % {"column": refusal.field})
    return gettext("%(place)s: %(sentence)s") % {"place": ", ".join(place), "sentence": sentence(refusal)}


CONTRACTS = frozenset({"contract", "minimum", "ladder", "bid"})
"""Details that are contracts, or that a user entered as one."""


def _name_contracts(value: Any) -> Any:
    """Return contracts as the reader's language names them."""
    return [contract_name(key) for key in value] if isinstance(value, list | tuple) else contract_name(value)


def _text_of(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return get_text_list([str(item) for item in value], gettext("and"))
    return str(value).encode(errors="replace").decode()  # JSON can hold a lone surrogate, which has no bytes
