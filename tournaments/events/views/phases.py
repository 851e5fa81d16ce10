"""The settings of a phase: a stage, a section, or the rounds from some round on."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from clubs.models import HouseRules
from clubs.queries import house_rules_by_choice
from engine.phases import PhaseSettings
from errors import Refusal
from rules import RULESETS, TieRule
from tournaments.events.forms.nights import choice_of_rules, read_match_format, read_rules, typed_length
from tournaments.events.presenters.phases import PhaseView, phase_lines, phase_view
from tournaments.events.services.settings import change_phase
from tournaments.history.views.confirmation import confirm_then_run
from tournaments.models import Event
from web.form_lists import Typed
from web.forms import FormReader, last_values

from .access import for_directors

KEPT = "kept"
"""The choice of house rules that the club has changed or removed since."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def phase_settings(request: HttpRequest, event: Event, stage: int, section: int) -> HttpResponse:
    """Change the settings of a phase; the effects are shown for confirmation."""
    line = next((each for each in phase_lines(event) if each.address == (stage, section)), None)
    if line is None:
        raise Http404
    shown = phase_view(event, line)
    own = house_rules_by_choice(event.club)
    if request.method != "POST":
        return _page(request, event, shown, own)
    typed: Typed = dict(request.POST.lists())

    def render_refusal(refusal: Refusal) -> HttpResponse:
        return _page(request, event, shown, own, typed=last_values(typed), refusal=refusal)

    try:
        form = FormReader(last_values(typed))
        settings = _read_settings(form, typed, own, shown)
        since = form.number("since") or (1 if shown.since == 1 else 0)
        if since < shown.since:
            form.refuse(
                Refusal("phase_played", field="since", round=max(1, shown.since - 1), next=shown.since)
            )
        form.finish()
    except Refusal as refusal:
        return render_refusal(refusal)
    place = shown.place
    return confirm_then_run(
        request,
        event,
        lambda by: change_phase(
            event_id=event.pk,
            settings=settings,
            stage=place.stage,
            section=place.section,
            since=since,
            by=by,
        ),
        context={
            "question": gettext("Change these settings?"),
            "button": gettext("Apply change"),
            "back": request.path,
        },
        refused=render_refusal,
        done=f"{reverse('event-settings', args=[event.short])}?saved=phases#part-phases",
    )


def _read_settings(
    form: FormReader, typed: Typed, own: Mapping[str, HouseRules], shown: PhaseView
) -> PhaseSettings:
    """Read the settings; an empty choice is inherited. Codes: those of the fields of a new event."""
    said = last_values(typed)
    is_kept = said.get("ruleset") == KEPT
    rules = read_rules(form, typed, own) if said.get("ruleset") and not is_kept else None
    ruleset, name = (shown.own.ruleset, shown.own.rules_name) if is_kept else (None, None)
    return PhaseSettings(
        ruleset=ruleset if rules is None else rules.ruleset,
        rules_name=name if rules is None else rules.rules_name,
        match_format=read_match_format(form) if said.get("length") else None,
        tie=TieRule(form.choice("tie", tuple(TieRule))) if said.get("tie") else None,
    )


def _page(
    request: HttpRequest,
    event: Event,
    shown: PhaseView,
    own: Mapping[str, HouseRules],
    *,
    typed: Mapping[str, str] | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    length, rules = shown.own.match_format, shown.own
    values: dict[str, Any] = {
        **({"length": ""} if length is None else typed_length(length)),
        "ruleset": "" if rules.ruleset is None else choice_of_rules(rules, own) or KEPT,
        "tie": shown.own.tie or "",
        "since": "" if shown.since == 1 else shown.since,
    }
    context = {
        "event": event,
        "phase": shown,
        "typed": values if typed is None else typed,
        "rulesets": [each for each in RULESETS.values() if each.seats == event.terms.ruleset.seats],
        "house_rules": [each for each in own.values() if each.ruleset.seats == event.terms.ruleset.seats],
        "ties": list(TieRule),
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/events/settings/phase.html", context)
