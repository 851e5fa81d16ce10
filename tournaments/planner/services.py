"""Services of the format planner: ask, simulate in the background, and create an event."""

import datetime
import secrets
from uuid import UUID

from django.db import transaction

from clubs.disk_quota import check_space
from clubs.models import Club
from engine.planning import Found, PlanQuestion, candidates, found_from_json, found_to_json, question_to_json
from engine.planning import question_from_json as question_of
from jobs.services import enqueue
from rules import Refusal, ruleset_named
from tournaments.events.services.lifecycle import create_event
from tournaments.models import Event, Plan

SEEDS = 2**31


@transaction.atomic
def ask_plan(*, club: Club, question: PlanQuestion, key: UUID) -> Plan:
    """Create a plan for a worker to compute. Safe to repeat with the same key. Refuses: what ``candidates``
    does; club_disk_full."""
    candidates(question)
    if not Plan.objects.filter(key=key).exists():
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
        enqueue(kind="plan", key=str(plan.pk), topic=plan.topic)
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
