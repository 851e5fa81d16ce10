"""Background tasks of the format planner."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from clubs.disk_quota import check_space
from engine.planning import find_candidates, get_default_runs, question_from_json, simulate
from jobs.queues import Queue
from jobs.registry import ClubLimit, JobContext, job
from tournaments.models import Plan

from .services import PLAN_JOB, save_proposals

PLAN_LEASE = timedelta(seconds=30)
"""Lease of tasks that report progress, short so that those of a dead worker are soon resumed."""


LIMIT = ClubLimit(most=2, code="too_many_plans", check=check_space)


@job(PLAN_JOB, name=_("Planning a tournament"), queue=Queue.LONG, lease=PLAN_LEASE, club_limit=LIMIT)
def simulate_plan(context: JobContext) -> None:
    """Simulate the proposals of the format planner; ``key`` is the plan's id."""
    plan_row = Plan.objects.get(pk=int(context.key))
    question = question_from_json(plan_row.asked)
    proposals = find_candidates(question)
    runs = [get_default_runs(proposal, question) for proposal in proposals]
    results = []
    for place, proposal in enumerate(proposals):
        finished_runs = sum(runs[:place])
        forecast = simulate(
            proposal,
            question,
            runs=runs[place],
            seed=plan_row.seed,
            progress=lambda done, of: context.report(finished_runs + done, sum(runs)),  # noqa: B023 - called at once
        )
        results.append((proposal, forecast))
    save_proposals(plan_id=plan_row.pk, proposals=results)
