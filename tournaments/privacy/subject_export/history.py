"""History of a club and its events, and the incident register, about a person."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from clubs.models import Club, Incident, Person
from clubs.name_erasure import NameEraser
from tournaments.entries.queries.people import list_entries_of_person
from tournaments.history.queries import NumberHistory, read_reorderings
from tournaments.models import Action, Entry
from tournaments.privacy.erasure.histories import get_all_names
from versioning import Text

ENTRY_DETAILS = ("entry", "one", "other", "entries")
"""Details of an event's history that are numbers of entries."""


def export_history(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return each action about a person or with their name, newest first. Eight queries at most."""
    names = _get_names(club, person)
    lines = [*_export_club_actions(club, person, names), *_export_event_actions(club, person, names)]
    return sorted(lines, key=lambda line: line["when"], reverse=True)


def _get_names(club: Club, person: Person) -> NameEraser:
    """Return all names that a person ever had, to be told apart from longer names of others. Two queries."""
    club_names = club.people.values_list("name", flat=True)
    return NameEraser(dict.fromkeys(get_all_names(club, [person]), ""), other_names=club_names)


def _export_club_actions(club: Club, person: Person, names: NameEraser) -> list[dict[str, Any]]:
    person_ids = {person.pk, *person.merged_ids}
    actions = club.actions.select_related("account").order_by("-pk")
    return [
        _build_line(action, "")
        for action in actions.iterator(200)
        if action.details.get("person") in person_ids
        or any(row[0] == "person" and row[1] in person_ids for row in action.rows)
        or names.erase_in_value([action.details, action.reason]) != [action.details, action.reason]
    ]


def _export_event_actions(club: Club, person: Person, names: NameEraser) -> list[dict[str, Any]]:
    entries_by_event: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in list_entries_of_person(person):
        entries_by_event[entry.event_id].append(entry)
    moves = read_reorderings(entries_by_event)
    numbers = {event: NumberHistory(entries, moves.get(event, ())) for event, entries in entries_by_event.items()}
    actions = Action.objects.filter(event__club=club).select_related("event", "account").defer("changes")
    return [
        _build_line(action, action.event.name)
        for action in actions.iterator(200)
        if _mentions_entry(action, numbers)
        or action.details.get("person") in {person.pk, *person.merged_ids}
        or names.erase_in_value([action.details, action.reason]) != [action.details, action.reason]
    ]


def _mentions_entry(action: Action, numbers: Mapping[int, NumberHistory]) -> bool:
    """Check whether an action names one of the person's entries, by the number that it had then."""
    event_numbers = numbers.get(action.event_id)
    return event_numbers is not None and not event_numbers.at(action.moment_action_id).keys().isdisjoint(
        _get_entry_numbers(action.details)
    )


def _get_entry_numbers(details: dict[str, Any]) -> list[int]:
    """List the entries that an action names; an import of a night names them all."""
    entry_numbers: list[int] = []
    for name in ENTRY_DETAILS:
        value = details.get(name, [])
        entry_numbers += value if isinstance(value, list) else [value]
    for side in details.get("sides", []):
        entry_numbers += side
    return entry_numbers


def _build_line(action: Any, event: str) -> dict[str, Any]:
    return {
        "when": action.created_at,
        "event": event,
        "what": action.kind,
        "details": action.details,
        "who": "" if action.account is None else action.account.name,
        "reason": action.reason,
    }


def export_incidents(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the incidents of the register that contain the person's name. Three queries."""
    names = _get_names(club, person)
    texts = [name for name, facts in Incident.FACTS.items() if facts.text is Text.TYPED]
    return [
        {"day": incident.happened_on, **{name: getattr(incident, name) for name in texts}}
        for incident in club.incidents.all()
        if any(names.erase_in_text(getattr(incident, name)) != getattr(incident, name) for name in texts)
    ]
