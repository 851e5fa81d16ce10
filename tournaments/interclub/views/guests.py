"""Pages of a guest club: its invitations, and the people who play for it at another club's event."""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.models import Club, Person
from clubs.people import person_of
from errors import Refusal
from live.conditional_pages import asks_for_part
from scoring.parsing import whole_number
from tournaments.interclub.presenters import GuestView, OwnEntry, guest_view
from tournaments.interclub.queries import LOOKED_BACK, invitations_to, invited_guest, known_people_of_guest
from tournaments.interclub.services.invitations import accept_for_club, decline_for_club
from tournaments.interclub.services.visitors import enter_for_club, replace_for_club, take_out_for_club
from tournaments.models import Event
from web.forms import digits_in

Answer = Callable[..., object]
ANSWERS: Mapping[str, Answer] = {"accept": accept_for_club, "decline": decline_for_club}


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def interclub_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Accept or decline invitations of other clubs, and see where the club takes part."""
    refusal = None
    if request.method == "POST":
        name = next((name for name in ANSWERS if name in request.POST), "decline")
        try:
            invited_id = whole_number(request.POST, name)
            ANSWERS[name](club_id=club.pk, invited_id=invited_id, by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("interclub", slug=club.slug)
    context = {
        "club": club,
        "invitations": invitations_to(club, since=today_in(club) - LOOKED_BACK),
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/interclub/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def event_of_host(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Enter people of the club in another club's event until the draw begins; then see where they sit."""
    invited = invited_guest(club, short)
    if invited is None or invited.event is None:
        raise Http404
    event = invited.event
    refusal = None
    if request.method == "POST":
        deed = next((deed for name, deed in DEEDS.items() if name in request.POST), _take_out)
        try:
            asked = deed(request, club, event, actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            here = reverse("event-of-host", args=[club.slug, short])
            return redirect(f"{here}?{urlencode(asked)}#lists" if asked else here)
    return _render_guests(request, club, guest_view(invited, club), refusal)


def _enter_pair(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    one, _, other = request.POST["pair"].partition("-")
    people = [whole_number({"pair": pk}, "pair") for pk in (one, other)]
    enter_for_club(club_id=club.pk, event_id=event.pk, people=people, by=by)
    return {}


def _enter_person(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    """Enter a single player. For a pair, the first choice selects one player, and the second the other."""
    pk = whole_number(request.POST, "person")
    first = _first(request, club, event)
    if first is not None and first.pk == pk:
        return {"search": request.POST.get("search", "")}
    if event.entry_size == 2 and first is None:
        return {"first": str(pk)}
    enter_for_club(
        club_id=club.pk, event_id=event.pk, people=[pk] if first is None else [first.pk, pk], by=by
    )
    return {}


def _replace(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    number, place, pk = (whole_number(request.POST, name) for name in ("entry", "place", "instead"))
    replace_for_club(club_id=club.pk, event_id=event.pk, number=number, place=place, person_id=pk, by=by)
    return {}


def _take_out(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    number = whole_number(request.POST, "take_out")
    take_out_for_club(club_id=club.pk, event_id=event.pk, number=number, by=by)
    return {}


DEEDS: Mapping[str, Callable[[HttpRequest, Club, Event, Actor], dict[str, str]]] = {
    "pair": _enter_pair,
    "person": _enter_person,
    "instead": _replace,
    "take_out": _take_out,
}
"""Actions by the button of their form; each returns what the page shows next."""


def _first(request: HttpRequest, club: Club, event: Event) -> Person | None:
    """Return the person chosen as the first of a pair."""
    pk = digits_in((request.POST or request.GET).get("first", ""), most=15)
    return None if event.entry_size == 1 or pk is None else person_of(club, pk)


def _replaced_player(request: HttpRequest, view: GuestView) -> tuple[OwnEntry, int] | None:
    """Return the player to be replaced: the entry, and the place in it."""
    asked = request.POST or request.GET
    number, place = (digits_in(asked.get(name, ""), most=5) for name in ("entry", "place"))
    for own in view.entries:
        if own.entry.number == number and place is not None and 1 <= place <= len(own.players):
            return own, place
    return None


def _render_guests(
    request: HttpRequest, club: Club, view: GuestView, refusal: Refusal | None = None
) -> HttpResponse:
    search = request.POST.get("search", request.GET.get("search", ""))
    replaced = _replaced_player(request, view) if view.may_enter else None
    context = {
        "club": club,
        "event": view.event,
        "view": view,
        "known": known_people_of_guest(view.event, club, search) if view.may_enter else None,
        "first": None if replaced else _first(request, club, view.event),
        "replaced": replaced
        and {
            "number": replaced[0].entry.number,
            "place": replaced[1],
            "person": replaced[0].players[replaced[1] - 1],
        },
        "search": search,
        "refusal": refusal,
    }
    is_search = asks_for_part(request) and request.method != "POST"
    template = "tournaments/interclub/guest.html" + ("#known" if is_search else "")
    return TemplateResponse(request, template, context)
