"""Rows of an event's desk from its file (``event_files.queries.desk``)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Model

from clubs.audit.log import deserialize_value
from clubs.models import Account, Club, Person
from clubs.models.history import ORIGIN_LENGTH
from tournaments.event_files.hidden_lineups import LINEUPS, convert_history, reveal_lineups
from tournaments.event_files.queries.desk import CLOCK_COLUMNS, DESK_ROWS, EVENT_COLUMNS, REQUESTS, list_known_ids
from tournaments.event_files.row_ids import Renumber, renumber_row, reserve_ids
from tournaments.models import Action, Event, PublishedStandings, Round
from tournaments.models.standings import parse_moment

JsonObject = Mapping[str, Any]


def write_desk(event: Event, desk: JsonObject, *, people: Sequence[int]) -> None:
    """Write payments, prizes, settings of the desk and the history, in place of what is here. Call it in a
    transaction; ``people`` are the keys of all people of the file."""
    ids = _NewIds(event, people, _find_accounts(event.club, desk["accounts"]))
    desk = {**desk, "history": convert_history(desk["history"], reveal_lineups)}
    for name, (model, _) in DESK_ROWS.items():
        ids.reserve(model, desk[name])
    for name, (model, columns) in DESK_ROWS.items():
        here = model._default_manager.filter(event=event)
        here._raw_delete(here.db)  # noqa: SLF001 - nothing but the history refers to these rows
        model._default_manager.bulk_create(
            model(**_build_columns(model, line, columns, ids.get), event=event) for line in desk[name]
        )
    _complete_history(event, desk)
    for line in desk.get(LINEUPS, ()):
        lineups = {LINEUPS: reveal_lineups(line[LINEUPS])}
        event.rounds.filter(number=line["number"]).update(**_build_columns(Round, lineups, lineups, ids.get))
    for line in desk.get(REQUESTS, ()):
        event.rounds.filter(number=line["number"]).update(**{REQUESTS: line[REQUESTS]})
    for name in EVENT_COLUMNS:
        setattr(event, name, desk["event"][name])
    event.save(update_fields=EVENT_COLUMNS)


def write_live_parts(event: Event, parts: JsonObject, *, clock_offset: timedelta = timedelta()) -> None:
    """Write final standings as published, messages of the desk, and clocks. The clock of the computer that
    wrote them is ahead by ``clock_offset``."""
    entries = list_known_ids(event)

    def get_id(model: type[Model], number: int) -> int | None:
        return dict(enumerate(entries[model], start=1)).get(number)

    event.refresh_from_db()
    event.final, event.messages = parts["final"], parts["messages"]
    event.save(update_fields=["final", "messages"])
    for standings in parts["published"]:
        values = _build_columns(PublishedStandings, standings, standings, get_id)
        PublishedStandings.objects.get_or_create(event=event, number=values.pop("number"), defaults=values)
    for number, clock in parts["clocks"].items():
        values = {column: clock[name] for name, column in CLOCK_COLUMNS.items()}
        values |= {name: _convert_time(values[name], clock_offset) for name in ("paused_at", "last_hand_at")}
        values["clock_shift"] -= clock_offset // timedelta(seconds=1)
        event.rounds.filter(number=int(number)).update(**values)


def _convert_time(moment: str | None, clock_offset: timedelta) -> datetime | None:
    """Return a moment of the sender by the clock here."""
    converted = parse_moment(moment)
    return None if converted is None else converted - clock_offset


def _build_columns(model: type[Model], line: JsonObject, columns: Iterable[str], get_id: Renumber) -> dict[str, Any]:
    renumbered = renumber_row(model, line, get_id)
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: deserialize_value(fields[name], renumbered[name]) for name in columns}


def _complete_history(event: Event, desk: JsonObject) -> None:
    """Restore the moments of the history, and name authors who have no account here."""
    actions = list(Action.objects.filter(event=event).order_by("pk"))
    for action, line in zip(actions, desk["history"], strict=True):
        action.created_at = datetime.fromisoformat(line["created_at"])
        if line["account_id"] is not None and action.account_id is None:
            author = desk["accounts"][line["account_id"] - 1]
            action.origin = " · ".join(filter(None, (author, action.origin)))[:ORIGIN_LENGTH]
    Action.objects.bulk_update(actions, ["created_at", "origin"], batch_size=200)


def _find_accounts(club: Club, names: Sequence[str]) -> list[int | None]:
    """Return the accounts of these names in the club's team."""
    team = dict(club.memberships.values_list("account__name", "account"))
    return [team.get(name) for name in names]


class _NewIds:
    """Ids here by the numbers of a file. Rows that only the history knows get ids that no other row gets."""

    def __init__(self, event: Event, people: Sequence[int], accounts: Sequence[int | None]) -> None:
        self._known: dict[type[Model], dict[int, int | None]] = defaultdict(dict)
        ids_by_model: Mapping[type[Model], Sequence[int | None]] = {
            **list_known_ids(event),
            Person: people,
            Account: accounts,
        }
        for model, ids in ids_by_model.items():
            self._known[model] = dict(enumerate(ids, start=1))

    def reserve(self, model: type[Model], lines: Iterable[JsonObject]) -> None:
        """Reserve an id for each new number in these lines."""
        new: dict[type[Model], set[int]] = defaultdict(set)

        def note(of: type[Model], number: int) -> int:
            if number not in self._known[of]:
                new[of].add(number)
            return number

        for line in lines:
            renumber_row(model, line, note)
        for of, numbers in new.items():
            first = reserve_ids(of, len(numbers)) + 1
            self._known[of] |= {number: first + place for place, number in enumerate(sorted(numbers))}

    def get(self, model: type[Model], number: int) -> int | None:
        """Return the id; None of an account that is not here."""
        return self._known[model][number]
