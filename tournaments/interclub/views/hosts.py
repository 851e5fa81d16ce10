"""Pages of a host club, to invite others to an event or a series."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubs.access import for_owners
from clubs.actor import actor_from
from clubs.audit.log import Actor
from clubs.models import Club
from errors import Refusal
from scoring.parsing import whole_number
from tournaments.events.views.access import for_directors
from tournaments.interclub.queries import clubs_named, invited_clubs_of, open_series_for
from tournaments.interclub.services.invitations import (
    HandedLink,
    To,
    invite_by_link,
    invite_club,
    withdraw_club,
)
from tournaments.interclub.services.series import put_in_series
from tournaments.lifecycle import EventState
from tournaments.models import Event, Season, SharedNight
from web.qr import origin_for_phones, square

Deed = Callable[[HttpRequest, To, Actor], HandedLink | None]


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def invited_clubs(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the clubs invited to an event, invite more, and choose the series in which it counts."""
    night = SharedNight.objects.filter(event=event).select_related("season").first()
    series = open_series_for(event.club)
    if night is not None and night.season not in series:
        series = [night.season, *series]
    context = {
        "event": event,
        "series": series,
        "in_series": None if night is None else night.season_id,
        "may_invite": event.state != EventState.ENDED,
    }
    here = reverse("invited-clubs", args=[event.short])
    return _page(request, event, To(event_id=event.pk), here, "event", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def season_clubs(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the clubs of a series, and invite more."""
    season = club.seasons.filter(pk=pk, is_shared=True).select_related("club").defer("rows", "scores").first()
    if season is None:
        raise Http404
    context = {"club": club, "season": season, "may_invite": season.closed_at is None}
    here = reverse("season-clubs", args=[club.slug, pk])
    return _page(request, season, To(season_id=pk), here, "season", context)


def _page(
    request: HttpRequest,
    occasion: Event | Season,
    to: To,
    here: str,
    kind: str,
    context: Mapping[str, Any],
) -> HttpResponse:
    refusal = None
    if request.method == "POST":
        deed = next((deed for name, deed in DEEDS.items() if name in request.POST), _invite)
        try:
            handed = deed(request, to, actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            shown = _link(request, occasion, handed, here, kind, context) if handed else None
            return shown or redirect(here)
    invited = list(invited_clubs_of(occasion))
    search = request.POST.get("search", request.GET.get("search", ""))
    but = {occasion.club_id, *(one.club_id for one in invited if one.club_id and one.is_in)}
    return TemplateResponse(
        request,
        f"tournaments/interclub/{kind}.html",
        {
            **context,
            "here": here,
            "invited": invited,
            "search": search,
            "found": clubs_named(search, but=but) if search else [],
            "refusal": refusal,
        },
    )


def _link(
    request: HttpRequest,
    occasion: Event | Season,
    handed: HandedLink,
    here: str,
    kind: str,
    context: Mapping[str, Any],
) -> HttpResponse | None:
    """Show the new link, only once; None for a form that was sent twice."""
    if not handed.secret:
        return None
    address = urljoin(origin_for_phones(request), reverse("interclub-link", args=[handed.secret]))
    shown = {"invited": handed.invited, "address": address, "square": square(address), "here": here}
    more = {"club": occasion.club, "name": occasion.name}
    return TemplateResponse(request, "tournaments/interclub/link_made.html", {**context, **shown, **more})


def _invite(request: HttpRequest, to: To, by: Actor) -> None:
    invite_club(to=to, club_id=whole_number(request.POST, "invite"), by=by)


def _make_link(request: HttpRequest, to: To, by: Actor) -> HandedLink:
    return invite_by_link(to=to, by=by)


def _withdraw(request: HttpRequest, to: To, by: Actor) -> None:
    withdraw_club(to=to, invited_id=whole_number(request.POST, "withdraw"), by=by)


def _choose_series(request: HttpRequest, to: To, by: Actor) -> None:
    if to.event_id is None:
        raise Http404
    chosen = whole_number(request.POST, "series") if request.POST["series"] else None
    put_in_series(event_id=to.event_id, season_id=chosen, by=by)


DEEDS: Mapping[str, Deed] = {
    "invite": _invite,
    "link": _make_link,
    "withdraw": _withdraw,
    "series": _choose_series,
}
"""Actions by a field or button of their form."""
