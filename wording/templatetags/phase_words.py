"""Template filters for phases."""

from django import template

from engine.draws.stages import StagePlan
from engine.phases import Phase, PhasePlace
from wording.labels import phases

register = template.Library()
register.filter(phases.phases_in_words)
register.filter(phases.settings_in_words)
register.filter(phases.tie_name)
register.filter(phases.tie_hint)


@register.filter
def phase_name(place: PhasePlace, plan: StagePlan) -> str:
    return phases.phase_name(plan, place)


@register.filter
def phase_told(phase: Phase, plan: StagePlan) -> str:
    return phases.phase_in_words(plan, phase)
