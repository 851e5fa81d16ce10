"""Candidates for the owner of a phone's own page: people at a table, or found by name."""

from dataclasses import dataclass

from clubs.models import Person
from engine.visibility import Names
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in, public_naming
from tournaments.models import Event
from tournaments.public.queries.own_page import people_at, substitutes_of
from tournaments.rounds.queries.rounds import rounds_of

from .find_my_table import MOST_FOUND, MOST_TYPED, is_called


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoice:
    """A candidate for the owner of the page. ``known_as`` tells namesakes apart, and ``is_substitute`` marks
    a person who is in no entry."""

    person: Person
    name: str
    known_as: str = ""
    is_substitute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoices:
    """Candidates: the people ``at_table`` from which the phone comes, and those found by the name ``asked``,
    if ``may_ask``."""

    at_table: tuple[OwnChoice, ...]
    may_ask: bool
    asked: str
    called: tuple[OwnChoice, ...]
    more: int


def own_choices(event: Event, *, match_id: int | None, asked: str) -> OwnChoices:
    """Find the candidates. Hidden people are never found by name, and others only by the name that everybody
    sees. At a table names are in full, as on its screen. Seven queries at most."""
    seated = [] if match_id is None else people_at(event, match_id)
    seen = event.visible
    may_ask = seen.draw and seen.names is not Names.NUMBERS and rounds_of(event).exists()
    asked = " ".join(asked.split())[:MOST_TYPED]
    called = _people_called(event, asked) if may_ask and asked else []
    return OwnChoices(
        at_table=tuple(
            OwnChoice(person=person, name=person.name) for person in seated if person.anonymized_at is None
        ),
        may_ask=may_ask,
        asked=asked,
        called=tuple(called[:MOST_FOUND]),
        more=max(0, len(called) - MOST_FOUND),
    )


def _people_called(event: Event, asked: str) -> list[OwnChoice]:
    named = public_naming(event)
    entrants = entries_of(event)
    entry_named = entries_named_in(event, entrants)
    entries_with: dict[Person, list[str]] = {}
    for entry in entrants:
        for person in entry.players:
            entries_with.setdefault(person, []).append(entry_named(entry))

    def is_meant(person: Person) -> bool:
        is_found = not person.is_hidden and person.anonymized_at is None
        return is_found and is_called(named(person), asked)

    found = [
        OwnChoice(person=person, name=named(person), known_as=" · ".join(entries))
        for person, entries in entries_with.items()
        if is_meant(person)
    ]
    found += [
        OwnChoice(person=person, name=named(person), is_substitute=True)
        for person in substitutes_of(event)
        if is_meant(person)
    ]
    return found
