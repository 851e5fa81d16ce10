"""Pages of a guest club: its invitations, the link that it opens, and the people who play for it elsewhere."""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.models import Account, Club, Person, Role
from clubs.pages import directors_only, get_actor, is_submitted, link_page, note_refusal, show_refusals
from clubs.people import find_person
from clubs.policy import ROLE_PERMISSIONS, Permission
from clubs.queries import query_memberships
from errors import Refusal
from live.conditional_pages import is_partial_request
from scoring.parsing import parse_whole_number
from tournaments.interclub.presenters import GuestEntry, GuestView, build_guest_view
from tournaments.interclub.queries import (
    PAST_EVENTS_SHOWN,
    find_accepted_invitation,
    find_link_invitation,
    find_used_invitation,
    get_guest_people,
    list_invitations,
)
from tournaments.interclub.services.invitations import accept_by_link, accept_for_club, decline_for_club
from tournaments.interclub.services.visitors import enter_for_club, remove_for_club, replace_for_club
from tournaments.models import Event
from web.forms import parse_digits

AnswerService = Callable[..., object]
ANSWERS: Mapping[str, AnswerService] = {"accept": accept_for_club, "decline": decline_for_club}


@directors_only
@show_refusals
def interclub_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Accept or decline invitations of other clubs, and see where the club takes part."""
    if is_submitted(request):
        name = next((name for name in ANSWERS if name in request.POST), "decline")
        invited_id = parse_whole_number(request.POST, name)
        ANSWERS[name](club_id=club.pk, invited_id=invited_id, by=get_actor(request))
        return redirect("interclub", slug=club.slug)
    context = {
        "club": club,
        "invitations": list_invitations(club, cutoff=get_club_today(club) - PAST_EVENTS_SHOWN),
    }
    return TemplateResponse(request, "tournaments/interclub/list.html", context)


@directors_only
@show_refusals
def host_event_page(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Enter people of the club in another club's event until the draw begins; then see where they sit."""
    invitation = find_accepted_invitation(club, short)
    if invitation is None or invitation.event is None:
        raise Http404
    event = invitation.event
    if is_submitted(request):
        action = next((action for name, action in ACTIONS.items() if name in request.POST), _remove_entry)
        query = action(request, club, event, get_actor(request))
        page_url = reverse("event-of-host", args=[club.slug, short])
        return redirect(f"{page_url}?{urlencode(query)}#lists" if query else page_url)
    return _render_guests(request, club, build_guest_view(invitation, club))


def _enter_pair(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    one, _, other = request.POST["pair"].partition("-")
    people = [parse_whole_number({"pair": pk}, "pair") for pk in (one, other)]
    enter_for_club(club_id=club.pk, event_id=event.pk, people=people, by=by)
    return {}


def _enter_person(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    """Enter a single player. For a pair, the first choice selects one player, and the second the other."""
    pk = parse_whole_number(request.POST, "person")
    first = _find_first_player(request, club, event)
    if first is not None and first.pk == pk:
        return {"search": request.POST.get("search", "")}
    if event.entry_size == 2 and first is None:
        return {"first": str(pk)}
    enter_for_club(club_id=club.pk, event_id=event.pk, people=[pk] if first is None else [first.pk, pk], by=by)
    return {}


def _replace_player(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    number, place, pk = (parse_whole_number(request.POST, name) for name in ("entry", "place", "instead"))
    replace_for_club(club_id=club.pk, event_id=event.pk, number=number, place=place, person_id=pk, by=by)
    return {}


def _remove_entry(request: HttpRequest, club: Club, event: Event, by: Actor) -> dict[str, str]:
    number = parse_whole_number(request.POST, "take_out")
    remove_for_club(club_id=club.pk, event_id=event.pk, number=number, by=by)
    return {}


ACTIONS: Mapping[str, Callable[[HttpRequest, Club, Event, Actor], dict[str, str]]] = {
    "pair": _enter_pair,
    "person": _enter_person,
    "instead": _replace_player,
    "take_out": _remove_entry,
}
"""Actions by the button of their form; each returns what the page shows next."""


def _find_first_player(request: HttpRequest, club: Club, event: Event) -> Person | None:
    """Return the person chosen as the first of a pair."""
    pk = parse_digits((request.POST or request.GET).get("first", ""), max_digits=15)
    return None if event.entry_size == 1 or pk is None else find_person(club, pk)


def _find_replaced_player(request: HttpRequest, view: GuestView) -> tuple[GuestEntry, int] | None:
    """Return the player to be replaced: the entry, and the place in it."""
    query = request.POST or request.GET
    number, place = (parse_digits(query.get(name, ""), max_digits=5) for name in ("entry", "place"))
    for guest_entry in view.entries:
        if guest_entry.entry.number == number and place is not None and 1 <= place <= len(guest_entry.players):
            return guest_entry, place
    return None


def _render_guests(request: HttpRequest, club: Club, view: GuestView) -> HttpResponse:
    search = request.POST.get("search", request.GET.get("search", ""))
    player_to_replace = _find_replaced_player(request, view) if view.may_enter else None
    context = {
        "club": club,
        "event": view.event,
        "view": view,
        "known": get_guest_people(view.event, club, search) if view.may_enter else None,
        "first": None if player_to_replace else _find_first_player(request, club, view.event),
        "replaced": player_to_replace
        and {
            "number": player_to_replace[0].entry.number,
            "place": player_to_replace[1],
            "person": player_to_replace[0].players[player_to_replace[1] - 1],
        },
        "search": search,
    }
    is_search = is_partial_request(request) and request.method != "POST"
    template = "tournaments/interclub/guest.html" + ("#known" if is_search else "")
    return TemplateResponse(request, template, context)


@link_page
@show_refusals
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the event or series of the invitation, and accept it for a club that one directs."""
    directed_clubs = _list_directed_clubs(request)
    if is_submitted(request):
        chosen = parse_whole_number(request.POST, "club")
        if chosen not in {club.pk for club in directed_clubs}:
            raise Refusal("no_such_club", field="club")
        accept_by_link(secret=secret, club_id=chosen, by=get_actor(request))
        return redirect("interclub", slug=next(club.slug for club in directed_clubs if club.pk == chosen))
    invitation = find_link_invitation(secret)
    if invitation is None:
        accepted = find_used_invitation(secret, [club.pk for club in directed_clubs])
        if accepted is not None and accepted.club is not None:
            return redirect("interclub", slug=accepted.club.slug)
        note_refusal(request, Refusal("invitation_over"))
    context = {
        "invited": invitation,
        "clubs": [club for club in directed_clubs if invitation is None or club != invitation.host],
    }
    return TemplateResponse(request, "tournaments/interclub/link.html", context)


def _list_directed_clubs(request: HttpRequest) -> list[Club]:
    """Return the clubs for which the reader may answer. One query; none if not signed in."""
    if not isinstance(request.user, Account):
        return []
    return [
        membership.club
        for membership in query_memberships(request.user)
        if Permission.DIRECT in ROLE_PERMISSIONS[Role(membership.role)]
    ]
