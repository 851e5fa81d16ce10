"""Check-in page: one tap checks in a pair, or enters people whom the club knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from django_htmx.http import reselect, reswap, retarget

from clubs.actor import actor_from
from clubs.audit.log import Actor
from clubs.models import Person
from clubs.people import person_of
from clubs.post_only import posted_from
from errors import Refusal
from live.conditional_pages import asks_for_part
from scoring.parsing import whole_number
from tournaments.entries.presenters.entries import check_in_view
from tournaments.entries.queries.known_people import known_people, offered_person
from tournaments.entries.services.check_in import leave_out_absent, mark_family_present, mark_present
from tournaments.entries.services.entries import add_entry, enter_people
from tournaments.entries.services.entry_actions import return_entry
from tournaments.events.views.access import for_directors, for_helpers
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from web.forms import digits_in

from .lists import typed_entry, typed_players
from .name_matches import ask_who, identities_in


@dataclass(frozen=True, slots=True, kw_only=True)
class TapResult:
    """The effect of a tap: the changed ``entry``, or a person chosen as ``first`` of a pair, or unchosen
    (``left``)."""

    entry: int | None = None
    first: Person | None = None
    left: Person | None = None


Deed = Callable[[HttpRequest, Event, Actor], TapResult]


@require_http_methods(["GET", "HEAD", "POST"])
@for_helpers
def check_in_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Check in entries, and enter people of the club who have just arrived. A script updates only the tapped
    entry and the counts."""
    if request.method != "POST":
        return _render_check_in(request, event)
    if "again" in request.POST:
        return _render_check_in(request, event)
    deed = next((deed for name, deed in DEEDS.items() if name in request.POST), _mark)
    question = ask_who(request, event, [typed_entry(request)], entries=1) if deed is _add else None
    if question is not None:
        return question
    try:
        tapped = deed(request, event, actor_from(request))
    except Refusal as refusal:
        return _render_check_in(request, event, refusal)
    if asks_for_part(request):
        return _part(request, event, tapped)
    asked = {
        "search": request.POST.get("search", ""),
        "first": "" if tapped.first is None else str(tapped.first.pk),
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    place = f"#entry-{tapped.entry}" if tapped.entry is not None else ""
    return redirect(reverse("check-in", args=[event.short]) + (f"?{query}" if query else "") + place)


def _mark(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    number = whole_number(request.POST, "number")
    mark_present(event_id=event.pk, number=number, is_present=request.POST.get("present") == "1", by=by)
    return TapResult(entry=number)


def _mark_family(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    mark_family_present(event_id=event.pk, family_id=whole_number(request.POST, "family"), by=by)
    return TapResult()


def _add(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    added = add_entry(
        event_id=event.pk,
        players=typed_players(request),
        is_present=True,
        identities=identities_in(request.POST),
        by=by,
    )
    return _came(added)


def _enter_with_guest(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    people = [whole_number(request.POST, "first")]
    return _came(enter_people(event_id=event.pk, people=people, guest=request.POST["guest"], by=by))


def _enter_pair(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    one, _, other = request.POST["pair"].partition("-")
    people = [whole_number({"pair": pk}, "pair") for pk in (one, other)]
    return _came(enter_people(event_id=event.pk, people=people, by=by))


def _enter_person(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    """Enter a person who plays alone; where pairs play, the first tap chooses one and the second their
    partner."""
    pk = whole_number(request.POST, "person")
    first = _first(request, event)
    if event.entry_size == 2 and first is None:
        return TapResult(first=person_of(event.club, pk))
    if first is not None and first.pk == pk:
        return TapResult(left=first)
    people = [pk] if first is None else [first.pk, pk]
    return _came(enter_people(event_id=event.pk, people=people, by=by))


def _return(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    number = whole_number(request.POST, "return")
    return_entry(event_id=event.pk, number=number, by=by)
    return TapResult(entry=number)


DEEDS: Mapping[str, Deed] = {
    "return": _return,
    "family": _mark_family,
    "guest": _enter_with_guest,
    "pair": _enter_pair,
    "person": _enter_person,
    "player_1": _add,
}
"""Actions by the name of a field or button that only their form has."""


def _came(entries: list[Entry]) -> TapResult:
    return TapResult(entry=entries[0].number if entries else None)


def _first(request: HttpRequest, event: Event) -> Person | None:
    """Return the person chosen as first of a pair, if any."""
    pk = digits_in((request.POST or request.GET).get("first", ""), most=15)
    return None if event.entry_size == 1 or pk is None else person_of(event.club, pk)


def _part(request: HttpRequest, event: Event, tapped: TapResult) -> HttpResponse:
    view = check_in_view(event, only=[-1 if tapped.entry is None else tapped.entry])
    is_new = "person" in request.POST or "pair" in request.POST
    chosen = tapped.first or tapped.left
    context = {
        "event": event,
        "view": view,
        "tapped": tapped,
        "offered": None if chosen is None else offered_person(event, chosen),
        "came": [
            person
            for entry in view.shown
            for person in entry.players
            if is_new and str(person.pk) != request.POST.get("person")
        ],
        "search": request.POST.get("search", ""),
    }
    return TemplateResponse(request, "tournaments/entries/tapped.html", context)


@posted_from("check-in", "short")
@for_directors
def leave_out(request: HttpRequest, event: Event) -> HttpResponse:
    """Leave entries that have not checked in out of the draw. The page then offers the draw as the next
    step."""
    try:
        leave_out_absent(event_id=event.pk, by=actor_from(request))
    except Refusal as refusal:
        return _render_check_in(request, event, refusal)
    return redirect("check-in" if "door" in request.POST else "entries", short=event.short)


def _render_check_in(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    search = request.POST.get("search", request.GET.get("search", ""))
    is_search = asks_for_part(request) and request.method != "POST"
    context: dict[str, Any] = {
        "event": event,
        "view": check_in_view(event, search),
        "known": None if event.state == EventState.ENDED else known_people(event, search),
        "first": _first(request, event),
        "search": search,
        "refusal": refusal,
        "typed": request.POST,
    }
    template = "tournaments/entries/check_in.html" + ("#lists" if is_search else "")
    response = TemplateResponse(request, template, context)
    if refusal is not None and asks_for_part(request):
        # Show the whole page in place of the tapped box.
        reswap(reselect(retarget(response, "#main"), "#main"), "outerHTML")
    return response
