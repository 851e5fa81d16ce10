"""Page of the entries and the waiting list."""

from collections.abc import Callable, Container, Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.audit.log import Actor
from errors import Refusal
from scoring.parsing import whole_number
from tournaments.entries.entry_import import EntryList, ListedEntry, lines_of_entry_list, read_entry_list
from tournaments.entries.presenters.entries import entries_view
from tournaments.entries.queries.entries import names_taken
from tournaments.entries.queries.name_matches import namesakes_to_recognize
from tournaments.entries.services.entries import PLAYER_FIELDS, add_entry, admit_entry, remove_entry
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.entries.services.guest_identities import recognize_players
from tournaments.entries.services.partners import pair_entries
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.events.services.lifecycle import plan_tables
from tournaments.events.views.access import for_directors
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from web.forms import digits_in
from web.names import clean_text

from .name_matches import ask_who, identities_in, open_questions

Deed = Callable[[HttpRequest, Event, Actor], object]


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def entries_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the entries and the waiting list, and add entries. Until the start, also set places and tables."""
    if request.method != "POST":
        return render_entries(request, event)
    if "again" in request.POST:
        return render_entries(request, event)
    deed = next((deed for name, deed in DEEDS.items() if name in request.POST), _add_list)
    try:
        done = deed(request, event, actor_from(request))
    except Refusal as refusal:
        return render_entries(request, event, refusal)
    return done if isinstance(done, HttpResponse) else redirect("entries", short=event.short)


def redirect_to_added(event: Event, added: Sequence[Entry]) -> HttpResponse:
    """Redirect to the list, which marks the entries added."""
    here = reverse("entries", args=[event.short])
    return redirect(f"{here}?added={added[0].number}-{added[-1].number}" if added else here)


def _numbers_added(request: HttpRequest) -> range:
    """Return the numbers of the entries just added, from the address."""
    first, last = (digits_in(text, most=9) or 0 for text in request.GET.get("added", "").partition("-")[::2])
    return range(first, last + 1)


def render_entries(
    request: HttpRequest,
    event: Event,
    refusal: Refusal | None = None,
    *,
    added: Container[int] = (),
    typed: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Render the list with a refusal, and with the text typed (all of it, or the lines left)."""
    return TemplateResponse(
        request,
        "tournaments/entries/list.html",
        {
            "event": event,
            "view": entries_view(event, added=added or _numbers_added(request)),
            **open_questions(namesakes_to_recognize(event)),
            "refusal": refusal,
            "ticked": request.POST.getlist("looking"),
            "is_at_field": refusal is not None and refusal.field in _fields_shown(request, event),
            "typed": request.POST if typed is None else typed,
        },
    )


def _fields_shown(request: HttpRequest, event: Event) -> set[str]:
    """Return the fields on the page in this state of the event; only these can show an error."""
    shown = {"entries"} if request.POST.get("entries") else set()
    return shown | FIELDS.get(event.state, set())


def typed_players(request: HttpRequest) -> list[str]:
    """Return the names typed in the form of one entry."""
    return [request.POST.get(field, "") for field in PLAYER_FIELDS]


def typed_entry(request: HttpRequest) -> ListedEntry:
    """Return the entry made of the typed names, without empty ones."""
    return ListedEntry(players=tuple(filter(None, map(clean_text, typed_players(request)))))


def _add_list(request: HttpRequest, event: Event, by: Actor) -> HttpResponse:
    text = request.POST.get("entries", "")
    listed = () if event.state != EventState.PREPARING else _read_text(event, text).entries
    question = ask_who(request, event, listed, entries=len(listed))
    if question is not None:
        return question
    added = add_entry_list(event_id=event.pk, text=text, identities=identities_in(request.POST), by=by)
    if not added.held_back:
        return redirect_to_added(event, added.entries)
    text = lines_of_entry_list(text, added.held_back)
    return render_entries(
        request,
        event,
        Refusal(
            "lines_held_back",
            field="entries",
            count=len(added.entries),
            refusals=_read_text(event, text).refusals,
        ),
        added={entry.number for entry in added.entries},
        typed={"entries": text},
    )


def _read_text(event: Event, text: str) -> EntryList:
    return read_entry_list(text, size=event.entry_size, taken=names_taken(event))


def _add_one(request: HttpRequest, event: Event, by: Actor) -> HttpResponse:
    question = ask_who(request, event, [typed_entry(request)], entries=1)
    if question is not None:
        return question
    players, identities = typed_players(request), identities_in(request.POST)
    return redirect_to_added(
        event, add_entry(event_id=event.pk, players=players, identities=identities, by=by)
    )


def _recognize(request: HttpRequest, event: Event, by: Actor) -> None:
    recognize_players(event_id=event.pk, identities=identities_in(request.POST), by=by)


def _remove(request: HttpRequest, event: Event, by: Actor) -> None:
    remove_entry(event_id=event.pk, number=whole_number(request.POST, "remove"), by=by)


def _let_in(request: HttpRequest, event: Event, by: Actor) -> None:
    admit_entry(event_id=event.pk, number=whole_number(request.POST, "let_in"), by=by)


def _pair(request: HttpRequest, event: Event, by: Actor) -> None:
    numbers = [digits_in(number, most=9) or 0 for number in request.POST.getlist("looking")]
    pair_entries(event_id=event.pk, numbers=numbers, by=by)


def _plan_tables(request: HttpRequest, event: Event, by: Actor) -> None:
    plan_tables(event_id=event.pk, table_count=whole_number(request.POST, "table_count"), by=by)


def _change_sign_up(request: HttpRequest, event: Event, by: Actor) -> None:
    typed = request.POST.get("most_entries", "").strip()
    change_sign_up(
        event_id=event.pk,
        is_open="is_open" in request.POST,
        most_entries=whole_number(request.POST, "most_entries") if typed else None,
        by=by,
    )


FIELDS: Mapping[str, set[str]] = {
    EventState.PREPARING: {"entries", "table_count", "most_entries"},
    EventState.RUNNING: set(PLAYER_FIELDS),
}

DEEDS: Mapping[str, Deed] = {
    "recognize": _recognize,
    "remove": _remove,
    "let_in": _let_in,
    "pair": _pair,
    "table_count": _plan_tables,
    "most_entries": _change_sign_up,
    "player_1": _add_one,
}
"""Actions by the name of a field or button that only their form has."""
