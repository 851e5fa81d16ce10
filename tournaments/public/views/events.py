"""Public pages of this site and of an event."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.pages import is_submitted, public_page, show_refusals
from clubs.queries import query_clubs
from live.conditional_pages import conditional_page, get_part_etag, get_template_or_part, read_snapshot
from scoring.rulebook import build_rulebook
from scoring.rulings.screen import build_ruling_screen
from scoring.table_access import find_table_url
from tournaments.entries.queries.entries import has_sign_ups
from tournaments.entries.services.waiting_list import count_free_places
from tournaments.events.queries import guests_of
from tournaments.events.views.access import public_event_required, serve_shared_event_page
from tournaments.lifecycle import EventState
from tournaments.models import Event, Round
from tournaments.money.presenters.awards import get_public_awards
from tournaments.money.presenters.prizes import list_public_prizes
from tournaments.public.presenters import tables
from tournaments.public.presenters.match_picture import build_match_picture
from tournaments.public.presenters.table_search import search_tables
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.messages import list_messages_for_tables
from tournaments.rounds.queries.rounds import get_published_rounds, list_table_numbers
from tournaments.sharing.link_preview_files import build_picture_response
from tournaments.sharing.presenters.press import get_press_report
from tournaments.standings.presenters import get_public_snapshot
from tournaments.standings.presenters.charts import CROSS_TABLE_FORMATS, build_stage_charts
from tournaments.standings.views import STANDINGS_PARAMETERS, build_standings_context, read_open_rows
from web.forms import parse_digits
from web.names import fold_name
from web.not_found import get_or_404

MAX_STANDINGS_ROWS = 40
"""How many rows of the standings are beside the rounds. A larger event has all of them on a page of their
own."""
MAX_TABLES = 30
"""How many tables of the round are shown there."""


@public_page
@show_refusals
def home(request: HttpRequest) -> HttpResponse:
    """Open a table by its code, and show the other ways in; ``?code=`` fills in a code typed before."""
    if is_submitted(request):
        typed = request.POST.get("code", "")
        code = "".join(char for char in typed if not char.isspace() and char != "-")
        return redirect(find_table_url(request, code))
    context = {
        "typed": request.POST or request.GET,
        "clubs": query_clubs(request.user),
        "takes_club_requests": settings.TAKES_CLUB_REQUESTS,
    }
    return TemplateResponse(request, "tournaments/public/home.html", context)


@require_safe
@read_snapshot()
@public_event_required
def event_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the standings, the round under way, and a player's table (``?who=``)."""
    round_number = parse_digits(request.GET.get("round", ""), max_digits=5)
    if round_number is not None and _find_round(event, round_number) is not None:
        return redirect("event-round", short=event.short, number=round_number)
    query = request.GET.get("who", "")
    name = f"event-{fold_name(query)}-{event.is_sign_up_open:d}"
    return serve_shared_event_page(
        request, event, name, partial(_render_event, query), parameters=("who", *STANDINGS_PARAMETERS)
    )


def _render_event(query: str, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    visible = event.visible
    published = list(get_published_rounds(event))
    rounds = published if visible.draw else []
    snapshot = get_public_snapshot(event, entry_numbers=read_open_rows(request), charts=True)
    context = build_standings_context(request, event, snapshot, published, max_rows=MAX_STANDINGS_ROWS)
    entries, numbers = context["entries"], list_table_numbers(rounds[-1]) if rounds else []
    return TemplateResponse(
        request,
        get_template_or_part(request, "tournaments/public/event.html#news"),
        {
            **context,
            "guests": guests_of(event),
            "has_begun": bool(published),
            "messages": list_messages_for_tables(event, last_round=len(published), now=timezone.now()),
            "seen": visible,
            "rounds": rounds,
            "round": build_round_view(rounds[-1], is_public=True, tables=numbers[:MAX_TABLES], entrants=entries)
            if rounds
            else None,
            "tables": len(numbers),
            "where": search_tables(event, query, entries, rounds),
            "charts": build_stage_charts(event, snapshot.charts, entries, excluded_formats=CROSS_TABLE_FORMATS),
            "has_more_charts": any(chart["format"] in CROSS_TABLE_FORMATS for chart in snapshot.charts),
            "prizes": list_public_prizes(event),
            "awards": get_public_awards(event, entries),
            "places_left": count_free_places(event) if event.is_sign_up_open else None,
            "has_sign_ups": event.state == EventState.PREPARING and (event.signs_up or has_sign_ups(event)),
            "press_report": get_press_report(event) if event.state == EventState.ENDED else None,
            "etag": get_part_etag(request, revision),
        },
    )


@require_safe
@read_snapshot()
@public_event_required
def round_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show every table of a published round, as far as draw and results are released."""
    get_or_404(_find_round(event, number))
    return serve_shared_event_page(request, event, f"round-{number}", partial(_render_round, number))


def _render_round(number: int, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(get_published_rounds(event))
    (round_row,) = (candidate for candidate in rounds if candidate.number == number)
    context = {
        **_build_round_context(event, rounds, request, revision),
        "round": build_round_view(round_row, is_public=True),
    }
    return TemplateResponse(request, get_template_or_part(request, "tournaments/public/tables.html#live"), context)


@require_safe
@read_snapshot()
@public_event_required
def table_page(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Show a table and every hand played there, as far as results are released."""
    get_or_404(_find_round(event, number))
    return serve_shared_event_page(
        request, event, f"table-{number}-{table_number}", partial(_render_table, number, table_number)
    )


def _render_table(number: int, table_number: int, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(get_published_rounds(event))
    (round_row,) = (candidate for candidate in rounds if candidate.number == number)
    page = get_or_404(tables.build_table_page(event, round_row, table_number))
    context = {**_build_round_context(event, rounds, request, revision), "round": page.round, "table_page": page}
    return TemplateResponse(request, get_template_or_part(request, "tournaments/public/table.html#live"), context)


@require_safe
@public_event_required
def table_picture(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Show a picture of the curve of a match: the chances of both sides, hand by hand."""
    round_row = get_or_404(_find_round(event, number))
    page = get_or_404(tables.build_table_page(event, round_row, table_number))
    picture = get_or_404(build_match_picture(event, page))
    return conditional_page(request, picture.digest, partial(build_picture_response, picture, event.club))


def _build_round_context(event: Event, rounds: Sequence[Round], request: HttpRequest, revision: str) -> dict[str, Any]:
    """Return the context for the pages of a round and of a table."""
    return {
        "event": event,
        "seen": event.visible,
        "rounds": rounds,
        "counts_games": event.counts_games,
        "address": request.path,
        "etag": get_part_etag(request, revision),
    }


def _find_round(event: Event, number: int) -> Round | None:
    """Return the published round, if everybody may see the draw. One query, or none."""
    return get_published_rounds(event).filter(number=number).first() if event.visible.draw else None


@require_safe
@read_snapshot()
@public_event_required
def rules_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rules of this event."""
    return serve_shared_event_page(request, event, "rules", _render_rules)


def _render_rules(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    context = {"event": event, "rulebook": build_rulebook(event.terms.ruleset, event.terms.match_format)}
    return TemplateResponse(request, "tournaments/public/rules.html", context)


@require_safe
@read_snapshot()
@public_event_required
def ruling_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show which card wins a trick and which cards may be played, by the rules of this event."""
    context = {"event": event, "ruling": build_ruling_screen(event.terms.ruleset, request.GET.dict())}
    return TemplateResponse(request, "tournaments/public/ruling.html", context)
