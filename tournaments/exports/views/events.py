"""Public tables of an event: they contain no more than its public pages."""

from collections.abc import Callable, Collection
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.visibility import Ranks, Results
from live.revisions import get_public_revision
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_public_entry_formatter
from tournaments.events.views.access import public_event_required
from tournaments.exports.presenters.charts import build_meetings_table
from tournaments.exports.presenters.file_names import format_round
from tournaments.exports.presenters.hands import build_hands_table
from tournaments.exports.presenters.rounds import build_public_entries_table, build_round_table
from tournaments.exports.presenters.standings import build_club_standings_table, build_standings_table
from tournaments.models import Event, Round
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.rounds import are_entries_public, get_published_rounds
from tournaments.standings.presenters import build_standings_view, get_public_snapshot
from tournaments.standings.presenters.charts import build_stage_charts
from tournaments.standings.presenters.clubs import build_club_rows
from tournaments.standings.presenters.publication import mark_outdated
from tournaments.standings.queries.structure import map_pools
from web.forms import parse_digits
from web.sheets.tables import Sheet
from web.table_files import build_shared_sheet_response


@require_safe
@public_event_required
def export_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the standings as a file, of all entries or of a section."""
    if event.visible.standings is Ranks.NOTHING:
        raise Http404
    section = request.GET.get("section", "")
    return _export_table(
        request, event, ending, "standings", partial(_build_standings, event, section), reads=["section"]
    )


def _build_standings(event: Event, section: str) -> Sheet:
    rounds = list(get_published_rounds(event))
    entries = get_entries(event)
    snapshot = get_public_snapshot(event)
    view = build_standings_view(event, snapshot, entries, rounds, section=section, pools=map_pools(event))
    return build_standings_table(event, mark_outdated(event, snapshot, view))


@require_safe
@public_event_required
def export_club_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the standings by club as a file."""
    if event.visible.standings is Ranks.NOTHING:
        raise Http404
    return _export_table(request, event, ending, "clubs", partial(_build_club_standings, event))


def _build_club_standings(event: Event) -> Sheet:
    lines = build_club_rows(event, get_public_snapshot(event), get_entries(event))
    return build_club_standings_table(event, lines)


@require_safe
@public_event_required
def export_tables(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the tables of a round as a file, by default of the last one."""
    if not event.visible.draw:
        raise Http404
    round_number = parse_digits(request.GET.get("round", ""), max_digits=5)
    return _export_table(request, event, ending, "tables", partial(_build_tables, event, round_number), reads=["round"])


def _build_tables(event: Event, round_number: int | None) -> Sheet:
    rounds = list(get_published_rounds(event))
    if round_number is None and not rounds:
        return build_round_table(event, None)
    chosen = rounds[-1] if round_number is None else _find_round(rounds, round_number)
    return build_round_table(event, build_round_view(chosen, is_public=True))


@require_safe
@public_event_required
def export_entries(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the entries as a file."""
    return _export_table(request, event, ending, "entries", partial(_build_entries, event))


def _build_entries(event: Event) -> Sheet:
    if not are_entries_public(event):
        raise Http404
    return build_public_entries_table(event, partial(build_public_entry_formatter, event))


@require_safe
@public_event_required
def export_charts(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the meetings of entries, stage by stage, as a file."""
    if not event.visible.has_reasons:
        raise Http404
    return _export_table(request, event, ending, "charts", partial(_build_charts, event))


def _build_charts(event: Event) -> Sheet:
    snapshot = get_public_snapshot(event, charts=True)
    return build_meetings_table(event, build_stage_charts(event, snapshot.charts, get_entries(event)))


@require_safe
@public_event_required
def export_hands(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the hands of the event, of a round or of one table as a file."""
    reads = ("round", "table")
    round_number, table = (parse_digits(request.GET.get(name, ""), max_digits=5) for name in reads)
    return _export_table(
        request, event, ending, "hands", partial(_build_hands, event, round_number, table), reads=reads
    )


def _build_hands(event: Event, round_number: int | None, table: int | None) -> Sheet:
    """Return the hands of the rounds whose hands are public."""
    rounds = [round_row.number for round_row in get_published_rounds(event) if round_number in (None, round_row.number)]
    visible_rounds = [number for number in rounds if event.visible.get_results(number) is Results.HANDS]
    if not visible_rounds:
        raise Http404
    name_parts = [] if round_number is None else [format_round(round_number)]
    name_parts += [] if table is None else [gettext("Table %(number)s") % {"number": table}]
    return build_hands_table(event, visible_rounds, table=table, name_parts=name_parts)


def _find_round(rounds: list[Round], number: int) -> Round:
    chosen = next((round_row for round_row in rounds if round_row.number == number), None)
    if chosen is None:
        raise Http404
    return chosen


def _export_table(
    request: HttpRequest,
    event: Event,
    ending: str,
    name: str,
    table: Callable[[], Sheet],
    *,
    reads: Collection[str] = (),
) -> HttpResponse:
    revision = f"{event.pk}.{get_public_revision(*event.topics)}.{name}"
    return build_shared_sheet_response(request, revision, ending, table, query_params=reads)
