"""Pages of a host club, to invite others to an event or a series."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.pages import get_actor, note_refusal, owners_only
from errors import Refusal
from scoring.parsing import parse_whole_number
from tournaments.events.views.access import event_directors_only
from tournaments.interclub.queries import list_open_series, search_clubs, select_invitations
from tournaments.interclub.services.invitations import (
    InvitationLink,
    InvitationTarget,
    assign_to_series,
    create_invitation_link,
    invite_club,
    withdraw_invitation,
)
from tournaments.lifecycle import EventState
from tournaments.models import Event, Season, SharedNight
from web.not_found import get_or_404
from web.qr import get_phone_origin, render_qr_code

Action = Callable[[HttpRequest, InvitationTarget, Actor], InvitationLink | None]


@event_directors_only
def invited_clubs_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the clubs invited to an event, invite more, and choose the series in which it counts."""
    night = SharedNight.objects.filter(event=event).select_related("season").first()
    series = list_open_series(event.club)
    if night is not None and night.season not in series:
        series = [night.season, *series]
    context = {
        "event": event,
        "series": series,
        "in_series": None if night is None else night.season_id,
        "may_invite": event.state != EventState.ENDED,
    }
    page_url = reverse("invited-clubs", args=[event.short])
    return _render_page(request, event, InvitationTarget(event_id=event.pk), page_url, "event", context)


@owners_only
def season_clubs_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the clubs of a series, and invite more."""
    season = get_or_404(
        club.seasons.filter(pk=pk, is_shared=True).select_related("club").defer("rows", "scores").first()
    )
    context = {"club": club, "season": season, "may_invite": season.closed_at is None}
    page_url = reverse("season-clubs", args=[club.slug, pk])
    return _render_page(request, season, InvitationTarget(season_id=pk), page_url, "season", context)


def _render_page(
    request: HttpRequest,
    occasion: Event | Season,
    target: InvitationTarget,
    page_url: str,
    kind: str,
    context: Mapping[str, Any],
) -> HttpResponse:
    if request.method == "POST":
        action = next((action for name, action in ACTIONS.items() if name in request.POST), _invite_club)
        try:
            link = action(request, target, get_actor(request))
        except Refusal as refusal:
            note_refusal(request, refusal)
        else:
            response = _render_link(request, occasion, link, page_url, kind, context) if link else None
            return response or redirect(page_url)
    invitations = list(select_invitations(occasion))
    search = request.POST.get("search", request.GET.get("search", ""))
    excluded_ids = {
        occasion.club_id,
        *(invitation.club_id for invitation in invitations if invitation.club_id and invitation.is_in),
    }
    return TemplateResponse(
        request,
        f"tournaments/interclub/{kind}.html",
        {
            **context,
            "page_url": page_url,
            "invited": invitations,
            "search": search,
            "found": search_clubs(search, excluded_ids=excluded_ids) if search else [],
        },
    )


def _render_link(
    request: HttpRequest,
    occasion: Event | Season,
    link: InvitationLink,
    page_url: str,
    kind: str,
    context: Mapping[str, Any],
) -> HttpResponse | None:
    """Show the new link, only once; None for a form that was sent twice."""
    if not link.secret:
        return None
    address = urljoin(get_phone_origin(request), reverse("interclub-link", args=[link.secret]))
    link_context = {
        "invited": link.invitation,
        "address": address,
        "qr_code": render_qr_code(address),
        "page_url": page_url,
    }
    occasion_context = {"club": occasion.club, "name": occasion.name}
    return TemplateResponse(
        request, "tournaments/interclub/new_link.html", {**context, **link_context, **occasion_context}
    )


def _invite_club(request: HttpRequest, target: InvitationTarget, by: Actor) -> None:
    invite_club(target=target, club_id=parse_whole_number(request.POST, "invite"), by=by)


def _create_link(request: HttpRequest, target: InvitationTarget, by: Actor) -> InvitationLink:
    return create_invitation_link(target=target, by=by)


def _withdraw_invitation(request: HttpRequest, target: InvitationTarget, by: Actor) -> None:
    withdraw_invitation(target=target, invited_id=parse_whole_number(request.POST, "withdraw"), by=by)


def _choose_series(request: HttpRequest, target: InvitationTarget, by: Actor) -> None:
    if target.event_id is None:
        raise Http404
    chosen = parse_whole_number(request.POST, "series") if request.POST["series"] else None
    assign_to_series(event_id=target.event_id, season_id=chosen, by=by)


ACTIONS: Mapping[str, Action] = {
    "invite": _invite_club,
    "link": _create_link,
    "withdraw": _withdraw_invitation,
    "series": _choose_series,
}
"""Actions by a field or button of their form."""
