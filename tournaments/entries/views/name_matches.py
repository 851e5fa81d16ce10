"""Questions asked before entries are written: is somebody on a list the person whom the club knows by that
name?"""

from collections.abc import Iterable, Mapping

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse

from errors import Refusal
from tournaments.entries.entry_import import ListedEntry
from tournaments.entries.queries.entries import players_key, withdrawn_entries
from tournaments.entries.queries.name_matches import Namesake, namesakes_of
from tournaments.entries.services.identities import Identities
from tournaments.history.views.confirmation import fields_to_repeat
from tournaments.models import Event
from web.forms import digits_in

FIELD = "who "
"""Prefix, before a folded name, of the field that says who is meant by it."""
NEW = "new"
MOST_SHOWN = 200
"""Most names listed as certain; the others also mean people whom the club knows."""


def ask_who(
    request: HttpRequest, event: Event, listed: Iterable[ListedEntry], *, entries: int = 0, button: str = ""
) -> HttpResponse | None:
    """Render the page that asks who is meant, with everything typed. None if already answered or if no name
    is known.

    Players who had withdrawn are not asked about. ``entries`` is how many would be added; ``button`` names
    another action that would be done.
    """
    if "asked" in request.POST:
        return None
    withdrawn = withdrawn_entries(event)
    found = namesakes_of(event, [one for one in listed if players_key(one.players) not in withdrawn])
    if not found:
        return None
    return TemplateResponse(
        request,
        "tournaments/entries/namesakes.html",
        {
            "event": event,
            **open_questions(found),
            "entries": entries,
            "button": button,
            "typed": fields_to_repeat(request),
        },
    )


def open_questions(found: Iterable[Namesake]) -> Mapping[str, object]:
    """Return the template context: the open questions, and the names that are certain."""
    namesakes = tuple(found)
    sure = tuple(namesake for namesake in namesakes if namesake.is_sure)
    return {
        "questions": tuple(namesake for namesake in namesakes if not namesake.is_sure),
        "sure": sure[:MOST_SHOWN],
        "sure_count": len(sure),
    }


def identities_in(posted: QueryDict) -> Identities:
    """Read the answers. Refuses: no_such_person."""
    answered: dict[str, int | None] = {}
    for name, value in posted.items():
        if name.startswith(FIELD):
            pk = None if value == NEW else digits_in(str(value), most=15)
            if pk is None and value != NEW:
                raise Refusal("no_such_person")
            answered[name.removeprefix(FIELD)] = pk
    return answered
