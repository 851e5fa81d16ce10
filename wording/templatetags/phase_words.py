"""Template filters for phases."""

from collections.abc import Iterable

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
def get_phase_name(place: PhasePlace, plan: StagePlan) -> str:
    return phases.get_phase_name(plan, place)


@register.filter
def stage_names(stages: Iterable[int], plan: StagePlan) -> str:
    """Join the names of stages: ``Pools, Final A``."""
    return ", ".join(phases.get_phase_name(plan, PhasePlace(stage=stage)) for stage in stages)


@register.filter
def phase_told(phase: Phase, plan: StagePlan) -> str:
    return phases.describe_phase(plan, phase)
