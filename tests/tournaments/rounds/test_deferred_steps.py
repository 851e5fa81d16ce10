"""Steps of a large event run in the worker: once each, on behalf of the person who asked."""

import pytest

from clubs.audit.log import Actor
from jobs.models import Job, Status
from jobs.services import run_job
from tests.builders import build_account, build_club, build_event
from tests.support.browser import Browser
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.background_steps import LARGE, defer, run_deferred_step
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("locks of the worker and the desk"),
]


def run(kind: str) -> Job:
    job = Job.objects.filter(kind=kind).latest("pk")
    run_job(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.slow
def test_deferred_step_runs_only_once() -> None:
    event, director = start_event(event_id=build_event(6).pk), build_account()
    job = defer(event=event, step="draw", by=Actor(account=director))
    run_deferred_step(job.key)
    seed = event.rounds.get().seed
    run_deferred_step(job.key)
    assert event.rounds.get().seed == seed
    assert event.actions.filter(kind="draw_round").count() == 1
    assert event.actions.latest("pk").account == director


def test_refused_step_fails_with_its_reason() -> None:
    event = start_event(event_id=build_event(6).pk)
    defer(event=event, step="publish", by=Actor(), number=1)
    job = run("publish")
    assert job.status == Status.FAILED
    assert job.failed_with is not None
    assert job.failed_with["code"] == "no_such_round"


@pytest.mark.long
def test_worker_draws_and_publishes_a_large_event() -> None:
    owner = build_account()
    event = build_event(0, club=build_club(owner=owner), tables=LARGE // 2)
    names = {number: (f"Anne {number} Roy", f"Luc {number} Roy") for number in range(1, LARGE + 1)}
    add_entries(event_id=event.pk, entries=names)
    start_event(event_id=event.pk)
    desk = Browser(account=owner)
    page = desk.open(f"/e/{event.short}/desk")
    page = desk.send(page, page.find_form("/draw"))
    assert "Drawing the next round" in page.text
    assert run("draw").status == Status.DONE
    page = desk.open(f"/e/{event.short}/desk")
    page = desk.send(page, page.find_form("/publish"))
    assert run("publish").status == Status.DONE
    assert Event.objects.get().rounds.get().state == "published"
    assert Event.objects.get().rounds.get().tables.count() == LARGE // 2
