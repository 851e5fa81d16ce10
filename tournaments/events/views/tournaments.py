"""Creation of a tournament: a preset or a few questions, then a form filled in from them."""

from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext

from clubs.calendar import get_club_today
from clubs.date_formats import format_date
from clubs.models import Club, HouseRules
from clubs.pages import directors_only, get_actor, get_refusal, note_refusal
from clubs.queries import get_house_rules_by_choice
from engine.draws.stages import parse_stage_plan
from engine.presets import PRESETS, Answers, Preset, list_unmet_answers, suggest_preset
from engine.results import get_default_rules
from errors import Refusal
from live.conditional_pages import is_partial_request
from rules import RULESETS
from tournaments.events.forms.settings import get_ranking_data, get_stages_data, rearrange_settings
from tournaments.events.forms.tournaments import read_questions, read_tournament_form
from tournaments.events.presenters.settings import build_settings_view, compute_forecast
from tournaments.events.services.creation import create_event, create_once
from web.form_lists import FormValues
from web.forms import get_last_values

DEFAULT_ANSWERS = {"partners": "fixed", "all_play": "yes", "final": "no", "expected": "24"}


@directors_only
def new_tournament(request: HttpRequest, club: Club) -> HttpResponse:
    """Create a tournament: choose a preset or answer a few questions, then complete the form. The form
    describes the tournament before it is created. Wishes that cannot be met are shown at their questions,
    with a proposal."""
    house_rules = get_house_rules_by_choice(club)
    if request.method == "POST":
        return _create_from_form(request, club, house_rules)
    if request.GET.get("preset") in PRESETS:
        preset = PRESETS[request.GET["preset"]]
        return _render_editor(
            request, club, house_rules, _build_preset_data(club, house_rules, preset, preset.expected, preset.rounds)
        )
    proposed_preset = None
    if "partners" in request.GET:
        try:
            answers = read_questions(request.GET)
        except Refusal as refusal:
            note_refusal(request, refusal)
        else:
            unmet_refusals = list_unmet_answers(answers)
            if not unmet_refusals or "as_proposed" in request.GET:
                return _render_editor(request, club, house_rules, _build_data_from_answers(club, house_rules, answers))
            note_refusal(request, Refusal("wishes_unmet", refusals=unmet_refusals))
            proposed_preset = suggest_preset(answers)
    context = {
        "club": club,
        "proposed": proposed_preset,
        "typed": request.GET if "partners" in request.GET else DEFAULT_ANSWERS,
        "presets": [
            (draws_partners, [preset for preset in PRESETS.values() if preset.draws_partners == draws_partners])
            for draws_partners in (False, True)
        ],
    }
    return TemplateResponse(request, "tournaments/events/tournament/preset_choice.html", context)


def _create_from_form(request: HttpRequest, club: Club, house_rules: dict[str, HouseRules]) -> HttpResponse:
    """Move a line of the form (``change``), check it (``check``), or create the tournament."""
    form_data: FormValues = dict(request.POST.lists())
    if change := request.POST.get("change"):
        return _render_editor(request, club, house_rules, rearrange_settings(form_data, change), list_change=change)
    form = read_tournament_form(form_data, house_rules)
    try:
        if form.refusals:
            raise Refusal("form_refused", refusals=form.refusals)
        make = partial(create_event, club=club, **form.event)
        if "check" not in request.POST:
            event = create_once(club=club, create=make, by=get_actor(request))
            return redirect("entries", short=event.short)
    except Refusal as refusal:
        note_refusal(request, refusal)
    return _render_editor(request, club, house_rules, form_data)


def _build_data_from_answers(club: Club, house_rules: dict[str, HouseRules], answers: Answers) -> dict[str, list[str]]:
    return _build_preset_data(club, house_rules, suggest_preset(answers), answers.expected, answers.rounds)


def _build_preset_data(
    club: Club, house_rules: dict[str, HouseRules], preset: Preset, entry_count: int, rounds: int
) -> dict[str, list[str]]:
    """Return the form values for a preset."""
    today = get_club_today(club)
    stages = preset.stages(entry_count, rounds)
    values = {
        "name": gettext("Tournament of %(date)s") % {"date": format_date(today)},
        "held_on": today.isoformat(),
        "ruleset": club.usual_ruleset,
        "length": "games_to_win",
        "games_to_win": str(RULESETS[club.usual_ruleset].games_to_win),
        "hands": "8",
        "minutes": "30",
        "expected": str(entry_count),
        "table_count": str(max(1, entry_count // (4 if preset.draws_partners else 2))),
    }
    return {
        **{name: [value] for name, value in values.items()},
        **get_stages_data(stages),
        **get_ranking_data(replace(get_default_rules(parse_stage_plan(stages)), order=preset.order)),
    }


def _render_editor(
    request: HttpRequest,
    club: Club,
    house_rules: dict[str, HouseRules],
    form_data: FormValues,
    *,
    list_change: str = "",
) -> HttpResponse:
    """Render the form as typed, with the forecast. For a script it has no error marks, which would take the
    focus."""
    form = read_tournament_form(form_data, house_rules)
    plan, entry_count = form.plan, form.expected
    context: dict[str, Any] = {
        "club": club,
        "refusal": None if is_partial_request(request) else get_refusal(request),
        "reading": form,
        "forecast": compute_forecast(plan, entry_count) if plan is not None and entry_count is not None else None,
        "settings": build_settings_view(form_data, ruleset=form.event["ruleset"], list_change=list_change),
        "typed": get_last_values(form_data),
        "details": form_data.get("details", []),
        "rulesets": RULESETS.values(),
        "house_rules": house_rules.values(),
    }
    return TemplateResponse(request, "tournaments/events/tournament/editor.html", context)
