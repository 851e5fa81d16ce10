"""Services of the format planner: ask, simulate in the background, and create an event."""

import datetime
import secrets
from uuid import UUID

from django.db import transaction

from clubs.models import Club
from engine.phases import phases_to_json
from engine.planning import (
    PlanQuestion,
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
from tournaments.events.services.lifecycle import create_event
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
    proposals = proposals_from_json(plan.found or ())
    if not 0 <= place < len(proposals):
        raise Refusal("no_such_proposal", field="place")
    proposal, _ = proposals[place]
    question = question_of(plan.asked)
    plan.event = create_event(
        club=plan.club,
        name=name,
        held_on=held_on,
        ruleset=get_ruleset(question.ruleset),
        match_format=proposal.match_format,
        table_count=question.tables,
        stages=proposal.stages,
    )
    if proposal.phases:
        plan.event.phase_data = phases_to_json(proposal.phases)
        plan.event.save(update_fields=["phase_data"])
    plan.chosen = place
    plan.save(update_fields=["event", "chosen"])
    return plan.event
