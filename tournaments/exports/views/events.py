"""Public tables of an event: they contain no more than its public pages."""

from collections.abc import Callable
from functools import partial, wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.pages import View
from engine.visibility import Ranks, Results
from live.conditional_pages import read_snapshot
from live.revisions import get_public_revision
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_public_entry_formatter
from tournaments.events.views.access import public_event_required
from tournaments.exports.presenters.file_names import format_round
from tournaments.exports.presenters.rounds import (
    build_hands_table,
    build_meetings_table,
    build_public_entries_table,
    build_round_table,
)
from tournaments.exports.presenters.standings import build_club_standings_table, build_standings_table
from tournaments.models import Event
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.rounds import are_entries_public, get_published_rounds
from tournaments.standings.presenters import build_standings_view, get_public_snapshot
from tournaments.standings.presenters.charts import build_stage_charts
from tournaments.standings.presenters.clubs import build_club_rows
from tournaments.standings.presenters.publication import mark_outdated
from tournaments.standings.queries.standings import map_pools
from web.forms import parse_digits
from web.sheets.tables import Sheet
from web.table_files import build_shared_sheet_response


def _public_table(*query_params: str) -> Callable[[Callable[..., Sheet]], View]:
    """Make the download of a public table from the function that builds it. Of the query, it depends only on
    these parameters."""

    def make_view(build_table: Callable[..., Sheet]) -> View:
        @require_safe
        @read_snapshot()
        @public_event_required
        @wraps(build_table)
        def download(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
            revision = f"{event.pk}.{get_public_revision(*event.topics)}.{build_table.__name__}"
            return build_shared_sheet_response(
                request, revision, ending, partial(build_table, request, event), query_params=query_params
            )

        return download

    return make_view


@_public_table("section")
def export_standings(request: HttpRequest, event: Event) -> Sheet:
    """Download the standings as a file, of all entries or of a section."""
    if event.visible.standings is Ranks.NOTHING:
        raise Http404
    rounds, entries = list(get_published_rounds(event)), get_entries(event)
    snapshot, section = get_public_snapshot(event), request.GET.get("section", "")
    view = build_standings_view(event, snapshot, entries, rounds, section=section, pools=map_pools(event))
    return build_standings_table(event, mark_outdated(event, snapshot, view))


@_public_table()
def export_club_standings(request: HttpRequest, event: Event) -> Sheet:
    """Download the standings by club as a file."""
    if event.visible.standings is Ranks.NOTHING:
        raise Http404
    return build_club_standings_table(event, build_club_rows(event, get_public_snapshot(event), get_entries(event)))


@_public_table("round")
def export_tables(request: HttpRequest, event: Event) -> Sheet:
    """Download the tables of a round as a file, by default of the last one."""
    if not event.visible.draw:
        raise Http404
    number = parse_digits(request.GET.get("round", ""), max_digits=5)
    rounds = [each for each in get_published_rounds(event) if number in (None, each.number)]
    if number is not None and not rounds:
        raise Http404
    return build_round_table(event, build_round_view(rounds[-1], is_public=True) if rounds else None)


@_public_table()
def export_entries(request: HttpRequest, event: Event) -> Sheet:
    """Download the entries as a file."""
    if not are_entries_public(event):
        raise Http404
    return build_public_entries_table(event, partial(build_public_entry_formatter, event))


@_public_table()
def export_charts(request: HttpRequest, event: Event) -> Sheet:
    """Download the meetings of entries, stage by stage, as a file."""
    if not event.visible.has_reasons:
        raise Http404
    snapshot = get_public_snapshot(event, charts=True)
    return build_meetings_table(event, build_stage_charts(event, snapshot.charts, get_entries(event)))


@_public_table("round", "table")
def export_hands(request: HttpRequest, event: Event) -> Sheet:
    """Download the hands of the event, of a round or of one table as a file."""
    number, table = (parse_digits(request.GET.get(name, ""), max_digits=5) for name in ("round", "table"))
    rounds = [each.number for each in get_published_rounds(event) if number in (None, each.number)]
    visible_rounds = [each for each in rounds if event.visible.get_results(each) is Results.HANDS]
    if not visible_rounds:
        raise Http404
    name_parts = [] if number is None else [format_round(number)]
    name_parts += [] if table is None else [gettext("Table %(number)s") % {"number": table}]
    return build_hands_table(event, visible_rounds, table=table, name_parts=name_parts)
