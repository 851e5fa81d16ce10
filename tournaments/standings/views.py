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

from live.conditional_pages import get_part_etag, get_template_or_part, read_snapshot
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.events.views.access import (
    event_helpers_only,
    public_event_required,
    serve_event_page,
    serve_shared_event_page,
)
from tournaments.models import Event, Round
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.rounds.queries.team_matches import list_postponed_matches
from tournaments.slots import PUBLIC_LIST, PUBLIC_STANDINGS, REASONS
from tournaments.standings.presenters.charts import build_stage_charts
from tournaments.standings.presenters.clubs import build_club_rows
from tournaments.standings.presenters.publication import build_publication, get_current_snapshot
from web.forms import parse_digits

from .presenters import StandingsSnapshot, build_standings_view, get_public_snapshot

MAX_OPEN_ROWS = 12
"""Maximum number of rows open at once, however many a request names."""

STANDINGS_PARAMETERS = ("section", "open")
"""Parameters that a page with standings reads."""

SnapshotGetter = Callable[..., StandingsSnapshot]


@require_safe
@read_snapshot()
@public_event_required
def standings_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the public standings of all entries, or of a section."""
    page = partial(_render_standings, get_public_snapshot)
    return serve_shared_event_page(request, event, "standings", page, parameters=STANDINGS_PARAMETERS)


@require_safe
@read_snapshot()
@event_helpers_only
def desk_standings_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the current standings at the desk, including those hidden from the public."""
    page = partial(_render_standings, get_current_snapshot)
    return serve_event_page(request, event, "desk-standings", page, is_desk=True)


def _render_standings(get_snapshot: SnapshotGetter, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(get_published_rounds(event))
    snapshot = get_snapshot(event, entry_numbers=read_open_rows(request))
    is_desk = get_snapshot is get_current_snapshot
    context = build_standings_context(request, event, snapshot, rounds, is_desk=is_desk)
    context |= {"etag": get_part_etag(request, revision)} | _get_page_names(get_snapshot)
    context |= {} if is_desk else PUBLIC_LIST.collect_values(event, context["entries"])
    return TemplateResponse(request, get_template_or_part(request, "tournaments/standings/page.html#live"), context)


@require_safe
@read_snapshot()
@public_event_required
def reasons_page(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Show why an entry has its rank, in the open row or on its own page."""
    if not event.visible.has_reasons:
        raise Http404
    page = partial(_render_reasons, get_public_snapshot, entry)
    return serve_shared_event_page(request, event, f"why-{entry}", page, parameters=STANDINGS_PARAMETERS)


@require_safe
@read_snapshot()
@event_helpers_only
def desk_reasons_page(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Show why an entry has its rank in the current standings, at the desk."""
    page = partial(_render_reasons, get_current_snapshot, entry)
    return serve_event_page(request, event, f"desk-why-{entry}", page, is_desk=True)


def _render_reasons(
    get_snapshot: SnapshotGetter, entry: int, request: HttpRequest, event: Event, revision: str
) -> HttpResponse:
    rounds = list(get_published_rounds(event))
    snapshot = get_snapshot(event, entry_numbers=[entry])
    is_desk = get_snapshot is get_current_snapshot
    context = build_standings_context(request, event, snapshot, rounds, only_entry=entry, is_desk=is_desk)
    context |= _get_page_names(get_snapshot)
    if not context["standings"].rows:
        raise Http404
    (context["row"],) = context["standings"].rows
    context |= REASONS.collect_values(event, context["entries"], entry)
    return TemplateResponse(request, get_template_or_part(request, "tournaments/standings/entry.html#why"), context)


def _get_page_names(get_snapshot: SnapshotGetter) -> dict[str, str]:
    """Return the names of the pages to which rows and sections of these standings link."""
    if get_snapshot is get_public_snapshot:
        return {"standings_page": "standings", "why_page": "why"}
    return {"standings_page": "desk-standings", "why_page": "desk-why"}


@require_safe
@read_snapshot()
@public_event_required
def charts_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show brackets, pools and cross tables, stage by stage."""
    return serve_shared_event_page(request, event, "charts", _render_charts)


def _render_charts(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    snapshot = get_public_snapshot(event, charts=True)
    context = {
        "event": event,
        "charts": build_stage_charts(event, snapshot.charts, get_entries(event)),
        "address": request.path,
        "etag": get_part_etag(request, revision),
    }
    return TemplateResponse(request, get_template_or_part(request, "tournaments/standings/charts.html#live"), context)


def build_standings_context(
    request: HttpRequest,
    event: Event,
    snapshot: StandingsSnapshot,
    rounds: Sequence[Round],
    *,
    max_rows: int | None = None,
    only_entry: int | None = None,
    is_desk: bool = False,
) -> dict[str, Any]:
    """Return the context of a page with standings, of the section in ``?section=``; at the desk with full
    names. One query; two more if final standings were corrected, and one for their signature."""
    entries = get_entries(event)
    section = request.GET.get("section", "")
    format_entry = build_full_entry_formatter(entries) if is_desk else None
    view = build_standings_view(
        event,
        snapshot,
        entries,
        rounds,
        section=section,
        max_rows=max_rows,
        only_entry=only_entry,
        format_entry=format_entry,
    )
    section_query = urlencode({"section": view.section}) if view.section else ""
    return {
        "event": event,
        "entries": entries,
        "standings": view,
        "publication": build_publication(event, snapshot, entries),
        **({} if is_desk else PUBLIC_STANDINGS.collect_values(event)),
        "clubs": build_club_rows(event, snapshot, entries) if rounds and only_entry is None else (),
        "postponed": list_postponed_matches(event, rounds),
        "chosen": section_query,
        "address": f"{request.path}?{section_query}" if section_query else request.path,
        "counts_games": event.counts_games,
        "why_page": "why",
        "is_desk": is_desk,
    }


def read_open_rows(request: HttpRequest) -> list[int]:
    """Return the rows that are open in the page that asks for updates; they stay open."""
    numbers = (parse_digits(text, max_digits=5) for text in request.GET.getlist("open"))
    return sorted({number for number in numbers if number is not None})[:MAX_OPEN_ROWS]
