"""Candidates for the owner of a phone's own page: people at a table, or found by name."""

from dataclasses import dataclass

from clubs.models import Person
from engine.visibility import Names
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_public_entry_formatter, build_public_person_formatter
from tournaments.models import Event
from tournaments.public.queries.player_page import list_people_at_table, list_substitutes
from tournaments.rounds.queries.rounds import get_published_rounds

from .table_search import MAX_FOUND, MAX_NAME_LENGTH, matches_name


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChoice:
    """A candidate for the owner of the page. ``known_as`` tells namesakes apart, and ``is_substitute`` marks
    a person who is in no entry."""

    person: Person
    name: str
    known_as: str = ""
    is_substitute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChoices:
    """Candidates for the owner of the page: ``table_choices`` are the people at the phone's table, and
    ``search_results`` those found by the name ``asked``, if ``can_search`` is true."""

    table_choices: tuple[PlayerChoice, ...]
    can_search: bool
    query: str
    search_results: tuple[PlayerChoice, ...]
    more: int


def build_player_choices(event: Event, *, match_id: int | None, query: str) -> PlayerChoices:
    """Find the candidates. Hidden people are never found by name, and others only by the name that everybody
    sees. At a table names are in full, as on its screen. Seven queries at most."""
    people_seated = [] if match_id is None else list_people_at_table(event, match_id)
    visible = event.visible
    can_search = visible.draw and visible.names is not Names.NUMBERS and get_published_rounds(event).exists()
    query = " ".join(query.split())[:MAX_NAME_LENGTH]
    results = _search_people(event, query) if can_search and query else []
    return PlayerChoices(
        table_choices=tuple(
            PlayerChoice(person=person, name=person.name) for person in people_seated if person.anonymized_at is None
        ),
        can_search=can_search,
        query=query,
        search_results=tuple(results[:MAX_FOUND]),
        more=max(0, len(results) - MAX_FOUND),
    )


def _search_people(event: Event, query: str) -> list[PlayerChoice]:
    format_person = build_public_person_formatter(event)
    entrants = get_entries(event)
    format_entry = build_public_entry_formatter(event, entrants)
    entries_by_person: dict[Person, list[str]] = {}
    for entry in entrants:
        for person in entry.players:
            entries_by_person.setdefault(person, []).append(format_entry(entry))

    def is_match(person: Person) -> bool:
        is_found = not person.is_hidden and person.anonymized_at is None
        return is_found and matches_name(format_person(person), query)

    choices = [
        PlayerChoice(person=person, name=format_person(person), known_as=" · ".join(entries))
        for person, entries in entries_by_person.items()
        if is_match(person)
    ]
    choices += [
        PlayerChoice(person=person, name=format_person(person), is_substitute=True)
        for person in list_substitutes(event)
        if is_match(person)
    ]
    return choices
