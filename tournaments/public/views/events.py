"""Public pages of this site and of an event."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_everybody
from clubs.queries import clubs_of
from errors import Refusal
from live.conditional_pages import conditional_page, page_or_part, part_tag
from scoring.rulebook import rulebook_of
from scoring.rulings import ruling_screen
from scoring.table_access import way_in
from tournaments.agenda.presenters import places_left
from tournaments.entries.queries.entries import has_sign_ups
from tournaments.events.queries import guests_of
from tournaments.events.views.access import for_watchers, shared_event_page
from tournaments.lifecycle import EventState
from tournaments.models import Event, Round
from tournaments.money.presenters.awards import public_awards
from tournaments.money.presenters.prizes import public_prizes
from tournaments.public.presenters import tables
from tournaments.public.presenters.find_my_table import where_in
from tournaments.public.presenters.match_picture import match_picture
from tournaments.rounds.presenters.rounds import round_view
from tournaments.rounds.queries.messages import messages_for
from tournaments.rounds.queries.rounds import rounds_of, table_numbers
from tournaments.sharing.link_preview_files import path_of
from tournaments.sharing.link_previews import png_of
from tournaments.sharing.presenters.press import press_report
from tournaments.standings.presenters import public_snapshot
from tournaments.standings.presenters.charts import WHO_MET_WHOM, stage_charts
from tournaments.standings.views import STANDINGS, open_rows, standings_context
from web.forms import digits_in
from web.names import fold_name

SHOWN = 40
"""How many rows of the standings are beside the rounds. A larger event has all of them on a page of their
own."""
MOST_TABLES = 30
"""How many tables of the round are shown there."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_everybody
def home(request: HttpRequest) -> HttpResponse:
    """Open a table by its code, and show the other ways in; ``?code=`` fills in a code typed before."""
    refusal = None
    if request.method == "POST":
        typed = request.POST.get("code", "")
        code = "".join(char for char in typed if not char.isspace() and char != "-")
        try:
            return redirect(way_in(request, code))
        except Refusal as refused:
            refusal = refused
    context = {"refusal": refusal, "typed": request.POST or request.GET, "clubs": clubs_of(request.user)}
    return TemplateResponse(request, "tournaments/public/home.html", context)


@require_safe
@for_watchers
def event_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the standings, the round under way, and a player's table (``?who=``)."""
    asked = digits_in(request.GET.get("round", ""), most=5)
    if asked is not None and _round(event, asked) is not None:
        return redirect("event-round", short=event.short, number=asked)
    who = request.GET.get("who", "")
    name = f"event-{fold_name(who)}-{event.takes_sign_ups:d}"
    return shared_event_page(request, event, name, partial(_event_page, who), reads=("who", *STANDINGS))


def _event_page(who: str, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    seen = event.visible
    published = list(rounds_of(event))
    rounds = published if seen.draw else []
    kept = public_snapshot(event, counted=open_rows(request), charts=True)
    context = standings_context(request, event, kept, published, most=SHOWN)
    entries, numbers = context["entries"], table_numbers(rounds[-1]) if rounds else []
    return TemplateResponse(
        request,
        page_or_part(request, "tournaments/public/event.html#news"),
        {
            **context,
            "guests": guests_of(event),
            "has_begun": bool(published),
            "messages": messages_for(event, last_round=len(published), now=timezone.now()),
            "seen": seen,
            "rounds": rounds,
            "round": round_view(rounds[-1], is_public=True, tables=numbers[:MOST_TABLES], entrants=entries)
            if rounds
            else None,
            "tables": len(numbers),
            "where": where_in(event, who, entries, rounds),
            "charts": stage_charts(event, kept.charts, entries, without=WHO_MET_WHOM),
            "has_more_charts": any(chart["format"] in WHO_MET_WHOM for chart in kept.charts),
            "prizes": public_prizes(event),
            "awards": public_awards(event, entries),
            "places_left": places_left(event) if event.takes_sign_ups else None,
            "has_sign_ups": event.state == EventState.PREPARING and (event.signs_up or has_sign_ups(event)),
            "told": press_report(event) if event.state == EventState.ENDED else None,
            "etag": part_tag(request, revision),
        },
    )


@require_safe
@for_watchers
def round_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show every table of a published round, as far as draw and results are released."""
    if _round(event, number) is None:
        raise Http404
    return shared_event_page(request, event, f"round-{number}", partial(_round_page, number))


def _round_page(number: int, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    rounds = list(rounds_of(event))
    (drawn,) = (one for one in rounds if one.number == number)
    context = {
        **_of_a_round(event, rounds, request, revision),
        "round": round_view(drawn, is_public=True),
    }
    return TemplateResponse(request, page_or_part(request, "tournaments/public/tables.html#live"), context)


@require_safe
@for_watchers
def table_page(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Show a table and every hand played there, as far as results are released."""
    if _round(event, number) is None:
        raise Http404
    return shared_event_page(
        request, event, f"table-{number}-{table_number}", partial(_table_page, number, table_number)
    )


def _table_page(
    number: int, table_number: int, request: HttpRequest, event: Event, revision: str
) -> HttpResponse:
    rounds = list(rounds_of(event))
    (drawn,) = (one for one in rounds if one.number == number)
    page = tables.table_page(event, drawn, table_number)
    if page is None:
        raise Http404
    context = {**_of_a_round(event, rounds, request, revision), "round": page.round, "table_page": page}
    return TemplateResponse(request, page_or_part(request, "tournaments/public/table.html#live"), context)


@require_safe
@for_watchers
def table_picture(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Show a picture of the curve of a match: the chances of both sides, hand by hand."""
    drawn = _round(event, number)
    page = None if drawn is None else tables.table_page(event, drawn, table_number)
    picture = None if page is None else match_picture(event, page)
    if picture is None:
        raise Http404
    shown = picture

    def answer() -> HttpResponse:
        return HttpResponse(png_of(shown, path_of(shown, event.club)), content_type="image/png")

    return conditional_page(request, shown.digest, answer)


def _of_a_round(event: Event, rounds: Sequence[Round], request: HttpRequest, revision: str) -> dict[str, Any]:
    """Return the context for the pages of a round and of a table."""
    return {
        "event": event,
        "seen": event.visible,
        "rounds": rounds,
        "counts_games": event.counts_games,
        "address": request.path,
        "etag": part_tag(request, revision),
    }


def _round(event: Event, number: int) -> Round | None:
    """Return the published round, if everybody may see the draw. One query, or none."""
    return rounds_of(event).filter(number=number).first() if event.visible.draw else None


@require_safe
@for_watchers
def rules_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rules of this event."""
    return shared_event_page(request, event, "rules", _rules_page)


def _rules_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    context = {"event": event, "rulebook": rulebook_of(event.terms.ruleset, event.terms.match_format)}
    return TemplateResponse(request, "tournaments/public/rules.html", context)


@require_safe
@for_watchers
def ruling_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show which card wins a trick and which cards may be played, by the rules of this event."""
    context = {"event": event, "ruling": ruling_screen(event.terms.ruleset, request.GET.dict())}
    return TemplateResponse(request, "tournaments/public/ruling.html", context)
