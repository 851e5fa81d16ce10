"""Shares of the queues: each club's first job goes before any club's second."""

from __future__ import annotations

import time
from datetime import timedelta
from functools import partial

import pytest
from django.test import TestCase
from django.utils import timezone

from clubs.audit.log import NOBODY
from errors import Refusal
from jobs import messages
from jobs.models import Job, Status
from jobs.queues import MAX_JOBS_PER_CLUB, MAX_POSITION, Queue
from jobs.services import enqueue, retry_job, run_job, sweep
from tests.builders import build_running_night
from tests.jobs.conftest import StartWorker
from tests.jobs.work import count_runs
from tests.support.waiting import wait_until
from tests.tournaments.test_concurrent_writes import TIMES, run_concurrently
from tournaments.events.services.background_steps import defer

GREEDY, OTHER = 1, 2


class SentJobs:
    """The keys of sent jobs, in the order in which a broker delivers them."""

    def __init__(self) -> None:
        self.messages: list[tuple[int, int, str]] = []

    def send_task(self, _: str, *, args: list[int], priority: int, **__: object) -> None:
        self.messages.append((priority, len(self.messages), Job.objects.get(pk=args[0]).key))

    def list_delivered(self) -> list[str]:
        return [key for *_, key in sorted(self.messages)]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> SentJobs:
    sent = SentJobs()
    monkeypatch.setattr(messages, "current_app", sent)
    return sent


def queue(*jobs: tuple[str, int | None], kind: str = "long note") -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        for key, club_id in jobs:
            enqueue(kind=kind, key=key, club_id=club_id)


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", ["note", "long note"])
def test_first_job_of_each_club_precedes_second_jobs(sent: SentJobs, kind: str) -> None:
    queue(("a1", GREEDY), ("a2", GREEDY), ("a3", GREEDY), ("b1", OTHER), ("b2", OTHER), kind=kind)
    assert sent.list_delivered() == ["a1", "b1", "a2", "b2", "a3"]


def test_work_for_an_event_counts_for_its_club() -> None:
    event = build_running_night()
    defer(event=event, step="close", by=NOBODY, number=1)
    assert set(Job.objects.values_list("kind", "club")) == {
        (kind, event.club_id) for kind in ("refresh_standings", "close")
    }


def test_jobs_without_a_club_precede_second_jobs(sent: SentJobs) -> None:
    queue(("a1", GREEDY), ("a2", GREEDY), ("ours 1", None), ("ours 2", None))
    assert sent.list_delivered() == ["a1", "ours 1", "ours 2", "a2"]


def test_snapshots_and_backups_precede_other_jobs(sent: SentJobs) -> None:
    queue(("a1", GREEDY))
    queue(("backup", None), kind="urgent note")
    assert sent.list_delivered() == ["backup", "a1"]


def test_resent_message_gets_the_current_position(sent: SentJobs) -> None:
    queue(("a1", GREEDY), ("a2", GREEDY), ("a3", GREEDY))
    Job.objects.filter(key="a1").update(status=Status.DONE, ended_at=timezone.now())
    Job.objects.update(sent_at=timezone.now() - timedelta(minutes=1))
    sent.messages.clear()
    sweep()
    assert [(turn, key) for turn, _, key in sorted(sent.messages)] == [(1, "a2"), (2, "a3")]


def test_retried_job_takes_the_turn_of_its_club(sent: SentJobs) -> None:
    queue(("a1", GREEDY), ("a2", GREEDY))
    Job.objects.filter(key="a2").update(status=Status.FAILED, ended_at=timezone.now())
    sent.messages.clear()
    with TestCase.captureOnCommitCallbacks(execute=True):
        retry_job(Job.objects.get(key="a2").pk)
    assert [(turn, key) for turn, _, key in sent.messages] == [(2, "a2")]


def test_queue_position_never_exceeds_the_broker_priorities(sent: SentJobs) -> None:
    queue(*((f"a{number}", GREEDY) for number in range(MAX_POSITION + 3)))
    assert {turn for turn, *_ in sent.messages} == set(range(1, MAX_POSITION + 1))


def test_club_runs_no_more_than_its_share_at_once() -> None:
    queue(*((f"a{number}", GREEDY) for number in range(MAX_JOBS_PER_CLUB[Queue.LONG] + 1)), ("b", OTHER))
    soon = timezone.now() + timedelta(minutes=1)
    running = Job.objects.filter(club=GREEDY).order_by("pk")[: MAX_JOBS_PER_CLUB[Queue.LONG]]
    Job.objects.filter(pk__in=[job.pk for job in running]).update(status=Status.RUNNING, lease_until=soon)
    for job in Job.objects.filter(status=Status.QUEUED):
        run_job(job.pk)
    assert [count_runs("a2"), count_runs("b")] == [0, 1]
    Job.objects.filter(status=Status.RUNNING).update(status=Status.DONE, ended_at=timezone.now())
    run_job(Job.objects.get(key="a2").pk)
    assert count_runs("a2") == 1


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql("concurrent starts of a job")
def test_concurrent_workers_run_no_more_than_the_share_of_a_club(monkeypatch: pytest.MonkeyPatch) -> None:
    most_at_once = []

    def count_running(_: object) -> None:
        time.sleep(0.1)
        most_at_once.append(Job.objects.filter(status=Status.RUNNING).count())

    monkeypatch.setattr("tests.jobs.work.run_note", count_running)
    for _ in range(TIMES):
        queue(*((f"a{number}", GREEDY) for number in range(6)))
        run_concurrently(*(partial(run_job, pk) for pk in Job.objects.values_list("pk", flat=True)))
        Job.objects.all().delete()
    assert max(most_at_once) == MAX_JOBS_PER_CLUB[Queue.LONG]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql("concurrent counts")
def test_concurrent_requests_stay_within_the_limit_of_a_club() -> None:
    def request(number: int) -> object:
        return enqueue(kind="limited note", key=str(number), club_id=GREEDY)

    for _ in range(TIMES):
        answers = run_concurrently(*(partial(request, number) for number in range(6)))
        assert sorted(each.code for each in answers if isinstance(each, Refusal)) == ["too_many_plans"] * 4
        Job.objects.all().delete()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_worker_alternates_between_clubs_on_both_brokers(start_worker: StartWorker) -> None:
    for key, club_id in [("a1", GREEDY), ("a2", GREEDY), ("a3", GREEDY), ("b1", OTHER)]:
        enqueue(kind="long note", key=key, club_id=club_id)
    start_worker("--queues", Queue.LONG)
    wait_until(lambda: not Job.objects.exclude(status=Status.DONE).exists())
    assert list(Job.objects.order_by("started_at").values_list("key", flat=True)) == ["a1", "b1", "a2", "a3"]
