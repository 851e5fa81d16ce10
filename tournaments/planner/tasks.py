"""Background tasks of the format planner."""

from datetime import timedelta

from engine.planning import candidates, question_from_json, simulate, usual_runs
from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext
from tournaments.models import Plan

from .services import PLAN, keep_plan

REPORTING = timedelta(seconds=30)
"""Lease of tasks that report progress, short so that those of a dead worker are soon resumed."""


@job(PLAN, is_shown=True, queue=Queue.LONG, lease=REPORTING)
def plan(running: JobContext) -> None:
    """Simulate the proposals of the format planner; ``key`` is the plan's id."""
    asked = Plan.objects.get(pk=int(running.key))
    question = question_from_json(asked.asked)
    proposals = candidates(question)
    runs = [usual_runs(proposal, question) for proposal in proposals]
    found = []
    for place, proposal in enumerate(proposals):
        before = sum(runs[:place])
        outlook = simulate(
            proposal,
            question,
            runs=runs[place],
            seed=asked.seed,
            progress=lambda done, of: running.report(before + done, sum(runs)),  # noqa: B023 - called at once
        )
        found.append((proposal, outlook))
    keep_plan(plan_id=asked.pk, found=found)
