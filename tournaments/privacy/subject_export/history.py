"""History of a club and its events, and the incident register, about a person."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from clubs.models import Club, Person
from clubs.name_erasure import ErasedNames
from tournaments.entries.queries.people import events_of_person
from tournaments.history.queries import NumbersThen, moves_in
from tournaments.models import Action, Entry
from tournaments.privacy.erasure import known_names

OF_ENTRIES = ("entry", "one", "other", "entries")
"""Details of an event's history that are numbers of entries."""


def subject_history(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return each action about a person or with their name, newest first. Eight queries at most."""
    called = _names_of(club, person)
    found = [*_of_club(club, person, called), *_of_events(club, person, called)]
    return sorted(found, key=lambda line: line["when"], reverse=True)


def _names_of(club: Club, person: Person) -> ErasedNames:
    """Return all names that a person ever had, to be told apart from longer names of others. Two queries."""
    beside = club.people.values_list("name", flat=True)
    return ErasedNames(dict.fromkeys(known_names(club, [person]), ""), beside=beside)


def _of_club(club: Club, person: Person, called: ErasedNames) -> list[dict[str, Any]]:
    mine = {person.pk, *person.merged_ids}
    actions = club.actions.select_related("account").order_by("-pk")
    return [
        _line(action, "")
        for action in actions.iterator(200)
        if action.details.get("person") in mine
        or any(row[0] == "person" and row[1] in mine for row in action.rows)
        or called.in_value([action.details, action.reason]) != [action.details, action.reason]
    ]


def _of_events(club: Club, person: Person, called: ErasedNames) -> list[dict[str, Any]]:
    mine: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in events_of_person(person):
        mine[entry.event_id].append(entry)
    moves = moves_in(mine)
    numbers = {event: NumbersThen(entries, moves.get(event, ())) for event, entries in mine.items()}
    actions = Action.objects.filter(event__club=club).select_related("event", "account").defer("changes")
    return [
        _line(action, action.event.name)
        for action in actions.iterator(200)
        if _names_one(action, numbers)
        or action.details.get("person") in {person.pk, *person.merged_ids}
        or called.in_value([action.details, action.reason]) != [action.details, action.reason]
    ]


def _names_one(action: Action, numbers: Mapping[int, NumbersThen]) -> bool:
    """Check whether an action names one of the person's entries, by the number that it had then."""
    of_event = numbers.get(action.event_id)
    return of_event is not None and not of_event.at(action.told_at).keys().isdisjoint(
        _numbers(action.details)
    )


def _numbers(details: dict[str, Any]) -> list[int]:
    """List the entries that an action names; an import of a night names them all."""
    found: list[int] = []
    for name in OF_ENTRIES:
        value = details.get(name, [])
        found += value if isinstance(value, list) else [value]
    for side in details.get("sides", []):
        found += side
    return found


def _line(action: Any, event: str) -> dict[str, Any]:
    return {
        "when": action.created_at,
        "event": event,
        "what": action.kind,
        "details": action.details,
        "who": "" if action.account is None else action.account.name,
        "reason": action.reason,
    }


def subject_incidents(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the incidents of the register that contain the person's name. Three queries."""
    called = _names_of(club, person)
    texts = ("what", "information", "done")
    return [
        {"day": incident.happened_on, **{name: getattr(incident, name) for name in texts}}
        for incident in club.incidents.all()
        if any(called.in_text(getattr(incident, name)) != getattr(incident, name) for name in texts)
    ]
