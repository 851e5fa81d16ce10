"""The list of entries, and the forms that add entries: names, or the club’s people."""

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.audit.log import Actor
from clubs.pages import get_actor, get_refusal, is_submitted, note_refusal, show_refusals
from errors import Refusal
from scoring.parsing import parse_whole_number
from tournaments.entries.entry_import.couples import TypedLines
from tournaments.entries.entry_import.text_list import extract_list_lines, read_entry_list
from tournaments.entries.entry_import.values import EntryList, ListedEntry
from tournaments.entries.presenters.entries import build_entries_view
from tournaments.entries.queries.entries import names_taken
from tournaments.entries.queries.known_people import list_known_people
from tournaments.entries.queries.name_matches import list_unidentified_namesakes
from tournaments.entries.services.entries import PLAYER_FIELDS, add_entry, add_known_people, admit_entry, remove_entry
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.entries.services.identities import recognize_players
from tournaments.entries.services.sign_up import change_sign_up, pair_entries
from tournaments.events.services.lifecycle import plan_tables
from tournaments.events.views.access import event_directors_only
from tournaments.history.views.shown_values import ShownValues, build_form_versions, get_form_actor
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from web.forms import parse_digits
from web.names import clean_text

from .name_matches import (
    build_question_context,
    read_identities,
    read_typed_lines,
    render_identity_questions,
)

FormAction = Callable[[HttpRequest, Event, Actor], object]


@event_directors_only
@show_refusals
def entries_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the entries and the waiting list, and add entries. Until the start, also set places and tables."""
    if not is_submitted(request) or "again" in request.POST:
        return render_entries(request, event)
    form_action = next((form_action for name, form_action in FORM_ACTIONS.items() if name in request.POST), _add_list)
    response = form_action(request, event, get_actor(request))
    return response if isinstance(response, HttpResponse) else redirect("entries", short=event.short)


def redirect_to_new_entries(event: Event, entries: Sequence[Entry]) -> HttpResponse:
    """Redirect to the list, which marks the entries added."""
    list_url = reverse("entries", args=[event.short])
    return redirect(f"{list_url}?added={entries[0].number}-{entries[-1].number}" if entries else list_url)


def _read_new_numbers(request: HttpRequest) -> range:
    """Return the numbers of the entries just added, from the address."""
    first, last = (parse_digits(text, max_digits=9) or 0 for text in request.GET.get("added", "").partition("-")[::2])
    return range(first, last + 1)


def render_entries(
    request: HttpRequest,
    event: Event,
    *,
    new_numbers: Container[int] = (),
    form_data: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Render the list, with the text typed (all of it, or the lines left)."""
    refusal = get_refusal(request)
    return TemplateResponse(
        request,
        "tournaments/entries/list.html",
        {
            "event": event,
            "view": build_entries_view(event, new_numbers=new_numbers or _read_new_numbers(request)),
            **build_question_context(list_unidentified_namesakes(event)),
            "selected": request.POST.getlist("looking"),
            "is_at_field": refusal is not None and refusal.field in _list_visible_fields(request, event),
            "typed": request.POST if form_data is None else form_data,
            "form_version": build_form_versions(
                request, _get_shown_values(event), posted="sign_up" if "most_entries" in request.POST else "tables"
            ),
        },
    )


def _list_visible_fields(request: HttpRequest, event: Event) -> set[str]:
    """Return the fields on the page in this state of the event; only these can show an error."""
    visible_fields = {"entries"} if request.POST.get("entries") else set()
    return visible_fields | FIELDS_BY_STATE.get(event.state, set())


def read_player_names(request: HttpRequest) -> list[str]:
    """Return the names typed in the form of one entry."""
    return [request.POST.get(field, "") for field in PLAYER_FIELDS]


def read_listed_entry(request: HttpRequest) -> ListedEntry:
    """Return the entry made of the typed names, without empty ones."""
    return ListedEntry(players=tuple(filter(None, map(clean_text, read_player_names(request)))))


def _add_list(request: HttpRequest, event: Event, by: Actor) -> HttpResponse:
    text = request.POST.get("entries", "")
    listed_entries = () if event.state != EventState.PREPARING else _read_text(event, text, as_typed=()).entries
    question = render_identity_questions(request, event, listed_entries, entries=len(listed_entries))
    if question is not None:
        return question
    as_typed, identities = read_typed_lines(request.POST), read_identities(request.POST)
    imported = add_entry_list(event_id=event.pk, text=text, as_typed=as_typed, identities=identities, by=by)
    if not imported.refused_lines:
        return redirect_to_new_entries(event, imported.entries)
    text = extract_list_lines(text, imported.refused_lines)
    refusals = _read_text(event, text).refusals
    note_refusal(request, Refusal("lines_held_back", field="entries", count=len(imported.entries), refusals=refusals))
    new_numbers = {entry.number for entry in imported.entries}
    return render_entries(request, event, new_numbers=new_numbers, form_data={"entries": text})


