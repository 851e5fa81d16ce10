"""Properties of a job, in whatever order workers, readers and the sweeper act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import Refusal
from jobs.models import ENDED_STATUSES, MAX_ATTEMPTS, Job, Status
from jobs.registry import JobContext, job
from jobs.services import cancel_job, enqueue, retry_job, run_job, sweep
from tests.long_runs import choose_count

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STEPS = st.lists(
    st.one_of(
        st.sampled_from(["run", "cancel", "retry", "sweep", "time goes by", "finish", "break", "refuse"]),
        st.tuples(st.integers(0, 12), st.integers(0, 10)),  # a report
    ),
    max_size=30,
)

Step = str | tuple[int, int]


@pytest.fixture(autouse=True, scope="module")
def every_report() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("jobs.registry.PAUSE", 0.0)
        yield


class World:
    """One job, and the steps of all workers and readers.

    While a worker runs the job, further steps are taken inside of its work, even a second worker's start of this job.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        Job.objects.all().delete()
        self.steps = iter(steps)
        self.id = enqueue(kind="as the steps say", key="1").pk
        self.begun = 0
        self.before = self.get_row()
        self.is_tried_again = False

    def get_row(self) -> Job:
        return Job.objects.get()

    def run_steps(self, running: JobContext | None = None) -> None:
        """Take the remaining steps; inside of a job's work, up to its end."""
        for step in self.steps:
            if isinstance(step, tuple):
                if running is not None:
                    running.report(*step)
            elif step in {"finish", "break", "refuse"}:
                if running is None:
                    continue
                if step == "finish":
                    return
                raise ValueError if step == "break" else Refusal("tables_missing", tables=[1])
            else:
                self.is_tried_again = step == "retry" and self.before.status in {
                    Status.FAILED,
                    Status.CANCELLED,
                }
                OTHERS[step](self.id)
            self.look()

    def run_job_work(self, running: JobContext) -> Mapping[str, Any]:
        self.begun += 1
        mine = self.begun
        self.look()
        self.run_steps(running)
        return {"attempt": mine}

    def look(self) -> None:
        """Check the properties of the row, and of its change since the last look."""
        before, row = self.before, self.get_row()
        assert row.attempts == self.begun <= row.last_attempt
        assert (row.lease_until is not None) == (row.status == Status.RUNNING)
        assert (row.ended_at is not None) == (row.status in ENDED_STATUSES)
        assert (row.failed_with is not None) == (row.status == Status.FAILED)
        assert row.done <= row.of
        assert not (row.is_stop_asked and row.status == Status.QUEUED), "a wish is of one go"
        if row.status == Status.DONE:
            assert row.result == {"attempt": row.attempts}, "who had it last has ended it"
        if self.is_tried_again:
            assert (row.status, row.done, row.of) == (Status.QUEUED, 0, 0)
            assert row.last_attempt == before.attempts + MAX_ATTEMPTS
        else:
            assert row.done * before.of >= before.done * row.of, "a bar never goes back"
            if before.status in ENDED_STATUSES:
                assert get_values(row) == get_values(before), "it ends once"
            if before.is_stop_asked and row.status not in ENDED_STATUSES:
                assert (row.status, row.is_stop_asked) == (Status.RUNNING, True)
        self.before, self.is_tried_again = row, False


def time_goes_by(job_id: int) -> None:
    """Let the lease expire, so that the worker counts as dead."""
    a_while_ago = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job_id, status=Status.RUNNING).update(lease_until=a_while_ago)


OTHERS: dict[str, Callable[[int], None]] = {
    "run": run_job,
    "cancel": cancel_job,
    "retry": retry_job,
    "sweep": lambda job_id: sweep(),
    "time goes by": time_goes_by,
}


def get_values(row: Job) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in Job._meta.concrete_fields}


worlds: list[World] = []


@job("as the steps say")
def run_current_world(running: JobContext) -> Mapping[str, Any]:
    return worlds[-1].run_job_work(running)


@settings(max_examples=choose_count(15, long=450))
@given(steps=STEPS)
def test_job_ends_exactly_once_in_any_interleaving(steps: list[Step]) -> None:
    world = World(steps)
    worlds.append(world)
    world.run_steps()
    for _ in range(2 * MAX_ATTEMPTS):  # without further steps
        time_goes_by(world.id)
        sweep()
        run_job(world.id)
        world.look()
    assert world.get_row().status in ENDED_STATUSES
