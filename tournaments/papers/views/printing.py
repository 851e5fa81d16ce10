"""Pages that the desk prints from the browser: lists of a round, score sheets and the standings."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import may
from clubs.policy import Permission
from errors import Refusal
from scoring.qr import square_of
from tournaments.events.views.access import for_helpers
from tournaments.models import Event, Round
from tournaments.papers import presenters as printing
from tournaments.standings.queries.standings import standings_computed_at
from web.qr import origin_for_phones

from .orders import shown_print_page


@require_safe
@for_helpers
def round_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the last round, or ``?round=``, by table, or ``?by=name``."""
    drawn = _round(request, event)
    if request.GET.get("by") == "name":
        pages = printing.list_by_name(drawn)
        return _render_paper(request, "names", event, round=drawn, pages=pages)
    return _render_paper(request, "tables", event, round=drawn, view=printing.list_by_table(drawn))


@require_safe
@for_helpers
def score_sheets(request: HttpRequest, event: Event) -> HttpResponse:
    """Print a score sheet for every table of the round, or for those of ``?tables=1,4-6``."""
    drawn = _round(request, event)
    try:
        chosen = printing.chosen_tables(request.GET.get("tables", ""))
        sheets = printing.sheets_of(event, drawn, chosen)
    except Refusal as refusal:
        return shown_print_page(request, event, refusal)
    origin = origin_for_phones(request)
    squared = [(sheet, square_of(origin, sheet.card) if sheet.card else "") for sheet in sheets]
    return _sheets(request, event, squared, round=drawn)


@require_safe
@for_helpers
def blank_sheet(request: HttpRequest, event: Event) -> HttpResponse:
    """Print one score sheet without names, to be copied."""
    return _sheets(request, event, [(printing.ScoreSheet(), "")])


@require_safe
@for_helpers
def standings_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the standings as last computed."""
    metrics, rows = printing.standings_list(event)
    counted_at = standings_computed_at(event)
    return _render_paper(request, "standings", event, metrics=metrics, rows=rows, counted_at=counted_at)


def _sheets(
    request: HttpRequest, event: Event, sheets: list[tuple[printing.ScoreSheet, str]], **more: Any
) -> HttpResponse:
    contracts = printing.contracts_in_brief(event.terms.ruleset)
    return _render_paper(
        request, "sheets", event, sheets=sheets, lines=printing.LINES, contracts=contracts, **more
    )


def _render_paper(request: HttpRequest, what: str, event: Event, **more: Any) -> HttpResponse:
    context = {"event": event, "printed_at": timezone.now(), **more}
    return TemplateResponse(request, f"tournaments/papers/{what}.html", context)


def _round(request: HttpRequest, event: Event) -> Round:
    drawn = printing.printed_round(
        event, request.GET.get("round", ""), drafts=may(request, Permission.DIRECT)
    )
    if drawn is None:
        raise Http404
    return drawn
