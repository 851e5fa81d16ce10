"""What everybody may see: the first page, and an event by its address."""

from functools import partial
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_everybody
from clubs.selectors import clubs_of
from live.revisions import revision_of
from live.watching import page_or_part, part_tag, watched
from rules import Refusal
from scoring.rulebook import rulebook_of
from scoring.rulings import ruling_screen
from tournaments import selectors
from tournaments.models import Event
from tournaments.pages import round_view
from tournaments.pages.charts import WHO_MET_WHOM, stage_charts
from tournaments.pages.standings import kept_standings
from tournaments.selectors.fees import public_prizes_of
from tournaments.selectors.interclub import guests_of

from .access import for_watchers
from .standings import opened, standings_context

SHOWN = 40
"""So many rows of the standings stand beside the rounds; of a larger event, all are on their own page."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_everybody
def home(request: HttpRequest) -> HttpResponse:
    """The code of a table, and the ways further."""
    refusal = None
    if request.method == "POST":
        typed = request.POST.get("code", "")
        code = "".join(char for char in typed if not char.isspace() and char != "-")
        if len(code) == 6 and code.isascii() and code.isdigit():
            return redirect("scoring:table", code=code)
        refusal = Refusal("code_has_six_digits", field="code")
    context = {"refusal": refusal, "typed": request.POST, "clubs": clubs_of(request.user)}
    return TemplateResponse(request, "tournaments/home.html", context)


@require_safe
@for_watchers
def event_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Standings, and the round asked for, or the one being played."""
    asked = request.GET.get("round", "")
    if not (asked.isascii() and asked.isdigit()):
        asked = ""
    revision = f"{event.pk}.{revision_of(*event.topics)}.{asked}"
    return watched(request, revision, partial(_event_page, request, event, asked, revision))


def _event_page(request: HttpRequest, event: Event, asked: str, revision: str) -> HttpResponse:
    rounds = list(selectors.rounds_of(event))
    chosen = next((one for one in rounds if str(one.number) == asked), rounds[-1] if rounds else None)
    kept = kept_standings(event, counted=opened(request), charts=True)
    context = standings_context(request, event, kept, rounds, most=SHOWN)
    if asked:
        context["address"] += ("&" if context["chosen"] else "?") + urlencode({"round": asked})
    return TemplateResponse(
        request,
        page_or_part(request, "tournaments/event.html#live"),
        {
            **context,
            "guests": guests_of(event),
            "rounds": rounds,
            "round": chosen and round_view(chosen, is_public=True),
            "charts": stage_charts(event.club, kept.charts, context["entries"], without=WHO_MET_WHOM),
            "has_more_charts": any(chart["format"] in WHO_MET_WHOM for chart in kept.charts),
            "prizes": public_prizes_of(event),
            "etag": part_tag(request, revision),
        },
    )


@require_safe
@for_watchers
def rules_page(request: HttpRequest, event: Event) -> HttpResponse:
    """The rules that this event is played by."""
    context = {"event": event, "rulebook": rulebook_of(event.terms.ruleset, event.terms.match_format)}
    return TemplateResponse(request, "tournaments/rules.html", context)


@require_safe
@for_watchers
def ruling_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Who wins a trick and what may be played, by the rules of this event."""
    context = {"event": event, "ruling": ruling_screen(event.terms.ruleset, request.GET.dict())}
    return TemplateResponse(request, "tournaments/ruling.html", context)
