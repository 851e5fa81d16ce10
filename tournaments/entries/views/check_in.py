"""Check-in page: one tap checks in a pair, or enters people whom the club knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django_htmx.http import reselect, reswap, retarget

from clubs.audit.log import Actor
from clubs.models import Person
from clubs.pages import get_actor, get_refusal, is_submitted, require_post_from, show_refusals, show_refusals_on
from clubs.people import find_person
from live.conditional_pages import is_partial_request
from scoring.parsing import parse_whole_number
from tournaments.entries.presenters.entries import build_check_in_view
from tournaments.entries.queries.known_people import build_offered_person, list_known_people
from tournaments.entries.services.check_in import leave_out_absent, mark_family_present, mark_present
from tournaments.entries.services.entries import add_entry, enter_people
from tournaments.entries.services.entry_actions import return_entry
from tournaments.events.views.access import event_directors_only, event_helpers_only
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from web.forms import parse_digits

from .lists import read_listed_entry, read_player_names
from .name_matches import read_identities, render_identity_questions


@dataclass(frozen=True, slots=True, kw_only=True)
class TapResult:
    """The effect of a tap: the changed ``entry``, or a person chosen as ``first`` of a pair, or unchosen
    (``left``)."""

    entry: int | None = None
    first: Person | None = None
    left: Person | None = None


FormAction = Callable[[HttpRequest, Event, Actor], TapResult]


@event_helpers_only
@show_refusals
def check_in_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Check in entries, and enter people of the club who have just arrived. A script updates only the tapped
    entry and the counts."""
    if not is_submitted(request) or "again" in request.POST:
        return _render_check_in(request, event)
    form_action = next(
        (form_action for name, form_action in FORM_ACTIONS.items() if name in request.POST), _mark_present
    )
    question = (
        render_identity_questions(request, event, [read_listed_entry(request)], entries=1)
        if form_action is _add_entry
        else None
    )
    if question is not None:
        return question
    result = form_action(request, event, get_actor(request))
    if is_partial_request(request):
        return _render_tapped_entry(request, event, result)
    parameters = {
        "search": request.POST.get("search", ""),
        "first": "" if result.first is None else str(result.first.pk),
    }
    query = urlencode({name: value for name, value in parameters.items() if value})
    place = f"#entry-{result.entry}" if result.entry is not None else ""
    return redirect(reverse("check-in", args=[event.short]) + (f"?{query}" if query else "") + place)


def _mark_present(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    number = parse_whole_number(request.POST, "number")
    mark_present(event_id=event.pk, number=number, is_present=request.POST.get("present") == "1", by=by)
    return TapResult(entry=number)


def _mark_family(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    mark_family_present(event_id=event.pk, family_id=parse_whole_number(request.POST, "family"), by=by)
    return TapResult()


def _add_entry(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    entries = add_entry(
        event_id=event.pk,
        players=read_player_names(request),
        is_present=True,
        identities=read_identities(request.POST),
        by=by,
    )
    return _build_tap_result(entries)


def _enter_with_guest(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    people = [parse_whole_number(request.POST, "first")]
    return _build_tap_result(enter_people(event_id=event.pk, people=people, guest=request.POST["guest"], by=by))


def _enter_pair(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    first_id, _, second_id = request.POST["pair"].partition("-")
    people = [parse_whole_number({"pair": pk}, "pair") for pk in (first_id, second_id)]
    return _build_tap_result(enter_people(event_id=event.pk, people=people, by=by))


def _enter_person(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    """Enter a person who plays alone; where pairs play, the first tap chooses one and the second their
    partner."""
    pk = parse_whole_number(request.POST, "person")
    first_person = _get_first_person(request, event)
    if event.entry_size == 2 and first_person is None:
        return TapResult(first=find_person(event.club, pk))
    if first_person is not None and first_person.pk == pk:
        return TapResult(left=first_person)
    people = [pk] if first_person is None else [first_person.pk, pk]
    return _build_tap_result(enter_people(event_id=event.pk, people=people, by=by))


def _return_entry(request: HttpRequest, event: Event, by: Actor) -> TapResult:
    number = parse_whole_number(request.POST, "return")
    return_entry(event_id=event.pk, number=number, by=by)
    return TapResult(entry=number)


FORM_ACTIONS: Mapping[str, FormAction] = {
    "return": _return_entry,
    "family": _mark_family,
    "guest": _enter_with_guest,
    "pair": _enter_pair,
    "person": _enter_person,
    "player_1": _add_entry,
}
"""Actions by the name of a field or button that only their form has."""


def _build_tap_result(entries: list[Entry]) -> TapResult:
    return TapResult(entry=entries[0].number if entries else None)


def _get_first_person(request: HttpRequest, event: Event) -> Person | None:
    """Return the person chosen as first of a pair, if any."""
    pk = parse_digits((request.POST or request.GET).get("first", ""), max_digits=15)
    return None if event.entry_size == 1 or pk is None else find_person(event.club, pk)


def _render_tapped_entry(request: HttpRequest, event: Event, result: TapResult) -> HttpResponse:
    view = build_check_in_view(event, numbers=[-1 if result.entry is None else result.entry])
    is_new = "person" in request.POST or "pair" in request.POST
    chosen = result.first or result.left
    context = {
        "event": event,
        "view": view,
        "tapped": result,
        "offered": None if chosen is None else build_offered_person(event, chosen),
        "came": [
            person
            for entry in view.shown
            for person in entry.players
            if is_new and str(person.pk) != request.POST.get("person")
        ],
        "search": request.POST.get("search", ""),
    }
    return TemplateResponse(request, "tournaments/entries/check_in_update.html", context)


def _render_check_in(request: HttpRequest, event: Event) -> HttpResponse:
    search = request.POST.get("search", request.GET.get("search", ""))
    is_search = is_partial_request(request) and request.method != "POST"
    context: dict[str, Any] = {
        "event": event,
        "view": build_check_in_view(event, search),
        "known": None if event.state == EventState.ENDED else list_known_people(event, search),
        "first": _get_first_person(request, event),
        "search": search,
        "typed": request.POST,
    }
    template = "tournaments/entries/check_in.html" + ("#lists" if is_search else "")
    response = TemplateResponse(request, template, context)
    if get_refusal(request) is not None and is_partial_request(request):
        # Show the whole page in place of the tapped box.
        reswap(reselect(retarget(response, "#main"), "#main"), "outerHTML")
    return response


@require_post_from("check-in", "short")
@event_directors_only
@show_refusals_on(_render_check_in)
def leave_out(request: HttpRequest, event: Event) -> HttpResponse:
    """Leave entries that have not checked in out of the draw. The page then offers the draw as the next
    step."""
    leave_out_absent(event_id=event.pk, by=get_actor(request))
    return redirect("check-in" if "door" in request.POST else "entries", short=event.short)
