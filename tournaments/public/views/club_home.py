"""Public home pages: the list of clubs, a club, and its seasons."""

from datetime import date
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from clubs.calendar import today_in
from clubs.models import Club, ClubPicture
from clubs.privacy import responsible_for
from clubs.queries import pictures_of
from live.conditional_pages import shared_conditional_page
from tournaments.agenda.queries import agenda_ahead
from tournaments.events.queries import recent_public_events
from tournaments.models import Event
from tournaments.public.presenters.club_home import front_revision, front_view
from tournaments.public.queries.club_home import open_seasons_of, seasons_of
from web.forms import digits_in
from web.paging import part_of

CLUBS = 100
"""How many clubs a page lists."""
A_YEAR = 365 * 24 * 60 * 60
"""A year in seconds."""


@require_safe
@for_everybody
def clubs_page(request: HttpRequest) -> HttpResponse:
    """Show the clubs of this site, or the club's page if there is only one."""
    clubs = Club.objects.only("name", "slug").order_by("name", "pk")
    number = digits_in(request.GET.get("page", ""), most=6) or 1
    page = part_of(clubs.count(), number=number, size=CLUBS)
    shown = list(clubs[page.places])
    if page.found == 1:
        return redirect("front", slug=shown[0].slug)
    context = {"clubs": shown, "page": page}
    return TemplateResponse(request, "tournaments/public/club_home/clubs.html", context)


@require_safe
@for_everybody
def front_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's next events, its last results and the leaders of its seasons."""
    club = get_object_or_404(Club, slug=slug)
    today, events = today_in(club), recent_public_events(club)
    seasons = open_seasons_of(club).defer("rows", "scores")
    shown = f"front.{front_revision(club, events, seasons)}.{today}"
    return shared_conditional_page(request, shown, partial(_front_page, request, club, today, events))


def _front_page(request: HttpRequest, club: Club, today: date, events: list[Event]) -> HttpResponse:
    seasons = open_seasons_of(club).defer("scores")
    context = {
        "club": club,
        "responsible": responsible_for(club),
        "pictures": pictures_of(club),
        "view": front_view(club, events, agenda_ahead(club, today), seasons),
    }
    return TemplateResponse(request, "tournaments/public/club_home/club.html", context)


@require_safe
@for_everybody
def image_of_club(request: HttpRequest, slug: str, kind: str, digest: str) -> HttpResponse:
    """Show a picture of the club. A new picture has a new address, so browsers may keep this one."""
    picture = get_object_or_404(ClubPicture, club__slug=slug, kind=kind, digest=digest)
    response = HttpResponse(picture.file, content_type="image/webp")
    patch_cache_control(response, public=True, max_age=A_YEAR, immutable=True)
    return response


@require_safe
@for_everybody
def public_seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's seasons and the series that it plays in, or the standings if there is only one."""
    club = get_object_or_404(Club, slug=slug)
    seasons = seasons_of(club)
    if len(seasons) == 1:
        return redirect("public-season", slug=seasons[0].club.slug, pk=seasons[0].pk)
    context = {"club": club, "seasons": seasons}
    return TemplateResponse(request, "tournaments/public/club_home/seasons.html", context)
