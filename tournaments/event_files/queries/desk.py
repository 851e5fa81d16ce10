"""Data of an event's desk beyond its results: payments, prizes, clocks, messages and the history."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Model

from clubs.audit.log import serialize_value
from clubs.models import Account, Club, Person
from scoring.models import Terms
from tournaments.event_files.hidden_lineups import LINEUPS, convert_columns, convert_history, hide_lineups
from tournaments.event_files.row_ids import renumber_row
from tournaments.event_files.schema import PERSON_SHAPES
from tournaments.models import Action, Adjustment, Entry, Event, Fee, Prize, PrizeCategory, Round

from .people import FilePeople

DESK_ROWS: Mapping[str, tuple[type[Model], tuple[str, ...]]] = {
    "fees": (Fee, ("id", "person_id", "other", "paid")),
    "prizes": (
        Prize,
        ("id", "name", "amount", "winner_1_id", "winner_2_id", "rank", "is_public", "shows_amount"),
    ),
    "history": (
        Action,
        ("id", "kind", "details", "reason", "origin", "undoes_id", "created_at", "account_id", "changes"),
    ),
}
"""The model and columns of each list."""
STANDINGS_COLUMNS = ("number", "corrects", "rounds", "rows", "counted", "charts", "published_at")
CLOCK_COLUMNS = {
    "minutes": "clock_minutes",
    "added": "added_minutes",
    "paused_at": "paused_at",
    "paused_seconds": "paused_seconds",
    "last_hand_at": "last_hand_at",
    "shift": "clock_shift",
}
REQUESTS = "postponement_requests"
EVENT_COLUMNS = ("signs_up", "most_entries", "boards", "hall_row", "hall_snakes")
FIRST_MISSING_PERSON = 100_000
"""Number of the first person whom only the history knows: above those of all people in a file."""


def list_known_ids(event: Event) -> dict[type[Model], list[int]]:
    """Return the ids of rows that an event and its copy have in the same order. Four queries."""
    rows = {
        Entry: event.entries.order_by("number"),
        Round: event.rounds.order_by("number"),
        Adjustment: event.adjustments.order_by("pk"),
        PrizeCategory: event.prize_categories.order_by("pk"),
    }
    return {Club: [event.club_id], Event: [event.pk], Terms: [event.terms_id]} | {
        model: list(found.values_list("pk", flat=True)) for model, found in rows.items()
    }


class DeskNumbers:
    """Numbers from 1 instead of the ids of an event's rows; ``accounts`` are the names of the numbered ones."""

    def __init__(self, event: Event, people: FilePeople) -> None:
        self.accounts: list[str] = []
        self._people = people
        self._names = dict(Person.objects.filter(club=event.club_id).values_list("pk", "name"))
        self._account_names = dict(event.actions.order_by().values_list("account", "account__name").distinct())
        self._numbers: dict[type[Model], dict[int, int]] = defaultdict(dict)
        known_ids: dict[type[Model], Iterable[int]] = {**list_known_ids(event), Person: people.keys}
        for model, ids in known_ids.items():
            self._numbers[model] = {pk: number for number, pk in enumerate(ids, start=1)}

    def number_rows(self, rows: Iterable[Model], columns: Iterable[str]) -> list[dict[str, Any]]:
        """Return these columns of the rows, with numbers instead of ids."""
        return [
            renumber_row(
                type(row),
                {name: serialize_value(row._meta.get_field(name.removesuffix("_id")), row) for name in columns},
                self._get_number,
            )
            for row in rows
        ]

    def _get_number(self, model: type[Model], pk: int) -> int:
        numbers = self._numbers[model]
        if pk not in numbers:
            numbers[pk] = self._find_person(pk) if model is Person else len(numbers) + 1
            if model is Account:
                self.accounts.append(self._account_names[pk])
        return numbers[pk]

    def _find_person(self, pk: int) -> int:
        if pk not in self._names:
            return FIRST_MISSING_PERSON + len(self._numbers[Person])
        return self._people.get_number(pk, self._names[pk])


def desk_to_json(event: Event, people: FilePeople) -> dict[str, Any]:
    """Return what the desk of an event has. ``people`` are all of the file, and those whom only the desk knows."""
    numbers = DeskNumbers(event, people)
    rows = {
        name: numbers.number_rows(_list_rows(model, event), columns) for name, (model, columns) in DESK_ROWS.items()
    }
    rows["history"] = convert_history(rows["history"], hide_lineups)
    rounds = event.rounds.filter(team_lineups__isnull=False) if event.has_team_matches else ()
    given = numbers.number_rows(rounds, ("number", LINEUPS))
    asked = event.rounds.exclude(postponement_requests={}) if event.has_team_matches else ()
    requests = [{"number": row.number, REQUESTS: getattr(row, REQUESTS)} for row in asked]
    return {
        **live_parts_to_json(event, numbers),
        **rows,
        **({LINEUPS: [convert_columns(row, hide_lineups) for row in given]} if given else {}),
        **({REQUESTS: requests} if requests else {}),
        "event": {name: getattr(event, name) for name in EVENT_COLUMNS},
        "accounts": numbers.accounts,
        "people": _people_to_json(people),
    }


def _people_to_json(people: FilePeople) -> list[dict[str, Any]]:
    people_by_id = Person.objects.in_bulk(people.keys)
    return [
        {"name": name} | {column: getattr(people_by_id[pk], column) for column in PERSON_SHAPES}
        for name, pk in zip(people.names, people.keys, strict=True)
    ]


def _list_rows(model: type[Model], event: Event) -> Iterator[Any]:
    """Yield the event's rows by id, without contact data in the history."""
    for row in model._default_manager.filter(event=event).order_by("pk"):
        for *_, before, after in row.changes.get("rows", ()) if isinstance(row, Action) else ():
            for side in filter(None, (before, after)):
                side.pop("contact", None)
        yield row


def live_parts_to_json(event: Event, numbers: DeskNumbers) -> dict[str, Any]:
    """Return final standings as published, messages of the desk, and the clock of each round."""
    rounds = event.rounds.order_by("number").only("event", "number", *CLOCK_COLUMNS.values())
    return {
        "final": event.final,
        "published": numbers.number_rows(event.published_standings.order_by("number"), STANDINGS_COLUMNS),
        "messages": event.messages,
        "clocks": {
            str(row.number): {
                name: serialize_value(row._meta.get_field(column), row) for name, column in CLOCK_COLUMNS.items()
            }
            for row in rounds
        },
    }
