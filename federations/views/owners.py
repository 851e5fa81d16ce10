"""Pages for owners: the club's own feed, federations, and the clubs that they follow."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from clubs.absolute_urls import absolute_url
from clubs.access import for_owners
from clubs.actor import actor_from
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.calendar import FIRST_MONTH, LAST_MONTH, today_in
from clubs.models import Club
from clubs.post_only import posted_from
from clubs.views.history import run_or_show_refusal
from engine.ladders import Counts, Ladder
from engine.signed_logs import fingerprint
from errors import Refusal
from federations.forms import read_federation_form, typed_federation, typed_ladder
from federations.models import ClubFeed, Federation
from federations.presenters import feed_views
from federations.services import federation_settings, publishing
from tournaments.signing.presenters import digits_of_key


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def federations(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's own feed and its federations; create a federation."""
    if request.method != "POST":
        return _list(request, club)
    return _save_federation(
        request, club, partial(federation_settings.open_federation, club_id=club.pk), _list
    )


@posted_from("federations", "slug")
@for_owners
def switch_on(request: HttpRequest, club: Club) -> HttpResponse:
    """Start publishing the club's feed."""
    return _done_or_list(request, club, lambda by: publishing.switch_feed_on(club_id=club.pk, by=by))


@posted_from("federations", "slug")
@for_owners
def switch_feed_off(request: HttpRequest, club: Club) -> HttpResponse:
    """Stop publishing the club's feed."""
    return _done_or_list(request, club, lambda by: publishing.switch_feed_off(club_id=club.pk, by=by))


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def federation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show or change the settings of a federation: its dates, points rules and the clubs that it follows."""
    if request.method != "POST":
        return _federation(request, club, pk)
    save = partial(federation_settings.change_federation, club_id=club.pk, federation_id=pk)
    return _save_federation(request, club, save, partial(_federation, pk=pk))


@posted_from("federation", "slug", "pk")
@for_owners
def follow_club(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Follow the feed of another club."""
    address = request.POST.get("address", "")
    return _done_or_federation(
        request,
        club,
        pk,
        lambda by: federation_settings.follow_feed(club_id=club.pk, federation_id=pk, address=address, by=by),
    )


@posted_from("federation", "slug", "pk")
@for_owners
def fetch(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Fetch all feeds of a federation now."""
    return _done_or_federation(
        request, club, pk, lambda by: federation_settings.fetch_now(club_id=club.pk, federation_id=pk)
    )


@posted_from("federation", "slug", "pk")
@for_owners
def unfollow(request: HttpRequest, club: Club, pk: int, feed_id: int) -> HttpResponse:
    """Stop following a club; its nights no longer count."""
    return _done_or_federation(
        request,
        club,
        pk,
        lambda by: federation_settings.unfollow_feed(
            club_id=club.pk, federation_id=pk, feed_id=feed_id, by=by
        ),
    )


@posted_from("federation", "slug", "pk")
@for_owners
def end_federation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Delete a federation, with its pages."""
    return _done_or_list(
        request, club, lambda by: federation_settings.end_federation(club_id=club.pk, federation_id=pk, by=by)
    )


def _save_federation(
    request: HttpRequest,
    club: Club,
    save: Callable[..., Federation],
    refused: Callable[..., HttpResponse],
) -> HttpResponse:
    typed = request.POST.dict()
    try:
        form = read_federation_form(typed)
        saved = save(
            name=form.name, starts=form.starts, ends=form.ends, ladder=form.ladder, by=actor_from(request)
        )
    except Refusal as refusal:
        return refused(request, club, refusal=refusal, typed=typed)
    return redirect("federation", slug=club.slug, pk=saved.pk)


def _done_or_list(request: HttpRequest, club: Club, deed: Callable[[Actor], object]) -> HttpResponse:
    return run_or_show_refusal(
        request, club, "federations", deed, refused=lambda refusal: _list(request, club, refusal=refusal)
    )


def _done_or_federation(
    request: HttpRequest, club: Club, pk: int, deed: Callable[[Actor], object]
) -> HttpResponse:
    try:
        deed(actor_from(request))
    except Refusal as refusal:
        return _federation(request, club, pk, refusal=refusal, typed=request.POST.dict())
    return redirect("federation", slug=club.slug, pk=pk)


def _list(
    request: HttpRequest, club: Club, *, refusal: Refusal | None = None, typed: dict[str, str] | None = None
) -> HttpResponse:
    context = {
        "club": club,
        "feed": ClubFeed.objects.filter(club=club).defer("written").first(),
        "feed_address": absolute_url(request, reverse("feed", args=[club.slug])),
        "key": digits_of_key(club),
        "federations": club.federations.defer("worked_out"),
        "typed": typed or _first_typed(club),
        "done": club_line(club, request.GET.get("done", "")),
        "refusal": refusal,
    }
    return TemplateResponse(request, "federations/list.html", context)


def _federation(
    request: HttpRequest,
    club: Club,
    pk: int,
    *,
    refusal: Refusal | None = None,
    typed: dict[str, str] | None = None,
) -> HttpResponse:
    found = club.federations.filter(pk=pk).first()
    if found is None:
        raise Http404
    feeds = feed_views(found, now=timezone.now())
    context: dict[str, Any] = {
        "club": club,
        "federation": found,
        "feeds": [(each, fingerprint(each.feed.key) if each.feed.key else "") for each in feeds],
        "typed": typed_federation(found) | (typed or {}),
        "refusal": refusal,
    }
    return TemplateResponse(request, "federations/federation.html", context)


def _first_typed(club: Club) -> dict[str, str]:
    """Return default values: from September to June around today, with points for the rank of each night."""
    today = today_in(club)
    year = today.year if today.month > LAST_MONTH else today.year - 1
    return {
        "starts": datetime.date(year, FIRST_MONTH, 1).isoformat(),
        "ends": datetime.date(year + 1, LAST_MONTH, 30).isoformat(),
    } | typed_ladder(Ladder(name="", counts=Counts.RANK_POINTS))
