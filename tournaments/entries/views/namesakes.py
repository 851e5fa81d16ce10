"""Whether somebody on a list is who the club knows by that name: asked before anything is written."""

from collections.abc import Iterable, Mapping

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse

from rules import Refusal
from tournaments.entries.entry_import import ListedEntry
from tournaments.entries.queries.entries import players_key, withdrawn_entries
from tournaments.entries.queries.namesakes import Namesake, namesakes_of
from tournaments.entries.services.identities import Identities
from tournaments.history.views.confirmation import fields_to_repeat
from tournaments.models import Event
from web.forms import digits_in

FIELD = "who "
"""Before a folded name, the field that says who is meant by it."""
NEW = "new"
MOST_SHOWN = 200
"""As many names of which it is sure who is meant: the others are whom the club knows."""


def ask_who(
    request: HttpRequest, event: Event, listed: Iterable[ListedEntry], *, entries: int = 0, button: str = ""
) -> HttpResponse | None:
    """The page that asks, with everything typed in it; None once it was answered, or where nobody has a name
    that is known; of who had withdrawn it is not asked. ``entries`` is how many would be added; ``button``
    says what else would be done."""
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
    """For the template of the questions: those that are open, and those of which it is sure."""
    namesakes = tuple(found)
    sure = tuple(namesake for namesake in namesakes if namesake.is_sure)
    return {
        "questions": tuple(namesake for namesake in namesakes if not namesake.is_sure),
        "sure": sure[:MOST_SHOWN],
        "sure_count": len(sure),
    }


def identities_in(posted: QueryDict) -> Identities:
    """What was answered. Refuses: no_such_person."""
    answered: dict[str, int | None] = {}
    for name, value in posted.items():
        if name.startswith(FIELD):
            pk = None if value == NEW else digits_in(str(value), most=15)
            if pk is None and value != NEW:
                raise Refusal("no_such_person")
            answered[name.removeprefix(FIELD)] = pk
    return answered
