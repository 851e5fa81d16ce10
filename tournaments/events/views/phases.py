"""The settings of a phase: a stage, a section, or the rounds from some round on."""

from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from clubs.audit.log import Actor
from clubs.models import HouseRules
from clubs.pages import is_submitted, show_refusals
from clubs.queries import get_house_rules_by_choice
from engine.phases import PhasePlace, PhaseRelease, PhaseSettings, parse_tables, phases_to_json
from engine.ranking import BYE_VALUES
from rules import RULESETS, TieRule
from tournaments.events.forms.nights import get_length_data, get_rules_choice, read_match_format, read_rules
from tournaments.events.forms.settings import POINT_CHOICES, get_phase_ranking_data, read_phase_ranking
from tournaments.events.presenters.phases import PhaseView, build_phase_ranking, build_phase_view, list_phase_lines
from tournaments.events.services.settings import change_phase
from tournaments.history.views.confirmation import confirm_then_run
from tournaments.history.views.shown_values import ShownValues, build_form_version, guard_action
from tournaments.models import Event
from web.form_lists import FormValues
from web.forms import FormReader, get_last_values
from web.not_found import get_or_404

from .access import event_directors_only

UNCHANGED = "kept"
"""The choice of house rules that the club has changed or removed since."""


@event_directors_only
@show_refusals
def phase_settings(request: HttpRequest, event: Event, stage: int, section: int) -> HttpResponse:
    """Change the settings of a phase; the effects are shown for confirmation."""
    line = get_or_404(
        next((phase_line for phase_line in list_phase_lines(event) if phase_line.address == (stage, section)), None)
    )
    phase = build_phase_view(event, line)
    house_rules = get_house_rules_by_choice(event.club)
    form_data: FormValues = dict(request.POST.lists())
    if not is_submitted(request):
        return _render_phase(request, event, phase, house_rules, form_data=form_data or None)
    form = FormReader(get_last_values(form_data))
    settings = _read_settings(form, form_data, house_rules, phase)
    first_round = form.read_number("since") or 1
    form.raise_refusals()
    place = phase.place

    def action(by: Actor) -> object:
        return change_phase(
            event_id=event.pk,
            settings=settings,
            stage=place.stage,
            section=place.section,
            since=first_round,
            by=by,
        )

    return confirm_then_run(
        request,
        event,
        guard_action(request, _get_shown_values(event, place), action),
        question=gettext("Change these settings?"),
        button=gettext("Apply change"),
        back=request.path,
        success_url=f"{reverse('event-settings', args=[event.short])}?saved=phases#part-phases",
    )


def _get_shown_values(event: Event, place: PhasePlace) -> ShownValues:
    """Return what the form of a part of the event shows: its own settings, but not those of other parts."""

    def read_phases(row: Event) -> object:
        return phases_to_json(phase for phase in row.phases if phase.place == place)

    return ShownValues(event=event, row=event, columns=("phase_data",), reads=read_phases)


def _read_settings(
    form: FormReader, form_data: FormValues, house_rules: Mapping[str, HouseRules], phase: PhaseView
) -> PhaseSettings:
    """Read the settings; an empty choice is inherited. Codes: those of the fields of a new event.
    Refuses: form_refused, with the refusal of each field."""
    values = get_last_values(form_data)
    is_unchanged = values.get("ruleset") == UNCHANGED
    rules = read_rules(form, form_data, house_rules) if values.get("ruleset") and not is_unchanged else None
    ruleset, name = (phase.own.ruleset, phase.own.rules_name) if is_unchanged else (None, None)
    released, tie = form.read_choice("released", ("", *PhaseRelease)), form.read_choice("tie", ("", *TieRule))
    form.raise_refusals()
    return replace(
        read_phase_ranking(form, form_data),
        ruleset=ruleset if rules is None else rules["ruleset"],
        rules_name=name if rules is None else rules["rules_name"],
        match_format=read_match_format(form) if values.get("length") else None,
        tables=_read_tables(form),
        released=PhaseRelease(released) if released else None,
        tie=TieRule(tie) if tie else None,
    )


def _read_tables(form: FormReader) -> tuple[int, int] | None:
    """Read the first and the last table. Refuses: section_tables."""
    numbers = [form.read_number(name) for name in ("first_table", "last_table")]
    form.raise_refusals()
    return None if numbers == [None, None] else parse_tables([number or 0 for number in numbers])


def _render_phase(
    request: HttpRequest,
    event: Event,
    phase: PhaseView,
    house_rules: Mapping[str, HouseRules],
    *,
    form_data: FormValues | None = None,
) -> HttpResponse:
    length, rules = phase.own.match_format, phase.own
    values: dict[str, object] = {
        **({"length": ""} if length is None else get_length_data(length)),
        "ruleset": "" if rules.ruleset is None else get_rules_choice(rules, house_rules) or UNCHANGED,
        "tie": phase.own.tie or "",
        "released": phase.own.released or "",
        **dict(zip(("first_table", "last_table"), phase.own.tables or (), strict=False)),
        "since": "" if phase.since == 1 else phase.since,
    }
    context = {
        "event": event,
        "phase": phase,
        "typed": values if form_data is None else get_last_values(form_data),
        "ranking": build_phase_ranking(
            phase, event.plan, get_phase_ranking_data(phase.own) if form_data is None else form_data
        ),
        "worths": BYE_VALUES,
        "points": POINT_CHOICES,
        "rulesets": [candidate for candidate in RULESETS.values() if candidate.seats == event.terms.ruleset.seats],
        "house_rules": [
            candidate for candidate in house_rules.values() if candidate.ruleset.seats == event.terms.ruleset.seats
        ],
        "ties": list(TieRule),
        "releases": list(PhaseRelease),
        "form_version": build_form_version(request, _get_shown_values(event, phase.place)),
    }
    return TemplateResponse(request, "tournaments/events/settings/phase.html", context)
