"""Public pages of a federation: standings, ratings, dates and months of all clubs; and a club's own feed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from clubs.calendar import today_in
from federations import sheets
from federations.access import federation_for_everybody, first_of_month, only_line
from federations.feed_files import feed_file
from federations.models import ClubFeed, Federation
from federations.presenters import (
    MOST_LINES,
    dates_ahead,
    feed_views,
    ladder_lines,
    ladder_of,
    month_lines,
    months_of,
    rating_lines,
)
from live.conditional_pages import alike_for_all, shared_conditional_page
from live.revisions import public_revision_of
from web.public_files import public_file
from web.sheets import Sheet
from web.table_files import shared_sheet_response


@require_safe
@for_everybody
@public_file
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the public data of the club, as a signed file for federations."""
    found = get_object_or_404(ClubFeed.objects.exclude(written=""), club__slug=slug)

    def answer() -> HttpResponse:
        file = feed_file(found.written, found.signature)
        return HttpResponse(file, content_type="application/json; charset=utf-8")

    return alike_for_all(request, f"feed.{found.public_id}.{found.number}.{found.signature[:16]}", answer)


@require_safe
@for_everybody
def ladder(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the standings of a federation, from the nights of all its clubs."""

    def context(federation: Federation) -> dict[str, Any]:
        lines = ladder_lines(federation)
        return {
            "ladder": ladder_of(federation),
            "lines": lines[:MOST_LINES],
            "total": len(lines),
            "months": months_of(federation),
            "feeds": feed_views(federation, now=timezone.now()),
        }

    return _page(request, slug, pk, "ladder", context)


@require_safe
@for_everybody
def ladder_file(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download the standings as a file."""
    return _file(request, slug, pk, ending, lambda found: sheets.ladder_table(found, ladder_lines(found)))


@require_safe
@for_everybody
def line(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """Show the nights behind a line of the standings."""
    return _page(
        request, slug, pk, "line", lambda found: {"line": only_line(ladder_lines(found, key=key))}, key
    )


@require_safe
@for_everybody
def line_file(request: HttpRequest, slug: str, pk: int, key: str, ending: str) -> HttpResponse:
    """Download the nights behind a line of the standings as a file."""
    return _file(
        request,
        slug,
        pk,
        ending,
        lambda found: sheets.line_table(found, only_line(ladder_lines(found, key=key))),
        key,
    )


@require_safe
@for_everybody
def ratings(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the ratings of the players of all clubs."""

    def context(federation: Federation) -> dict[str, Any]:
        lines = rating_lines(federation)
        return {"lines": lines[:MOST_LINES], "total": len(lines)}

    return _page(request, slug, pk, "ratings", context)


@require_safe
@for_everybody
def ratings_file(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download the ratings as a file."""
    return _file(request, slug, pk, ending, lambda found: sheets.ratings_table(found, rating_lines(found)))


@require_safe
@for_everybody
def rating(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """Show how a rating changed, night by night."""
    return _page(
        request, slug, pk, "rating", lambda found: {"line": only_line(rating_lines(found, key=key))}, key
    )


@require_safe
@for_everybody
def calendar(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the upcoming dates of all clubs."""
    return _page(request, slug, pk, "calendar", lambda found: {"dates": dates_ahead(found)})


@require_safe
@for_everybody
def calendar_file(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download the upcoming dates as a file."""
    return _file(request, slug, pk, ending, lambda found: sheets.dates_table(found, dates_ahead(found)))


@require_safe
@for_everybody
def month(request: HttpRequest, slug: str, pk: int, year: int, month: int) -> HttpResponse:
    """Show the points gained in the nights of a month."""
    first = first_of_month(year, month)
    return _page(
        request,
        slug,
        pk,
        "month",
        lambda found: {"month": first, "lines": month_lines(found, first)},
        f"{first:%Y%m}",
    )


@require_safe
@for_everybody
def month_file(request: HttpRequest, slug: str, pk: int, year: int, month: int, ending: str) -> HttpResponse:
    """Download the month as a file."""
    first = first_of_month(year, month)
    return _file(
        request,
        slug,
        pk,
        ending,
        lambda found: sheets.month_table(found, first, month_lines(found, first)),
        f"{first:%Y%m}",
    )


def _page(
    request: HttpRequest,
    slug: str,
    pk: int,
    name: str,
    context: Callable[[Federation], dict[str, Any]],
    about: str = "",
) -> HttpResponse:
    """Render a page of a federation, again only when its data or the date has changed."""
    federation = federation_for_everybody(slug, pk)

    def render_page() -> HttpResponse:
        shown = {"club": federation.club, "federation": federation, **context(federation)}
        return TemplateResponse(request, f"federations/{name}.html", shown)

    return shared_conditional_page(request, f"{name}.{_revision(federation)}.{about}", render_page)


def _file(
    request: HttpRequest,
    slug: str,
    pk: int,
    ending: str,
    table: Callable[[Federation], Sheet],
    about: str = "",
) -> HttpResponse:
    federation = federation_for_everybody(slug, pk)
    revision = f"{request.path}.{_revision(federation)}.{about}"
    return shared_sheet_response(request, revision, ending, partial(table, federation))


def _revision(federation: Federation) -> str:
    """Return the revision of the federation's pages; it changes every hour, for the age of feeds. One
    query."""
    topics = federation.topic, federation.club.topic
    now = timezone.now()
    return f"federation.{federation.pk}.{public_revision_of(*topics)}.{today_in(federation.club)}.{now:%H}"
