"""The standings for everybody: the whole list, one rank with its reasons, and what there is to draw."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from live.revisions import revision_of
from live.watching import asks_for_part, part_tag, watched
from tournaments import selectors
from tournaments.models import Event, Round
from tournaments.pages.charts import stage_charts
from tournaments.pages.standings import Kept, kept_standings, standings_view

MOST_OPEN = 12
"""So many rows are shown open at once, however many a request names."""


@require_safe
def standings_page(request: HttpRequest, short: str) -> HttpResponse:
    """Everybody, or everybody of a section."""
    return _watched(request, short, "standings", _standings_page)


def _standings_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(selectors.rounds_of(event))
    kept = kept_standings(event, counted=opened(request))
    context = {**standings_context(request, event, kept, rounds), "etag": part_tag(request, revision)}
    return TemplateResponse(request, _template("standings/all.html#live", request), context)


@require_safe
def reasons_page(request: HttpRequest, short: str, entry: int) -> HttpResponse:
    """Why an entry has its rank: into the open row, or as a page of its own."""
    return _watched(request, short, f"why-{entry}", partial(_reasons_page, entry))


def _reasons_page(entry: int, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(selectors.rounds_of(event))
    kept = kept_standings(event, counted=[entry])
    context = standings_context(request, event, kept, rounds, only=entry)
    if not context["standings"].rows:
        raise Http404
    (context["row"],) = context["standings"].rows
    return TemplateResponse(request, _template("standings/entry.html#why", request), context)


@require_safe
def charts_page(request: HttpRequest, short: str) -> HttpResponse:
    """Brackets, pools, and who met whom, stage by stage."""
    return _watched(request, short, "charts", _charts_page)


def _charts_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    kept = kept_standings(event, charts=True)
    context = {
        "event": event,
        "charts": stage_charts(kept.charts, selectors.entries_of(event)),
        "address": request.path,
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(request, _template("standings/charts.html#live", request), context)


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
        "chosen": chosen,
        "address": f"{request.path}?{chosen}" if chosen else request.path,
        "counts_games": event.terms.match_format.games_to_win != 1,
    }


def opened(request: HttpRequest) -> list[int]:
    """The rows that stand open in the page that asks for news: they come back open."""
    asked = (
        text for text in request.GET.getlist("open") if text.isascii() and text.isdigit() and len(text) < 6
    )
    return sorted({int(text) for text in asked})[:MOST_OPEN]


def _watched(request: HttpRequest, short: str, name: str, page: Any) -> HttpResponse:
    event = selectors.public_event(short)
    if event is None:
        raise Http404
    revision = f"{event.pk}.{revision_of(event.topic)}.{name}"
    return watched(request, revision, partial(page, request, event, revision))


def _template(name: str, request: HttpRequest) -> str:
    """The template ``page.html#part``: its part for htmx, else the whole page."""
    return f"tournaments/{name if asks_for_part(request) else name.partition('#')[0]}"
