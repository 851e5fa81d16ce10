"""Public pages of a federation: standings, ratings, dates and months of all clubs; and a club's own feed."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.calendar import get_club_today
from clubs.pages import public_page
from federations import sheets
from federations.access import get_federation, get_first_of_month, get_only_line
from federations.feed_files import build_feed_file
from federations.models import ClubFeed, Federation
from federations.presenters import (
    MOST_LINES,
    get_ladder,
    list_ladder_lines,
    list_month_gains,
    list_months,
    list_rating_lines,
    list_upcoming_dates,
)
from federations.queries import list_federation_feeds
from live.conditional_pages import read_snapshot, shared_conditional_page, shared_response
from live.revisions import get_public_revision
from web.public_files import public_file
from web.sheets.tables import Sheet
from web.table_files import build_shared_sheet_response


@require_safe
@read_snapshot()
@public_page
@public_file
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the public data of the club, as a signed file for federations."""
    found = get_object_or_404(ClubFeed.objects.exclude(written=""), club__slug=slug)

    def build_response() -> HttpResponse:
        file = build_feed_file(found.written, found.signature)
        return HttpResponse(file, content_type="application/json; charset=utf-8")

    return shared_response(request, f"feed.{found.public_id}.{found.number}.{found.signature[:16]}", build_response)


def _page(template: str) -> Callable[[Callable[..., dict[str, Any]]], Callable[..., HttpResponse]]:
    """Make a page of a federation from the function of its context: rendered again only when its data or the date
    has changed."""

    def make_view(build_context: Callable[..., dict[str, Any]]) -> Callable[..., HttpResponse]:
        @require_safe
        @read_snapshot()
        @public_page
        @wraps(build_context)
        def show(request: HttpRequest, slug: str, pk: int, **values: Any) -> HttpResponse:
            federation = get_federation(slug, pk)

            def render() -> HttpResponse:
                context = build_context(federation, **values)
                page_context = {"club": federation.club, "federation": federation, **context}
                return TemplateResponse(request, template, page_context)

            return shared_conditional_page(request, f"{request.path}.{_get_revision(federation)}", render)

        return show

    return make_view


def _file(build_sheet: Callable[..., Sheet]) -> Callable[..., HttpResponse]:
    """Make the download of a table from the function that builds it."""

    @require_safe
    @read_snapshot()
    @public_page
    @wraps(build_sheet)
    def download(request: HttpRequest, slug: str, pk: int, ending: str, **values: Any) -> HttpResponse:
        federation = get_federation(slug, pk)
        revision = f"{request.path}.{_get_revision(federation)}"
        return build_shared_sheet_response(request, revision, ending, partial(build_sheet, federation, **values))

    return download


@_page("federations/ladder.html")
def ladder(federation: Federation) -> dict[str, Any]:
    """Show the standings of a federation, from the nights of all its clubs."""
    lines = list_ladder_lines(federation)
    return {
        "ladder": get_ladder(federation),
        "lines": lines[:MOST_LINES],
        "total": len(lines),
        "months": list_months(federation),
        "feeds": list_federation_feeds(federation),
    }


@_file
def ladder_file(federation: Federation) -> Sheet:
    """Download the standings as a file."""
    return sheets.build_ladder_sheet(federation, list_ladder_lines(federation))


@_page("federations/line.html")
def line(federation: Federation, key: str) -> dict[str, Any]:
    """Show the nights behind a line of the standings."""
    return {"line": get_only_line(list_ladder_lines(federation, key=key))}


@_file
def line_file(federation: Federation, key: str) -> Sheet:
    """Download the nights behind a line of the standings as a file."""
    return sheets.build_line_sheet(federation, get_only_line(list_ladder_lines(federation, key=key)))


@_page("federations/ratings.html")
def ratings(federation: Federation) -> dict[str, Any]:
    """Show the ratings of the players of all clubs."""
    lines = list_rating_lines(federation)
    return {"lines": lines[:MOST_LINES], "total": len(lines)}


@_file
def ratings_file(federation: Federation) -> Sheet:
    """Download the ratings as a file."""
    return sheets.build_ratings_sheet(federation, list_rating_lines(federation))


@_page("federations/rating.html")
def rating(federation: Federation, key: str) -> dict[str, Any]:
    """Show how a rating changed, night by night."""
    return {"line": get_only_line(list_rating_lines(federation, key=key))}


@_page("federations/calendar.html")
def calendar(federation: Federation) -> dict[str, Any]:
    """Show the upcoming dates of all clubs."""
    return {"dates": list_upcoming_dates(federation)}


@_file
def calendar_file(federation: Federation) -> Sheet:
    """Download the upcoming dates as a file."""
    return sheets.build_dates_sheet(federation, list_upcoming_dates(federation))


@_page("federations/month.html")
def month(federation: Federation, year: int, month: int) -> dict[str, Any]:
    """Show the points gained in the nights of a month."""
    first = get_first_of_month(year, month)
    return {"month": first, "lines": list_month_gains(federation, first)}


@_file
def month_file(federation: Federation, year: int, month: int) -> Sheet:
    """Download the month as a file."""
    first = get_first_of_month(year, month)
    return sheets.build_month_sheet(federation, first, list_month_gains(federation, first))


def _get_revision(federation: Federation) -> str:
    """Return the revision of the federation's pages; it changes every hour, for the age of feeds. One
    query."""
    topics = federation.topic, federation.club.topic
    now = timezone.now()
    return f"federation.{federation.pk}.{get_public_revision(*topics)}.{get_club_today(federation.club)}.{now:%H}"
