"""By what the phones in a hall know an event: where another laptop has it, they bring back what it lacks."""

from collections import defaultdict
from typing import Any, TypedDict

from scoring.models import Mark, TableCard
from tournaments.models import Event

from .matches import Matches
from .moments import moment_to_json


class FileLog(TypedDict):
    """The keys of the lines of a match's log, in their order."""

    round: int
    table: int
    opened_at: str | None
    keys: list[str]


class FileKeys(TypedDict):
    """By what phones know an event; ``codes`` are a table's number and its code."""

    codes: list[list[Any]]
    logs: list[FileLog]


def phone_keys(event: Event, matches: Matches) -> FileKeys:
    """The codes of the cards on its tables, and the keys of the lines of each log, in their order. A match is
    known as phones know it, by its table and the moment when it was drawn. Two queries."""
    keys: dict[int, list[str]] = defaultdict(list)
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk")
    for match, key in marks.values_list("match", "entry_key").iterator(chunk_size=5_000):
        keys[match].append(str(key))
    cards = TableCard.objects.filter(topic=event.topic).order_by("number")
    return {
        "codes": [list(card) for card in cards.values_list("number", "code")],
        "logs": [
            {
                "round": match.round_number,
                "table": match.card.number,
                "opened_at": moment_to_json(match.opened_at),
                "keys": keys[match.pk],
            }
            for match, _ in matches.values()
            if match.pk in keys
        ],
    }
