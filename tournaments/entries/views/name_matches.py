"""Questions asked before entries are written: is somebody on a list the person whom the club knows by that
name?"""

from collections.abc import Collection, Iterable, Mapping

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse

from errors import Refusal
from tournaments.entries.entry_import.couples import Couple
from tournaments.entries.entry_import.values import ListedEntry
from tournaments.entries.queries.entries import players_key, withdrawn_entries
from tournaments.entries.queries.name_matches import Namesake, list_namesakes
from tournaments.entries.services.identities import Identities
from tournaments.history.views.confirmation import list_repeated_fields
from tournaments.models import Event
from web.forms import parse_digits

IDENTITY_PREFIX = "who "
"""Prefix, before a folded name, of the field that says who is meant by it."""
NEW_PERSON = "new"
COUPLE_PREFIX = "couple "
"""Prefix, before a line number, of the field that says whether a couple shares a surname."""
AS_TYPED = "typed"
MAX_CERTAIN_SHOWN = 200
"""Most names listed as certain; the others also mean people whom the club knows."""


def render_identity_questions(
    request: HttpRequest, event: Event, listed_entries: Iterable[ListedEntry], *, entries: int = 0, button: str = ""
) -> HttpResponse | None:
    """Render the page that asks who is meant, with everything typed. None if already answered, or if no name
    is known and no couple may share a surname.

    Players who had withdrawn are not asked about. ``entries`` is how many would be added; ``button`` names
    another action that would be done.
    """
    if "asked" in request.POST:
        return None
    withdrawn, listed_entries = withdrawn_entries(event), tuple(listed_entries)
    namesakes = list_namesakes(
        event, [listed_entry for listed_entry in listed_entries if players_key(listed_entry.players) not in withdrawn]
    )
    couples = list_couples(listed_entries)
    if not namesakes and not couples:
        return None
    return TemplateResponse(
        request,
        "tournaments/entries/namesakes.html",
        {
            "event": event,
            **build_question_context(namesakes),
            "couples": couples,
            "entries": entries,
            "button": button,
            "typed": list_repeated_fields(request),
        },
    )


def list_couples(listed_entries: Iterable[ListedEntry]) -> tuple[Couple, ...]:
    """Return the couples who may share a surname."""
    return tuple(listed_entry.couple for listed_entry in listed_entries if listed_entry.couple)


def read_typed_lines(data: QueryDict, previous_lines: Collection[int] = frozenset()) -> frozenset[int]:
    """Return the lines whose names stay as typed: those chosen, and ``previous_lines`` that the form does not have."""
    answers = {
        line: value == AS_TYPED
        for name, value in data.items()
        if name.startswith(COUPLE_PREFIX)
        and (line := parse_digits(name.removeprefix(COUPLE_PREFIX), max_digits=9)) is not None
    }
    return frozenset(line for line in {*previous_lines, *answers} if answers.get(line, True))


def build_question_context(found: Iterable[Namesake]) -> Mapping[str, object]:
    """Return the template context: the open questions, and the names that are certain."""
    namesakes = tuple(found)
    sure = tuple(namesake for namesake in namesakes if namesake.is_sure)
    return {
        "questions": tuple(namesake for namesake in namesakes if not namesake.is_sure),
        "sure": sure[:MAX_CERTAIN_SHOWN],
        "sure_count": len(sure),
    }


def read_identities(data: QueryDict) -> Identities:
    """Read the answers. Refuses: no_such_person."""
    identities: dict[str, int | None] = {}
    for name, value in data.items():
        if name.startswith(IDENTITY_PREFIX):
            pk = None if value == NEW_PERSON else parse_digits(str(value), max_digits=15)
            if pk is None and value != NEW_PERSON:
                raise Refusal("no_such_person")
            identities[name.removeprefix(IDENTITY_PREFIX)] = pk
    return identities
