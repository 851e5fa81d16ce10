"""Matching of imported people with those of the club: the page asks in case of doubt."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from clubs.name_matching import Likeness
from errors import Refusal
from tournaments.imports.queries.events import NamedInFile

NEW = "new"
"""Choice of a new person, in place of a key."""


def people_asked_about(request: HttpRequest, people: Sequence[NamedInFile]) -> dict[str, Any]:
    """Return the people for the page, with the choices made so far."""
    return {
        "new": [each for each in people if each.likeness == Likeness.NEW],
        "known": [each for each in people if each.likeness == Likeness.THERE],
        "unclear": [
            (each, request.POST.get(each.field, "")) for each in people if each.likeness == Likeness.PERHAPS
        ],
        "others": request.POST.getlist("other"),
    }


def people_chosen(request: HttpRequest, people: Sequence[NamedInFile]) -> dict[int, int]:
    """Return the imported people whom the club knows, by their place. Refuses: choose_who, no_such_person."""
    others = set(request.POST.getlist("other"))
    chosen: dict[int, int] = {}
    for each in people:
        if each.likeness == Likeness.THERE and str(each.number) not in others:
            chosen[each.number] = each.known[0].pk
        elif each.likeness == Likeness.PERHAPS:
            pk = _choice(request, each)
            if pk is not None:
                chosen[each.number] = pk
    return chosen


def _choice(request: HttpRequest, asked: NamedInFile) -> int | None:
    """Return the person chosen; None for a new one. Refuses: choose_who, no_such_person."""
    choice = request.POST.get(asked.field, "")
    if not choice:
        raise Refusal("choose_who", field=asked.field, name=asked.name)
    if choice == NEW:
        return None
    for person in asked.known:
        if str(person.pk) == choice:
            return person.pk
    raise Refusal("no_such_person", field=asked.field)
