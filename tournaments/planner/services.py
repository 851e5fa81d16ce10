"""Services of the format planner: ask, simulate in the background, and create an event."""

import datetime
import secrets
from uuid import UUID

from django.db import transaction

from clubs.disk_quota import check_space
from clubs.models import Club
from engine.planning import Found, PlanQuestion, candidates, found_from_json, found_to_json, question_to_json
from engine.planning import question_from_json as question_of
from errors import Refusal
from jobs.models import UNDER_WAY, Job
from jobs.services import enqueue
from rules import ruleset_named
from tournaments.events.services.lifecycle import create_event
from tournaments.models import Event, Plan

SEEDS = 2**31
PLAN = "plan"
"""Kind of its jobs; their key is the plan's id."""
MOST_UNDER_WAY = 2
"""Plans of one club that are computed or wait."""


@transaction.atomic
def ask_plan(*, club: Club, question: PlanQuestion, key: UUID) -> Plan:
    """Create a plan for a worker to compute. Safe to repeat with the same key. Refuses: too_many_plans,
    club_disk_full, and what ``candidates`` does."""
    candidates(question)
    under_way = Job.objects.filter(kind=PLAN, club=club.pk, status__in=UNDER_WAY)
    if not Plan.objects.filter(key=key).exists():
        if under_way.count() >= MOST_UNDER_WAY:
            raise Refusal("too_many_plans", most=MOST_UNDER_WAY)
        check_space(club.pk)
    plan, _ = Plan.objects.get_or_create(
        key=key,
        defaults={
            "club": club,
            "asked": question_to_json(question),
            "seed": secrets.randbelow(SEEDS),
        },
    )
    if plan.found is None:
        enqueue(kind=PLAN, key=str(plan.pk), topic=plan.topic, club_id=club.pk)
    return plan


@transaction.atomic
def keep_plan(*, plan_id: int, found: Found) -> None:
    """Store the worker's proposals. Safe to repeat."""
    Plan.objects.filter(pk=plan_id).update(found=found_to_json(found))


@transaction.atomic
def make_planned_event(*, plan_id: int, place: int, name: str, held_on: datetime.date) -> Event:
    """Create the event of the proposal at this place. Safe to repeat: one event for one proposal.

    Refuses: no_such_proposal, and what ``create_event`` does.
    """
    plan = Plan.objects.select_for_update().get(pk=plan_id)
    if plan.event is not None and plan.chosen == place:
        return plan.event
    found = found_from_json(plan.found or ())
    if not 0 <= place < len(found):
        raise Refusal("no_such_proposal", field="place")
    proposal, _ = found[place]
    question = question_of(plan.asked)
    plan.event = create_event(
        club=plan.club,
        name=name,
        held_on=held_on,
        ruleset=ruleset_named(question.ruleset),
        match_format=proposal.match_format,
        table_count=question.tables,
        stages=proposal.stages,
    )
    plan.chosen = place
    plan.save(update_fields=["event", "chosen"])
    return plan.event
