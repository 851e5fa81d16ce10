"""Template filters for phases."""

from collections.abc import Iterable
from typing import Protocol

from django import template

from engine.draws.stages import StagePlan
from engine.phases import Phase, PhasePlace, PhaseRelease
from engine.visibility import Release
from tournaments.events import labels as tournaments
from tournaments.events import phase_labels as phases
from tournaments.events.visibility_labels import describe_release
from wording.lookups import build_lookup

register = template.Library()


class HasRelease(Protocol):
    """A phase with the release that it inherits."""

    @property
    def inherited_release(self) -> PhaseRelease | None: ...
    @property
    def event_release(self) -> Release: ...


register.filter(phases.phases_in_words)
register.filter(phases.settings_in_words)
register.filter("tie_name", build_lookup(tournaments.TIES))
register.filter("tie_hint", build_lookup(phases.TIE_HINTS))
register.filter(phases.release_name)
register.filter("release_hint", build_lookup(phases.RELEASE_HINTS))


@register.filter
def inherited_release(phase: HasRelease) -> str:
    """Describe the release that a phase inherits, from another phase or from the event."""
    own = phase.inherited_release
    return describe_release(phase.event_release) if own is None else phases.release_name(own)


@register.filter
def get_phase_name(place: PhasePlace, plan: StagePlan) -> str:
    return phases.get_phase_name(plan, place)


@register.filter
def stage_names(stages: Iterable[int], plan: StagePlan) -> str:
    """Join the names of stages: ``Pools, Final A``."""
    return ", ".join(phases.get_phase_name(plan, PhasePlace(stage=stage)) for stage in stages)


@register.filter
def describe_phase_settings(phase: Phase, plan: StagePlan) -> str:
    return phases.describe_phase(plan, phase)