def _read_text(event: Event, text: str, *, as_typed: TypedLines = None) -> EntryList:
    return read_entry_list(text, size=event.entry_size, taken_names=names_taken(event), as_typed=as_typed)


def _add_entry(request: HttpRequest, event: Event, by: Actor) -> HttpResponse:
    question = render_identity_questions(request, event, [read_listed_entry(request)], entries=1)
    if question is not None:
        return question
    players, identities = read_player_names(request), read_identities(request.POST)
    return redirect_to_new_entries(event, add_entry(event_id=event.pk, players=players, identities=identities, by=by))


def _recognize_players(request: HttpRequest, event: Event, by: Actor) -> None:
    recognize_players(event_id=event.pk, identities=read_identities(request.POST), by=by)


def _remove_entry(request: HttpRequest, event: Event, by: Actor) -> None:
    remove_entry(event_id=event.pk, number=parse_whole_number(request.POST, "remove"), by=by)


def _admit_entry(request: HttpRequest, event: Event, by: Actor) -> None:
    admit_entry(event_id=event.pk, number=parse_whole_number(request.POST, "let_in"), by=by)


def _pair_entries(request: HttpRequest, event: Event, by: Actor) -> None:
    numbers = [parse_digits(number, max_digits=9) or 0 for number in request.POST.getlist("looking")]
    pair_entries(event_id=event.pk, numbers=numbers, by=by)


def _plan_tables(request: HttpRequest, event: Event, by: Actor) -> None:
    table_count, shown = parse_whole_number(request.POST, "table_count"), _get_shown_values(event)["tables"]
    plan_tables(event_id=event.pk, table_count=table_count, by=get_form_actor(request, shown))


def _get_shown_values(event: Event) -> dict[str, ShownValues]:
    """Return what the forms of tables and places show."""
    return {
        "tables": ShownValues(event=event, row=event, columns=("table_count",)),
        "sign_up": ShownValues(event=event, row=event, columns=("signs_up", "most_entries")),
    }


def _change_sign_up(request: HttpRequest, event: Event, by: Actor) -> None:
    limit_text = request.POST.get("most_entries", "").strip()
    change_sign_up(
        event_id=event.pk,
        is_open="is_open" in request.POST,
        most_entries=parse_whole_number(request.POST, "most_entries") if limit_text else None,
        by=get_form_actor(request, _get_shown_values(event)["sign_up"]),
    )


FIELDS_BY_STATE: Mapping[str, set[str]] = {
    EventState.PREPARING: {"entries", "table_count", "most_entries"},
    EventState.RUNNING: set(PLAYER_FIELDS),
}

FORM_ACTIONS: Mapping[str, FormAction] = {
    "recognize": _recognize_players,
    "remove": _remove_entry,
    "let_in": _admit_entry,
    "pair": _pair_entries,
    "table_count": _plan_tables,
    "most_entries": _change_sign_up,
    "player_1": _add_entry,
}
"""Actions by the name of a field or button that only their form has."""


@event_directors_only
@show_refusals
def known_people_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose players to enter among the club's people, with those of the last events first. A search keeps
    those already selected."""
    if is_submitted(request) and request.POST.get("what") != "search":
        people = _read_selected_groups(request, event)
        entries = add_known_people(event_id=event.pk, people=people, by=get_actor(request))
        return redirect_to_new_entries(event, entries)
    search = request.POST.get("search", request.GET.get("search", ""))
    return TemplateResponse(
        request,
        "tournaments/entries/people.html",
        {
            "event": event,
            "known": list_known_people(
                event, search, _read_selected_ids(request, "person") + _read_selected_ids(request, "pair")
            ),
            "search": search,
            "selected": request.POST.getlist("person") + request.POST.getlist("pair"),
        },
    )


def _read_selected_groups(request: HttpRequest, event: Event) -> list[list[int]]:
    """Return the ids of the people of each entry: selected pairs, and two people selected alone."""
    pairs, people = _read_selected_ids(request, "pair"), _read_selected_ids(request, "person")
    if event.entry_size == 1:
        return [*pairs, *people]
    return [*pairs, *([[*chain.from_iterable(people)]] if people else [])]


def _read_selected_ids(request: HttpRequest, name: str) -> list[list[int]]:
    """Return the ids of the people selected, alone or as a pair; 0, which nobody has, for a bad id."""
    return [[parse_digits(pk, max_digits=18) or 0 for pk in tick.split("-")] for tick in request.POST.getlist(name)]
