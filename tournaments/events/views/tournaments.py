"""Creation of a tournament: a preset or a few questions, then a form filled in from them."""

from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.calendar import today_in
from clubs.day_words import day_written
from clubs.models import Club, HouseRules
from clubs.queries import house_rules_by_choice
from engine.draws.stages import stage_plan
from engine.presets import PRESETS, Answers, Preset, suggest_preset, unmet_wishes
from engine.results import usual_rules
from errors import Refusal
from live.conditional_pages import asks_for_part
from rules import RULESETS
from tournaments.events.forms.settings import rearrange_settings, typed_ranking, typed_stages
from tournaments.events.forms.tournaments import TournamentReading, read_questions, read_tournament_form
from tournaments.events.presenters.settings import forecast, settings_view
from tournaments.events.services.lifecycle import make_once
from tournaments.events.services.settings import create_tournament
from web.form_lists import Typed
from web.forms import last_values

FIRST_ANSWERS = {"partners": "fixed", "all_play": "yes", "final": "no", "expected": "24"}


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def new_tournament(request: HttpRequest, club: Club) -> HttpResponse:
    """Create a tournament: choose a preset or answer a few questions, then complete the form. The form
    describes the tournament before it is created. Wishes that cannot be met are shown at their questions,
    with a proposal."""
    own = house_rules_by_choice(club)
    if request.method == "POST":
        return _create_from_form(request, club, own)
    if request.GET.get("preset") in PRESETS:
        preset = PRESETS[request.GET["preset"]]
        return _editor(request, club, own, _first_typed(club, own, preset, preset.expected, preset.rounds))
    refusal = proposed = None
    if "partners" in request.GET:
        try:
            answers = read_questions(request.GET)
        except Refusal as refused:
            refusal = refused
        else:
            unmet = unmet_wishes(answers)
            if not unmet or "as_proposed" in request.GET:
                return _editor(request, club, own, _from_answers(club, own, answers))
            refusal, proposed = Refusal("wishes_unmet", refusals=unmet), suggest_preset(answers)
    context = {
        "club": club,
        "refusal": refusal,
        "proposed": proposed,
        "typed": request.GET if "partners" in request.GET else FIRST_ANSWERS,
        "presets": [
            (drawn, [preset for preset in PRESETS.values() if preset.draws_partners == drawn])
            for drawn in (False, True)
        ],
    }
    return TemplateResponse(request, "tournaments/events/tournament/choose.html", context)


def _create_from_form(request: HttpRequest, club: Club, own: dict[str, HouseRules]) -> HttpResponse:
    """Move a line of the form (``change``), check it (``check``), or create the tournament."""
    typed: Typed = dict(request.POST.lists())
    if change := request.POST.get("change"):
        return _editor(request, club, own, rearrange_settings(typed, change), changed=change)
    reading = read_tournament_form(typed, own)
    if "check" in request.POST:
        return _editor(request, club, own, typed, refusal=_as_one(reading))
    try:
        make = partial(create_tournament, club=club, **reading.finish())
        event = make_once(club=club, key=actor_from(request).key, make=make)
    except Refusal as refusal:
        return _editor(request, club, own, typed, refusal=refusal)
    return redirect("entries", short=event.short)


def _as_one(reading: TournamentReading) -> Refusal | None:
    return Refusal("form_refused", refusals=reading.refusals) if reading.refusals else None


def _from_answers(club: Club, own: dict[str, HouseRules], answers: Answers) -> dict[str, list[str]]:
    return _first_typed(club, own, suggest_preset(answers), answers.expected, answers.rounds)


def _first_typed(
    club: Club, own: dict[str, HouseRules], preset: Preset, expected: int, rounds: int
) -> dict[str, list[str]]:
    """Return the form values for a preset."""
    today = today_in(club)
    stages = preset.stages(expected, rounds)
    plain = {
        "name": gettext("Tournament of %(date)s") % {"date": day_written(today)},
        "held_on": today.isoformat(),
        "ruleset": club.usual_ruleset,
        "length": "games_to_win",
        "games_to_win": str(RULESETS[club.usual_ruleset].games_to_win),
        "hands": "8",
        "minutes": "30",
        "expected": str(expected),
        "table_count": str(max(1, expected // (4 if preset.draws_partners else 2))),
    }
    return {
        **{name: [value] for name, value in plain.items()},
        **typed_stages(stages),
        **typed_ranking(replace(usual_rules(stage_plan(stages)), order=preset.order)),
    }


def _editor(
    request: HttpRequest,
    club: Club,
    own: dict[str, HouseRules],
    typed: Typed,
    *,
    refusal: Refusal | None = None,
    changed: str = "",
) -> HttpResponse:
    """Render the form as typed, with the forecast. For a script it has no error marks, which would take the
    focus."""
    reading = read_tournament_form(typed, own)
    plan, expected = reading.plan, reading.expected
    context: dict[str, Any] = {
        "club": club,
        "refusal": None if asks_for_part(request) else refusal,
        "reading": reading,
        "forecast": forecast(plan, expected) if plan is not None and expected is not None else None,
        "settings": settings_view(typed, ruleset=reading.event.ruleset, changed=changed),
        "typed": last_values(typed),
        "details": typed.get("details", []),
        "rulesets": RULESETS.values(),
        "house_rules": own.values(),
    }
    return TemplateResponse(request, "tournaments/events/tournament/editor.html", context)
