"""Tables of an event's desk, for those who may open the pages."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.entries.presenters.entries import build_check_in_view, build_entries_view
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.events.views.access import event_directors_only, event_helpers_only
from tournaments.exports.presenters import desk
from tournaments.exports.presenters.rounds import build_hands_table, build_round_table
from tournaments.exports.presenters.standings import build_full_standings_table, build_standings_table
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.money.presenters.fees import UNPAID, build_fees_view
from tournaments.money.presenters.prizes import build_prizes_view
from tournaments.papers import presenters as printing
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.standings.presenters import build_standings_view, get_latest_snapshot
from tournaments.standings.queries.standings import map_pools
from web.not_found import get_or_404
from web.table_files import build_sheet_response


@require_safe
@event_directors_only
def export_entries(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the entries as a file, including those on the waiting list and those that have left."""
    return build_sheet_response(desk.build_entries_table(event, build_entries_view(event)), ending)


@require_safe
@event_helpers_only
def export_check_in(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the check-in list as a file, as far as it matches the search."""
    view = build_check_in_view(event, request.GET.get("search", ""))
    return build_sheet_response(desk.build_check_in_table(event, view), ending)


@require_safe
@event_helpers_only
def export_fees(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the fees as a file, as far as they match the search."""
    view = build_fees_view(event, request.GET.get("search", ""), only_unpaid=request.GET.get("only") == UNPAID)
    return build_sheet_response(desk.build_fees_table(event, view), ending)


@require_safe
@event_directors_only
def export_prizes(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the prizes as a file."""
    return build_sheet_response(desk.build_prizes_table(event, build_prizes_view(event)), ending)


@require_safe
@event_directors_only
def export_tables(request: HttpRequest, event: Event, number: int, ending: str) -> HttpResponse:
    """Download a published round as a file, with full names."""
    published = get_or_404(event.rounds.filter(number=number).exclude(state=RoundState.DRAFT).first())
    return build_sheet_response(build_round_table(event, build_round_view(published, is_public=False)), ending)


@require_safe
@event_directors_only
def export_hands(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the hands of all rounds as a file, including hidden ones."""
    rounds = [round_row.number for round_row in get_published_rounds(event)]
    return build_sheet_response(build_hands_table(event, rounds), ending)


@require_safe
@event_helpers_only
def export_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the current standings as a file, of all entries or of a section, with full names."""
    rounds, entries = list(get_published_rounds(event)), get_entries(event)
    section = request.GET.get("section", "")
    format_entry = build_full_entry_formatter(entries)
    snapshot, pools = get_latest_snapshot(event), map_pools(event)
    view = build_standings_view(
        event, snapshot, entries, rounds, section=section, format_entry=format_entry, pools=pools
    )
    return build_sheet_response(build_standings_table(event, view), ending)


@require_safe
@event_helpers_only
def export_printed_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the standings as printed, with full names, as a file."""
    metrics, rows = printing.build_standings_list(event)
    return build_sheet_response(build_full_standings_table(event, metrics, rows), ending)
