"""The settings of a phase, beside what it inherits."""

from dataclasses import dataclass

from django.db.models import Max

from engine.draws import FORMATS
from engine.draws.stages import stage_of_slot
from engine.phases import (
    MatchTerms,
    Phase,
    PhasePlace,
    PhaseSettings,
    own_settings,
    settings_above,
)
from rules import TieRule
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Seating
from tournaments.rounds.queries.phases import usual_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseView:
    """A part of an event: what it has of its ``own``, what it inherits, and its ``later`` changes.

    ``since`` is the round from which a change can hold, 1 if the whole part is still to come. It
    ``needs_winner`` if it has a bracket.
    """

    place: PhasePlace
    since: int
    own: PhaseSettings
    inherited: MatchTerms
    inherited_tie: TieRule
    later: tuple[Phase, ...]
    needs_winner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseLine:
    """A part of an event, its address, and the settings that it has of its own from each round on."""

    place: PhasePlace
    address: tuple[int, int]
    phases: tuple[Phase, ...]


def phase_lines(event: Event) -> list[PhaseLine]:
    """Return the whole event, its sections, its stages if there are several, and the sections of each. No
    query."""
    names = [None, *(each["name"] for each in event.sections)]
    stages = [None, *(range(len(event.stages)) if len(event.stages) > 1 else ())]
    known = event.phases
    return [
        PhaseLine(
            place=place,
            address=(number, section),
            phases=tuple(phase for phase in known if phase.place == place),
        )
        for number, stage in enumerate(stages)
        for section, name in enumerate(names)
        for place in [PhasePlace(stage=stage, section=name)]
    ]


def phase_view(event: Event, line: PhaseLine) -> PhaseView:
    """Present a part of an event. Two queries."""
    place, phases = line.place, event.phases
    published = event.rounds.exclude(state=RoundState.DRAFT).aggregate(last=Max("number"))["last"] or 0
    stages = range(len(event.stages)) if place.stage is None else [place.stage]
    has_begun = any(stage in stages for stage in stages_published(event))
    found = settings_above(phases, place, published + 1)
    return PhaseView(
        place=place,
        since=published + 1 if has_begun else 1,
        own=own_settings(phases, place, published + 1),
        inherited=usual_terms(event).with_settings(found),
        inherited_tie=found.tie or TieRule.EXTRA_HAND,
        later=tuple(phase for phase in line.phases if phase.since > published + 1),
        needs_winner=any(FORMATS[event.plan[stage].format].is_bracket for stage in stages),
    )


def stages_published(event: Event) -> set[int]:
    """Return the stages with a published round. One query."""
    seated = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    slots = seated.values_list("table__slot", "slot").distinct()
    return {stage_of_slot(table or bye) for table, bye in slots}
