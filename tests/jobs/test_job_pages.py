"""Background tasks of an event as directors see and control them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.labels import format_time_left
from jobs.models import Job, Status
from jobs.services import enqueue, run_job
from tests.jobs.work import count_runs
from tests.support.browser import Browser, Page
from tests.support.hall import post_form
from tests.support.office import Office

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Office:
    return Office()


def get_page_path(office: Office) -> str:
    return f"/e/{office.event.short}/desk/jobs"


def enqueue_job(office: Office, kind: str = "count", **row: Any) -> Job:
    """Enqueue a job of the event, and change its row."""
    queued = enqueue(kind=kind, key=f"{office.event.pk}", topic=office.event.topic)
    Job.objects.filter(pk=queued.pk).update(**row)
    queued.refresh_from_db()
    return queued


def create_running_job(office: Office, **row: Any) -> Job:
    started = timezone.now() - timedelta(seconds=30)
    later = timezone.now() + timedelta(minutes=1)
    return enqueue_job(office, status=Status.RUNNING, attempts=1, started_at=started, lease_until=later, **row)


def is_polling(page: Page) -> bool:
    """Return whether the page asks for news by itself."""
    return "hx-trigger" in page.find_one(id="jobs").attrs


def test_empty_task_page_explains_what_appears_here(office: Office) -> None:
    assert "Long draws, imports, exports and simulations appear here." in (
        office.browser.open(get_page_path(office)).text
    )


def test_waiting_task_is_named_and_can_be_stopped(office: Office) -> None:
    waiting = enqueue_job(office)
    page = office.browser.open(get_page_path(office))
    assert "Counting" in page.text
    assert "Waiting." in page.text
    assert is_polling(page)
    page = office.browser.send(page, page.find_form("/stop"))
    waiting.refresh_from_db()
    assert waiting.status == Status.CANCELLED
    assert "Stopped early." in page.text
    assert not is_polling(page)


def test_running_task_shows_progress_and_remaining_time(office: Office) -> None:
    create_running_job(office, done=12, of=40)
    page = office.browser.open(get_page_path(office))
    bar = page.find_one("progress")
    assert (bar.attrs["value"], bar.attrs["max"]) == ("12", "40")
    assert page.find_one(id=bar.attrs["aria-labelledby"]).text == "Counting"
    assert "12 of 40, about 2 min left" in page.text


def test_task_without_a_report_shows_an_open_ended_bar(office: Office) -> None:
    create_running_job(office)
    page = office.browser.open(get_page_path(office))
    assert "value" not in page.find_one("progress").attrs
    assert "In progress." in page.text


def test_stopping_task_has_no_second_stop_button(office: Office) -> None:
    create_running_job(office, done=1, of=40)
    page = office.browser.open(get_page_path(office))
    page = office.browser.send(page, page.find_form("/stop"))
    assert "Stopping…" in page.text
    assert not [form for form in page.find_all("form") if form.attrs["action"].endswith("/stop")]
    assert is_polling(page)


@pytest.mark.snapshot
def test_finished_task_links_to_its_result(office: Office) -> None:
    enqueue_job(office, status=Status.DONE, ended_at=timezone.now(), result={"page": "/e/x/desk"})
    page = office.browser.open(get_page_path(office))
    assert page.find_link("See the result") == "/e/x/desk"
    assert not is_polling(page)


@pytest.mark.parametrize("result", [None, {"counted": 30}])
def test_finished_task_without_a_page_shows_only_done(office: Office, result: object) -> None:
    enqueue_job(office, status=Status.DONE, ended_at=timezone.now(), result=result)
    page = office.browser.open(get_page_path(office))
    assert "Counting · Done." in page.text
    assert "See the result" not in page.text


@pytest.mark.snapshot
def test_refused_task_lists_errors_and_can_be_retried(office: Office) -> None:
    failed = enqueue_job(office, "refused")
    run_job(failed.pk)
    page = office.browser.open(get_page_path(office))
    assert "Nothing was added. Correct these lines and try again." in page.text
    assert "line 5: “" in page.text
    office.browser.send(page, page.find_form("/again"))
    failed.refresh_from_db()
    assert failed.status == Status.QUEUED


def test_failed_task_shows_no_technical_error(office: Office) -> None:
    broken = enqueue_job(office, status=Status.FAILED, ended_at=timezone.now())
    Job.objects.filter(pk=broken.pk).update(
        failed_with={"code": "job_failed", "field": None, "details": {}}, error="ValueError: 17"
    )
    page = office.browser.open(get_page_path(office))
    assert "This failed after several tries." in page.text
    assert "ValueError" not in page.html


@pytest.mark.snapshot
def test_task_page_polls_only_for_changes(office: Office) -> None:
    job = create_running_job(office, done=1, of=40)
    path, script = get_page_path(office), {"HX-Request": "true"}
    first = office.browser.open(path, **script)
    assert first.html.count("<html") == 0
    etag_header = {"If-None-Match": first.revision}
    assert office.browser.open(path, **script, **etag_header).status == 304
    Job.objects.filter(pk=job.pk).update(done=2)
    news = office.browser.open(path, **script, **etag_header)
    assert (news.status, news.find_one("progress").attrs["value"]) == (200, "2")


@pytest.mark.slow
def test_query_count_does_not_grow_with_tasks(office: Office) -> None:
    create_running_job(office, done=1, of=40)
    with CaptureQueriesContext(connection) as few:
        office.browser.open(get_page_path(office))
    for number in range(15):
        enqueue(kind="refused", key=str(number), topic=office.event.topic)
    for job in Job.objects.filter(kind="refused"):
        run_job(job.pk)
    with CaptureQueriesContext(connection) as many:
        office.browser.open(get_page_path(office))
    assert len(few) == len(many) <= 5


@pytest.mark.parametrize("action", ["stop", "again"])
def test_task_of_another_event_is_not_found(office: Office, action: str) -> None:
    elsewhere = enqueue(kind="count", key="1", topic="event:0")
    hidden = enqueue(kind="note", key="1", topic=office.event.topic)
    for other in (elsewhere, hidden):
        assert post_form(office.browser, f"{get_page_path(office)}/{other.pk}/{action}", {}).status == 404
        other.refresh_from_db()
        assert other.status == Status.QUEUED


def test_task_page_requires_a_role_in_the_club(office: Office) -> None:
    job = enqueue_job(office)
    stranger = Office()
    assert stranger.browser.open(get_page_path(office)).status == 404
    assert Browser().open(get_page_path(office)).path == "/sign-in"
    assert post_form(stranger.browser, f"{get_page_path(office)}/{job.pk}/stop", {}).status == 404
    job.refresh_from_db()
    assert job.status == Status.QUEUED


def test_double_click_on_retry_queues_once(office: Office) -> None:
    stopped = enqueue_job(office, "refused")
    run_job(stopped.pk)
    page = office.browser.open(get_page_path(office))
    for _ in range(2):
        office.browser.send(page, page.find_form("/again"))
    assert Job.objects.get(kind=stopped.kind).status == Status.QUEUED
    assert count_runs(stopped.key) == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "a few seconds left"),
        (10, "a few seconds left"),
        (11, "about 20 s left"),
        (50, "about 50 s left"),
        (51, "about 1 min left"),
        (61, "about 2 min left"),
        (4000, "about 67 min left"),
    ],
)
def test_remaining_time_is_rounded_up(seconds: int, text: str) -> None:
    assert format_time_left(timedelta(seconds=seconds)) == text
