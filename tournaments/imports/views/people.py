"""Matching of imported people with those of the club: the page asks in case of doubt."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from clubs.name_matching import MatchKind
from errors import Refusal
from tournaments.imports.queries.events import ImportedPerson

NEW_PERSON = "new"
"""Choice of a new person, in place of a key."""


def build_people_choices(request: HttpRequest, people: Sequence[ImportedPerson]) -> dict[str, Any]:
    """Return the people for the page, with the choices made so far."""
    return {
        "new": [person for person in people if person.likeness == MatchKind.NEW],
        "known": [person for person in people if person.likeness == MatchKind.KNOWN],
        "unclear": [
            (person, request.POST.get(person.field, "")) for person in people if person.likeness == MatchKind.UNCERTAIN
        ],
        "others": request.POST.getlist("other"),
    }


def read_people_choices(request: HttpRequest, people: Sequence[ImportedPerson]) -> dict[int, int]:
    """Return the imported people whom the club knows, by their place. Refuses: choose_who, no_such_person."""
    others = set(request.POST.getlist("other"))
    chosen: dict[int, int] = {}
    for person in people:
        if person.likeness == MatchKind.KNOWN and str(person.number) not in others:
            chosen[person.number] = person.matches[0].pk
        elif person.likeness == MatchKind.UNCERTAIN:
            pk = _read_choice(request, person)
            if pk is not None:
                chosen[person.number] = pk
    return chosen


def _read_choice(request: HttpRequest, imported: ImportedPerson) -> int | None:
    """Return the person chosen; None for a new one. Refuses: choose_who, no_such_person."""
    choice = request.POST.get(imported.field, "")
    if not choice:
        raise Refusal("choose_who", field=imported.field, name=imported.name)
    if choice == NEW_PERSON:
        return None
    for person in imported.matches:
        if str(person.pk) == choice:
            return person.pk
    raise Refusal("no_such_person", field=imported.field)
