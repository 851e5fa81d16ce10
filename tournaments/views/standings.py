"""The standings for everybody: the whole list, one rank with its reasons, and what there is to draw."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.forms import digits_in
from live.revisions import revision_of
from live.watching import page_or_part, part_tag, watched
from tournaments import selectors
from tournaments.models import Event, Round
from tournaments.pages.charts import stage_charts
from tournaments.pages.clubs import club_lines
from tournaments.pages.standings import Kept, kept_standings, standings_view

from .access import for_watchers

MOST_OPEN = 12
"""So many rows are shown open at once, however many a request names."""


@require_safe
@for_watchers
def standings_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Everybody, or everybody of a section."""
    return _watched(request, event, "standings", _standings_page)


def _standings_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(selectors.rounds_of(event))
    kept = kept_standings(event, counted=opened(request))
    context = {**standings_context(request, event, kept, rounds), "etag": part_tag(request, revision)}
    return TemplateResponse(request, page_or_part(request, "tournaments/standings/all.html#live"), context)


@require_safe
@for_watchers
def reasons_page(request: HttpRequest, event: Event, entry: int) -> HttpResponse:
    """Why an entry has its rank: into the open row, or as a page of its own."""
    return _watched(request, event, f"why-{entry}", partial(_reasons_page, entry))


def _reasons_page(entry: int, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(selectors.rounds_of(event))
    kept = kept_standings(event, counted=[entry])
    context = standings_context(request, event, kept, rounds, only=entry)
    if not context["standings"].rows:
        raise Http404
    (context["row"],) = context["standings"].rows
    return TemplateResponse(request, page_or_part(request, "tournaments/standings/entry.html#why"), context)


@require_safe
@for_watchers
def charts_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Brackets, pools, and who met whom, stage by stage."""
    return _watched(request, event, "charts", _charts_page)


def _charts_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    kept = kept_standings(event, charts=True)
    context = {
        "event": event,
        "charts": stage_charts(event.club, kept.charts, selectors.entries_of(event)),
        "address": request.path,
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(request, page_or_part(request, "tournaments/standings/charts.html#live"), context)


def standings_context(
    request: HttpRequest,
    event: Event,
    kept: Kept,
    rounds: Sequence[Round],
    *,
    most: int | None = None,
    only: int | None = None,
) -> dict[str, Any]:
    """What a page with standings needs, by the ``?section=`` that is asked for. One query."""
    entries = selectors.entries_of(event)
    asked = request.GET.get("section", "")
    view = standings_view(event, kept, entries, rounds, section=asked, most=most, only=only)
    chosen = urlencode({"section": view.section}) if view.section else ""
    return {
        "event": event,
        "entries": entries,
        "standings": view,
        "clubs": club_lines(event, kept.rows, entries) if rounds and only is None else (),
        "chosen": chosen,
        "address": f"{request.path}?{chosen}" if chosen else request.path,
        "counts_games": event.terms.match_format.games_to_win != 1,
    }


def opened(request: HttpRequest) -> list[int]:
    """The rows that stand open in the page that asks for news: they come back open."""
    asked = (digits_in(text, most=5) for text in request.GET.getlist("open"))
    return sorted({number for number in asked if number is not None})[:MOST_OPEN]


def _watched(request: HttpRequest, event: Event, name: str, page: Any) -> HttpResponse:
    revision = f"{event.pk}.{revision_of(*event.topics)}.{name}"
    return watched(request, revision, partial(page, request, event, revision))
