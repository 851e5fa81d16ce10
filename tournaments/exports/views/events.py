"""Public tables of an event: they contain no more than its public pages."""

from collections.abc import Callable, Collection
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.visibility import Ranks, Results
from live.revisions import public_revision_of
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in
from tournaments.events.views.access import for_watchers
from tournaments.exports.presenters.charts import meetings_table
from tournaments.exports.presenters.file_names import round_in_words
from tournaments.exports.presenters.hands import hands_table
from tournaments.exports.presenters.rounds import public_entries_table, round_table
from tournaments.exports.presenters.standings import club_standings_table, standings_table
from tournaments.models import Event, Round
from tournaments.rounds.presenters.rounds import round_view
from tournaments.rounds.queries.rounds import are_entries_public, rounds_of
from tournaments.standings.presenters import public_snapshot, standings_view
from tournaments.standings.presenters.charts import stage_charts
from tournaments.standings.presenters.clubs import club_standings
from tournaments.standings.presenters.publication import check_validity
from web.forms import digits_in
from web.sheets import Sheet
from web.table_files import shared_sheet_response


@require_safe
@for_watchers
def export_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the standings as a file, of all entries or of a section."""
    if event.visible.standings is Ranks.NOTHING:
        raise Http404
    section = request.GET.get("section", "")
    return _file(request, event, ending, "standings", partial(_standings, event, section), reads=["section"])


def _standings(event: Event, section: str) -> Sheet:
    rounds = list(rounds_of(event))
    entries = entries_of(event)
    kept = public_snapshot(event)
    view = standings_view(event, kept, entries, rounds, section=section)
    return standings_table(event, check_validity(event, kept, view))


@require_safe
@for_watchers
def export_club_standings(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the standings by club as a file."""
    if event.visible.standings is Ranks.NOTHING:
        raise Http404
    return _file(request, event, ending, "clubs", partial(_clubs, event))


def _clubs(event: Event) -> Sheet:
    lines = club_standings(event, public_snapshot(event), entries_of(event))
    return club_standings_table(event, lines)


@require_safe
@for_watchers
def export_tables(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the tables of a round as a file, by default of the last one."""
    if not event.visible.draw:
        raise Http404
    asked = digits_in(request.GET.get("round", ""), most=5)
    return _file(request, event, ending, "tables", partial(_tables, event, asked), reads=["round"])


def _tables(event: Event, asked: int | None) -> Sheet:
    rounds = list(rounds_of(event))
    if asked is None and not rounds:
        return round_table(event, None)
    chosen = rounds[-1] if asked is None else _round(rounds, asked)
    return round_table(event, round_view(chosen, is_public=True))


@require_safe
@for_watchers
def export_entries(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the entries as a file."""
    return _file(request, event, ending, "entries", partial(_entries, event))


def _entries(event: Event) -> Sheet:
    if not are_entries_public(event):
        raise Http404
    return public_entries_table(event, partial(entries_named_in, event))


@require_safe
@for_watchers
def export_charts(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the meetings of entries, stage by stage, as a file."""
    if not event.visible.has_reasons:
        raise Http404
    return _file(request, event, ending, "charts", partial(_charts, event))


def _charts(event: Event) -> Sheet:
    kept = public_snapshot(event, charts=True)
    return meetings_table(event, stage_charts(event, kept.charts, entries_of(event)))


@require_safe
@for_watchers
def export_hands(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    """Download the hands of the event, of a round or of one table as a file."""
    reads = ("round", "table")
    asked, table = (digits_in(request.GET.get(name, ""), most=5) for name in reads)
    return _file(request, event, ending, "hands", partial(_hands, event, asked, table), reads=reads)


def _hands(event: Event, asked: int | None, table: int | None) -> Sheet:
    """Return the hands of the rounds whose hands are public."""
    rounds = [one.number for one in rounds_of(event) if asked in (None, one.number)]
    seen = [number for number in rounds if event.visible.results_in(number) is Results.HANDS]
    if not seen:
        raise Http404
    about = [] if asked is None else [round_in_words(asked)]
    about += [] if table is None else [gettext("Table %(number)s") % {"number": table}]
    return hands_table(event, seen, table=table, about=about)


def _round(rounds: list[Round], number: int) -> Round:
    found = next((one for one in rounds if one.number == number), None)
    if found is None:
        raise Http404
    return found


def _file(
    request: HttpRequest,
    event: Event,
    ending: str,
    name: str,
    table: Callable[[], Sheet],
    *,
    reads: Collection[str] = (),
) -> HttpResponse:
    revision = f"{event.pk}.{public_revision_of(*event.topics)}.{name}"
    return shared_sheet_response(request, revision, ending, table, reads=reads)
