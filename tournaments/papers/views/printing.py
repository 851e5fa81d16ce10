"""Pages that the desk prints from the browser: lists of a round, score sheets and the standings."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import has_permission
from clubs.policy import Permission
from errors import Refusal
from scoring.qr import render_card_qr_code
from tournaments.events.views.access import event_helpers_only
from tournaments.models import Event, Round
from tournaments.papers import presenters as printing
from tournaments.standings.queries.standings import get_computed_at
from web.not_found import get_or_404
from web.qr import get_phone_origin

from .orders import render_print_page


@require_safe
@event_helpers_only
def round_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the last round, or ``?round=``, by table, or ``?by=name``."""
    chosen_round = _get_round(request, event)
    if request.GET.get("by") == "name":
        pages = printing.list_by_name(chosen_round)
        return _render_paper(request, "names", event, round=chosen_round, pages=pages)
    return _render_paper(request, "tables", event, round=chosen_round, view=printing.list_by_table(chosen_round))


@require_safe
@event_helpers_only
def score_sheets(request: HttpRequest, event: Event) -> HttpResponse:
    """Print a score sheet for every table of the round, or for those of ``?tables=1,4-6``."""
    chosen_round = _get_round(request, event)
    try:
        chosen = printing.parse_table_numbers(request.GET.get("tables", ""))
        sheets = printing.sheets_of(event, chosen_round, chosen)
    except Refusal as refusal:
        return render_print_page(request, event, refusal)
    origin = get_phone_origin(request)
    sheets_with_codes = [(sheet, render_card_qr_code(origin, sheet.card) if sheet.card else "") for sheet in sheets]
    return _render_sheets(request, event, sheets_with_codes, round=chosen_round)


@require_safe
@event_helpers_only
def blank_sheet(request: HttpRequest, event: Event) -> HttpResponse:
    """Print one score sheet without names, to be copied."""
    return _render_sheets(request, event, [(printing.ScoreSheet(), "")])


@require_safe
@event_helpers_only
def printed_standings(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the standings as last computed."""
    metrics, rows = printing.build_standings_list(event)
    computed_at = get_computed_at(event)
    return _render_paper(request, "standings", event, metrics=metrics, rows=rows, counted_at=computed_at)


def _render_sheets(
    request: HttpRequest, event: Event, sheets: list[tuple[printing.ScoreSheet, str]], **extra: Any
) -> HttpResponse:
    contracts = printing.list_special_contracts(event.terms.ruleset)
    return _render_paper(
        request, "sheets", event, sheets=sheets, lines=printing.SHEET_LINES, contracts=contracts, **extra
    )


def _render_paper(request: HttpRequest, template_name: str, event: Event, **extra: Any) -> HttpResponse:
    context = {"event": event, "printed_at": timezone.now(), **extra}
    return TemplateResponse(request, f"tournaments/papers/{template_name}.html", context)


def _get_round(request: HttpRequest, event: Event) -> Round:
    return get_or_404(
        printing.find_printable_round(
            event, request.GET.get("round", ""), drafts=has_permission(request, Permission.DIRECT)
        )
    )
