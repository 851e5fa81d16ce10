"""Pages of the standings: the list, the reasons for a rank, and the charts.

Public pages show what is visible to everyone; pages at the desk show everything.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from live.conditional_pages import page_or_part, part_tag
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.events.views.access import (
    conditional_event_page,
    for_helpers,
    for_watchers,
    shared_event_page,
)
from tournaments.models import Event, Round
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.slots import PUBLIC_LIST, PUBLIC_STANDINGS, REASONS
from tournaments.standings.presenters.charts import stage_charts
from tournaments.standings.presenters.clubs import club_standings
from tournaments.standings.presenters.publication import publication_of
from web.forms import digits_in

from .presenters import StandingsSnapshot, latest_snapshot, public_snapshot, standings_view

MOST_OPEN = 12
"""Maximum number of rows open at once, however many a request names."""

STANDINGS = ("section", "open")
"""Parameters that a page with standings reads."""

KeptOf = Callable[..., StandingsSnapshot]


@require_safe
@for_watchers
def standings_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the public standings of all entries, or of a section."""
    page = partial(_standings_page, public_snapshot)
    return shared_event_page(request, event, "standings", page, reads=STANDINGS)


@require_safe
@for_helpers
def standings_at_desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the current standings at the desk, including those hidden from the public."""
    page = partial(_standings_page, latest_snapshot)
    return conditional_event_page(request, event, "desk-standings", page, at_desk=True)


def _standings_page(kept_of: KeptOf, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(rounds_of(event))
    kept = kept_of(event, counted=open_rows(request))
    is_desk = kept_of is latest_snapshot
    context = standings_context(request, event, kept, rounds, is_desk=is_desk)
    context |= {"etag": part_tag(request, revision)} | _pages_of(kept_of)
    context |= {} if is_desk else PUBLIC_LIST.values(event, context["entries"])
    return TemplateResponse(request, page_or_part(request, "tournaments/standings/all.html#live"), context)


@require_safe
@for_watchers
def reasons_page(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Show why an entry has its rank, in the open row or on its own page."""
    if not event.visible.has_reasons:
        raise Http404
    page = partial(_reasons_page, public_snapshot, entry)
    return shared_event_page(request, event, f"why-{entry}", page, reads=STANDINGS)


@require_safe
@for_helpers
def reasons_at_desk(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Show why an entry has its rank in the current standings, at the desk."""
    page = partial(_reasons_page, latest_snapshot, entry)
    return conditional_event_page(request, event, f"desk-why-{entry}", page, at_desk=True)


def _reasons_page(
    kept_of: KeptOf, entry: int, request: HttpRequest, event: Event, revision: str
) -> HttpResponse:
    rounds = list(rounds_of(event))
    kept = kept_of(event, counted=[entry])
    is_desk = kept_of is latest_snapshot
    context = standings_context(request, event, kept, rounds, only=entry, is_desk=is_desk)
    context |= _pages_of(kept_of)
    if not context["standings"].rows:
        raise Http404
    (context["row"],) = context["standings"].rows
    context |= REASONS.values(event, context["entries"], entry)
    return TemplateResponse(request, page_or_part(request, "tournaments/standings/entry.html#why"), context)


def _pages_of(kept_of: KeptOf) -> dict[str, str]:
    """Return the names of the pages to which rows and sections of these standings link."""
    if kept_of is public_snapshot:
        return {"standings_page": "standings", "why_page": "why"}
    return {"standings_page": "desk-standings", "why_page": "desk-why"}


@require_safe
@for_watchers
def charts_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show brackets, pools and cross tables, stage by stage."""
    return shared_event_page(request, event, "charts", _charts_page)


def _charts_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    kept = public_snapshot(event, charts=True)
    context = {
        "event": event,
        "charts": stage_charts(event, kept.charts, entries_of(event)),
        "address": request.path,
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(request, page_or_part(request, "tournaments/standings/charts.html#live"), context)


def standings_context(
    request: HttpRequest,
    event: Event,
    kept: StandingsSnapshot,
    rounds: Sequence[Round],
    *,
    most: int | None = None,
    only: int | None = None,
    is_desk: bool = False,
) -> dict[str, Any]:
    """Return the context of a page with standings, of the section in ``?section=``; at the desk with full
    names. One query; two more if final standings were corrected, and one for their signature."""
    entries = entries_of(event)
    asked = request.GET.get("section", "")
    named = entries_named_in_full(entries) if is_desk else None
    view = standings_view(event, kept, entries, rounds, section=asked, most=most, only=only, named=named)
    chosen = urlencode({"section": view.section}) if view.section else ""
    return {
        "event": event,
        "entries": entries,
        "standings": view,
        "publication": publication_of(event, kept, entries),
        **({} if is_desk else PUBLIC_STANDINGS.values(event)),
        "clubs": club_standings(event, kept, entries) if rounds and only is None else (),
        "chosen": chosen,
        "address": f"{request.path}?{chosen}" if chosen else request.path,
        "counts_games": event.counts_games,
        "why_page": "why",
        "is_desk": is_desk,
    }


def open_rows(request: HttpRequest) -> list[int]:
    """Return the rows that are open in the page that asks for updates; they stay open."""
    asked = (digits_in(text, most=5) for text in request.GET.getlist("open"))
    return sorted({number for number in asked if number is not None})[:MOST_OPEN]
