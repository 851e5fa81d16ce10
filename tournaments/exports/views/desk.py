"""Tables of an event's desk, for those who may open the pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.entries.presenters.entries import check_in_view, entries_view
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.events.views.access import for_directors, for_helpers
from tournaments.exports.presenters import desk
from tournaments.exports.presenters.hands import hands_table
from tournaments.exports.presenters.rounds import round_table
from tournaments.exports.presenters.standings import full_standings_table, standings_table
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.money.presenters.fees import OWING, fees_view
from tournaments.money.presenters.prizes import prizes_view
from tournaments.papers import presenters as printing
from tournaments.rounds.presenters.rounds import round_view
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.standings.presenters import latest_snapshot, standings_view
from web.table_files import sheet_response


@require_safe
@for_directors
def export_entries(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the entries as a file, including those on the waiting list and those that have left."""
    return sheet_response(desk.entries_table(event, entries_view(event)), ending)


@require_safe
@for_helpers
def export_check_in(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the check-in list as a file, as far as it matches the search."""
    view = check_in_view(event, request.GET.get("search", ""))
    return sheet_response(desk.check_in_table(event, view), ending)


@require_safe
@for_helpers
def export_fees(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the fees as a file, as far as they match the search."""
    view = fees_view(event, request.GET.get("search", ""), only_owing=request.GET.get("only") == OWING)
    return sheet_response(desk.fees_table(event, view), ending)


@require_safe
@for_directors
def export_prizes(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the prizes as a file."""
    return sheet_response(desk.prizes_table(event, prizes_view(event)), ending)


@require_safe
@for_directors
def export_tables(request: HttpRequest, event: Event, number: int, ending: str) -> HttpResponse:
    """Download a published round as a file, with full names."""
    drawn = event.rounds.filter(number=number).exclude(state=RoundState.DRAFT).first()
    if drawn is None:
        raise Http404
    return sheet_response(round_table(event, round_view(drawn, is_public=False)), ending)


@require_safe
@for_directors
def export_hands(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the hands of all rounds as a file, including hidden ones."""
    rounds = [one.number for one in rounds_of(event)]
    return sheet_response(hands_table(event, rounds), ending)


@require_safe
@for_helpers
def export_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the current standings as a file, of all entries or of a section, with full names."""
    rounds, entries = list(rounds_of(event)), entries_of(event)
    section = request.GET.get("section", "")
    named = entries_named_in_full(entries)
    view = standings_view(event, latest_snapshot(event), entries, rounds, section=section, named=named)
    return sheet_response(standings_table(event, view), ending)


@require_safe
@for_helpers
def export_printed_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the standings as printed, with full names, as a file."""
    metrics, rows = printing.standings_list(event)
    return sheet_response(full_standings_table(event, metrics, rows), ending)
