"""Public pages of a federation: standings, ratings, dates and months of all clubs; and a club's own feed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import public_page
from clubs.calendar import get_club_today
from federations import sheets
from federations.access import get_federation, get_first_of_month, get_only_line
from federations.feed_files import build_feed_file
from federations.models import ClubFeed, Federation
from federations.presenters import (
    MOST_LINES,
    get_ladder,
    list_feed_views,
    list_ladder_lines,
    list_month_lines,
    list_months,
    list_rating_lines,
    list_upcoming_dates,
)
from live.conditional_pages import shared_conditional_page, shared_response
from live.revisions import get_public_revision
from web.public_files import public_file
from web.sheets.tables import Sheet
from web.table_files import build_shared_sheet_response


@require_safe
@public_page
@public_file
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the public data of the club, as a signed file for federations."""
    found = get_object_or_404(ClubFeed.objects.exclude(written=""), club__slug=slug)

    def build_response() -> HttpResponse:
        file = build_feed_file(found.written, found.signature)
        return HttpResponse(file, content_type="application/json; charset=utf-8")

    return shared_response(request, f"feed.{found.public_id}.{found.number}.{found.signature[:16]}", build_response)


@require_safe
@public_page
def ladder(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the standings of a federation, from the nights of all its clubs."""

    def build_context(federation: Federation) -> dict[str, Any]:
        lines = list_ladder_lines(federation)
        return {
            "ladder": get_ladder(federation),
            "lines": lines[:MOST_LINES],
            "total": len(lines),
            "months": list_months(federation),
            "feeds": list_feed_views(federation, now=timezone.now()),
        }

    return _render_page(request, slug, pk, "ladder", build_context)


@require_safe
@public_page
def ladder_file(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download the standings as a file."""
    return _build_file_response(
        request, slug, pk, ending, lambda found: sheets.build_ladder_sheet(found, list_ladder_lines(found))
    )


@require_safe
@public_page
def line(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """Show the nights behind a line of the standings."""
    return _render_page(
        request, slug, pk, "line", lambda found: {"line": get_only_line(list_ladder_lines(found, key=key))}, key
    )


@require_safe
@public_page
def line_file(request: HttpRequest, slug: str, pk: int, key: str, ending: str) -> HttpResponse:
    """Download the nights behind a line of the standings as a file."""
    return _build_file_response(
        request,
        slug,
        pk,
        ending,
        lambda found: sheets.build_line_sheet(found, get_only_line(list_ladder_lines(found, key=key))),
        key,
    )


@require_safe
@public_page
def ratings(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the ratings of the players of all clubs."""

    def build_context(federation: Federation) -> dict[str, Any]:
        lines = list_rating_lines(federation)
        return {"lines": lines[:MOST_LINES], "total": len(lines)}

    return _render_page(request, slug, pk, "ratings", build_context)


@require_safe
@public_page
def ratings_file(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download the ratings as a file."""
    return _build_file_response(
        request, slug, pk, ending, lambda found: sheets.build_ratings_sheet(found, list_rating_lines(found))
    )


@require_safe
@public_page
def rating(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """Show how a rating changed, night by night."""
    return _render_page(
        request, slug, pk, "rating", lambda found: {"line": get_only_line(list_rating_lines(found, key=key))}, key
    )


@require_safe
@public_page
def calendar(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the upcoming dates of all clubs."""
    return _render_page(request, slug, pk, "calendar", lambda found: {"dates": list_upcoming_dates(found)})


@require_safe
@public_page
def calendar_file(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download the upcoming dates as a file."""
    return _build_file_response(
        request, slug, pk, ending, lambda found: sheets.build_dates_sheet(found, list_upcoming_dates(found))
    )


@require_safe
@public_page
def month(request: HttpRequest, slug: str, pk: int, year: int, month: int) -> HttpResponse:
    """Show the points gained in the nights of a month."""
    first = get_first_of_month(year, month)
    return _render_page(
        request,
        slug,
        pk,
        "month",
        lambda found: {"month": first, "lines": list_month_lines(found, first)},
        f"{first:%Y%m}",
    )


@require_safe
@public_page
def month_file(request: HttpRequest, slug: str, pk: int, year: int, month: int, ending: str) -> HttpResponse:
    """Download the month as a file."""
    first = get_first_of_month(year, month)
    return _build_file_response(
        request,
        slug,
        pk,
        ending,
        lambda found: sheets.build_month_sheet(found, first, list_month_lines(found, first)),
        f"{first:%Y%m}",
    )


def _render_page(
    request: HttpRequest,
    slug: str,
    pk: int,
    name: str,
    context: Callable[[Federation], dict[str, Any]],
    subject: str = "",
) -> HttpResponse:
    """Render a page of a federation, again only when its data or the date has changed."""
    federation = get_federation(slug, pk)

    def render_page() -> HttpResponse:
        page_context = {"club": federation.club, "federation": federation, **context(federation)}
        return TemplateResponse(request, f"federations/{name}.html", page_context)

    return shared_conditional_page(request, f"{name}.{_get_revision(federation)}.{subject}", render_page)


def _build_file_response(
    request: HttpRequest,
    slug: str,
    pk: int,
    ending: str,
    table: Callable[[Federation], Sheet],
    subject: str = "",
) -> HttpResponse:
    federation = get_federation(slug, pk)
    revision = f"{request.path}.{_get_revision(federation)}.{subject}"
    return build_shared_sheet_response(request, revision, ending, partial(table, federation))


def _get_revision(federation: Federation) -> str:
    """Return the revision of the federation's pages; it changes every hour, for the age of feeds. One
    query."""
    topics = federation.topic, federation.club.topic
    now = timezone.now()
    return f"federation.{federation.pk}.{get_public_revision(*topics)}.{get_club_today(federation.club)}.{now:%H}"
