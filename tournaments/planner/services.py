"""Services of the format planner: ask, simulate in the background, and create an event."""

import datetime
import secrets
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from engine.planning import (
    PlanQuestion,
    Proposal,
    ProposalForecasts,
    find_candidates,
    proposals_from_json,
    proposals_to_json,
    question_to_json,
)
from engine.planning import question_from_json as question_of
from errors import Refusal
from jobs.services import enqueue
from rules import get_ruleset
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import plan_tables
from tournaments.events.services.settings import change_match_length, change_phase, change_rules, change_stages
from tournaments.lifecycle import EventState
from tournaments.models import Event, Plan

SEED_LIMIT = 2**31
PLAN_JOB = "plan"
"""Kind of its jobs; their key is the plan's id."""


@transaction.atomic
def request_plan(*, club: Club, question: PlanQuestion, key: UUID) -> Plan:
    """Create a plan for a worker to compute. Safe to repeat with the same key. Refuses: too_many_plans,
    club_disk_full, and what ``find_candidates`` refuses."""
    find_candidates(question)
    plan, is_new = Plan.objects.get_or_create(
        key=key,
        defaults={
            "club": club,
            "asked": question_to_json(question),
            "seed": secrets.randbelow(SEED_LIMIT),
        },
    )
    if is_new:
        enqueue(kind=PLAN_JOB, key=str(plan.pk), topic=plan.topic, club_id=club.pk)
    return plan


@transaction.atomic
def save_proposals(*, plan_id: int, proposals: ProposalForecasts) -> None:
    """Store the worker's proposals. Safe to repeat."""
    Plan.objects.filter(pk=plan_id).update(found=proposals_to_json(proposals))


@transaction.atomic
def create_planned_event(*, plan_id: int, place: int, name: str, held_on: datetime.date) -> Event:
    """Create the event of the proposal at this place, with its phases. Safe to repeat: one event for one proposal.

    Refuses: no_such_proposal, and what ``create_event`` does.
    """
    plan = Plan.objects.select_for_update().get(pk=plan_id)
    if plan.event is not None and plan.chosen == place:
        return plan.event
    proposal = _get_proposal(plan, place)
    question = question_of(plan.asked)
    plan.event = create_event(
        club=plan.club,
        name=name,
        held_on=held_on,
        ruleset=get_ruleset(question.ruleset),
        match_format=proposal.match_format,
        table_count=question.tables,
        stages=proposal.stages,
        phases=proposal.phases,
    )
    plan.chosen = place
    plan.save(update_fields=["event", "chosen"])
    return plan.event


@transaction.atomic
def apply_plan(*, plan_id: int, place: int, event_id: int, by: Actor = NOBODY) -> Event:
    """Give an event in preparation the rules, tables, stages and match lengths of a proposal; its name, entries and
    ranking stay. Safe to repeat.

    Refuses: no_such_proposal, plan_event_started, and what the services of these settings refuse.
    """
    plan = Plan.objects.get(pk=plan_id)
    proposal, question = _get_proposal(plan, place), question_of(plan.asked)
    by = replace(by, key=None)  # each setting is a change of its own
    event = change_match_length(event_id=event_id, match_format=proposal.match_format, by=by)
    if event.state != EventState.PREPARING:
        raise Refusal("plan_event_started", field="event")
    if event.terms.ruleset.key != question.ruleset:
        change_rules(event_id=event_id, ruleset=get_ruleset(question.ruleset), by=by)
    if event.table_count != question.tables:
        plan_tables(event_id=event_id, table_count=question.tables, by=by)
    event = change_stages(event_id=event_id, stages=proposal.stages, by=by)
    cleared = [replace(phase, settings=replace(phase.settings, match_format=None)) for phase in event.phases]
    for phase in (*cleared, *proposal.phases):
        event = change_phase(
            event_id=event_id,
            settings=phase.settings,
            stage=phase.place.stage,
            section=phase.place.section,
            since=phase.since,
            by=by,
        )
    return event


def _get_proposal(plan: Plan, place: int) -> Proposal:
    proposals = proposals_from_json(plan.found or ())
    if not 0 <= place < len(proposals):
        raise Refusal("no_such_proposal", field="place")
    proposal, _ = proposals[place]
    return proposal
