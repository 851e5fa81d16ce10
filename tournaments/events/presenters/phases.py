"""The settings of a phase, beside what it inherits."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from engine.draws import FORMATS
from engine.draws.stages import StagePlan, get_slot_stage
from engine.phases import (
    MatchTerms,
    Phase,
    PhasePlace,
    PhaseRelease,
    PhaseSettings,
    get_inherited_settings,
    get_own_settings,
)
from engine.ranking import CHOICES, UNPLAYED_KINDS, RankingRules, ranking_rules_from_json
from engine.results import SCHEDULED_FORMATS
from engine.visibility import Release
from rules import TieRule
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Seating
from tournaments.rounds.queries.phases import get_default_terms
from web.form_lists import FormValues, get_first_value


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseView:
    """A part of an event: its ``own`` settings, the inherited ones, and the changes in its ``later_phases``.

    ``since`` is the first round in which a change can apply, 1 if the whole part is still to come.
    ``needs_winner`` is true if it has a bracket. ``inherited_release`` is None if it is that of the event,
    ``event_release``.
    """

    place: PhasePlace
    since: int
    own: PhaseSettings
    inherited_terms: MatchTerms
    inherited_tie: TieRule
    inherited_rules: RankingRules
    inherited_release: PhaseRelease | None
    event_release: Release
    later_phases: tuple[Phase, ...]
    needs_winner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseLine:
    """A part of an event, its address, and the settings that it has of its own from each round on."""

    place: PhasePlace
    address: tuple[int, int]
    phases: tuple[Phase, ...]


def list_phase_lines(event: Event) -> list[PhaseLine]:
    """Return the whole event, its sections, its stages if there are several, and the sections of each. No
    query."""
    names = [None, *(event_section["name"] for event_section in event.sections)]
    stages = [None, *(range(len(event.stages)) if len(event.stages) > 1 else ())]
    event_phases = event.phases
    return [
        PhaseLine(
            place=place,
            address=(number, section),
            phases=tuple(phase for phase in event_phases if phase.place == place),
        )
        for number, stage in enumerate(stages)
        for section, name in enumerate(names)
        for place in [PhasePlace(stage=stage, section=name)]
    ]


def build_phase_view(event: Event, line: PhaseLine) -> PhaseView:
    """Present a part of an event. Two queries."""
    place, phases = line.place, event.phases
    last_published = event.rounds.exclude(state=RoundState.DRAFT).aggregate(last=Max("number"))["last"] or 0
    stages = range(len(event.stages)) if place.stage is None else [place.stage]
    has_begun = any(stage in stages for stage in get_published_stages(event))
    inherited = get_inherited_settings(phases, place, last_published + 1)
    return PhaseView(
        place=place,
        since=last_published + 1 if has_begun else 1,
        own=get_own_settings(phases, place, last_published + 1),
        inherited_terms=get_default_terms(event).apply_settings(inherited),
        inherited_tie=inherited.tie or TieRule.EXTRA_HAND,
        inherited_rules=inherited.apply_to_ranking(ranking_rules_from_json(event.ranking)),
        inherited_release=inherited.released,
        event_release=event.release,
        later_phases=tuple(phase for phase in line.phases if phase.since > last_published + 1),
        needs_winner=any(FORMATS[event.plan[stage].format].is_bracket for stage in stages),
    )


MIN_METRICS = 5
"""The fewest metrics that the page has room for."""


def build_phase_ranking(phase: PhaseView, plan: StagePlan, form_data: FormValues) -> dict[str, Any]:
    """Present the ranking rules of a phase as typed: a metric for each rank, "" for none, and unplayed rounds, whose
    value is inherited if it is "". No query."""
    metrics = [key for key in form_data.get("order", []) if key]
    stages = plan if phase.place.stage is None else (plan[phase.place.stage],)
    has_schedule = any(stage.format in SCHEDULED_FORMATS for stage in stages)
    unplayed_rounds = [
        {
            "name": name,
            "value": get_first_value(form_data, name),
            "points": get_first_value(form_data, f"{name}_points"),
            "number": get_first_value(form_data, f"{name}_number"),
            "number_field": f"{name}_number",
            "inherited_value": phase.inherited_rules.get_bye_value(name),
        }
        for name in UNPLAYED_KINDS
        if name != "scheduled_bye" or has_schedule
    ]
    return {
        "metrics": [*metrics, *[""] * max(1, MIN_METRICS - len(metrics))],
        "choices": CHOICES,
        "unplayed_rounds": unplayed_rounds,
        "has_own_values": any(each["value"] or each["points"] for each in unplayed_rounds),
    }


def get_published_stages(event: Event) -> set[int]:
    """Return the stages with a published round. One query."""
    seatings = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    slots = seatings.values_list("table__slot", "slot").distinct()
    return {get_slot_stage(table or bye) for table, bye in slots}
