"""Background tasks of an event as directors see and control them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job, Status
from jobs.services import enqueue, run_job
from tests.jobs.work import times_run
from tests.support.browser import Browser, Page
from tests.support.hall import post
from tests.support.office import Office
from wording.labels.jobs import KIND_NAMES, about

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Office:
    """A club's desk; the kinds of work under test have names."""
    monkeypatch.setitem(KIND_NAMES, "count", "Counting")
    monkeypatch.setitem(KIND_NAMES, "refused", "Import of entries")
    return Office()


def page_of(office: Office) -> str:
    return f"/e/{office.event.short}/desk/jobs"


def asked(office: Office, kind: str = "count", **row: Any) -> Job:
    """A job of the event, as its row is now."""
    queued = enqueue(kind=kind, key=f"{office.event.pk}", topic=office.event.topic)
    Job.objects.filter(pk=queued.pk).update(**row)
    queued.refresh_from_db()
    return queued


def running(office: Office, **row: Any) -> Job:
    started = timezone.now() - timedelta(seconds=30)
    later = timezone.now() + timedelta(minutes=1)
    return asked(office, status=Status.RUNNING, attempts=1, started_at=started, lease_until=later, **row)


def asks_again(page: Page) -> bool:
    """Whether the page looks for news by itself."""
    return "hx-trigger" in page.one(id="jobs").attrs


def test_without_any_job_the_page_says_what_would_appear_here(office: Office) -> None:
    assert "Long draws, imports, exports and simulations appear here." in (
        office.browser.open(page_of(office)).text
    )


def test_a_job_that_waits_has_a_name_and_can_be_stopped(office: Office) -> None:
    waiting = asked(office)
    page = office.browser.open(page_of(office))
    assert "Counting" in page.text
    assert "Waiting." in page.text
    assert asks_again(page)
    page = office.browser.send(page, page.form("/stop"))
    waiting.refresh_from_db()
    assert waiting.status == Status.CANCELLED
    assert "Stopped early." in page.text
    assert not asks_again(page)


def test_a_job_under_way_shows_how_far_it_is_and_about_how_long_it_still_takes(office: Office) -> None:
    running(office, done=12, of=40)
    page = office.browser.open(page_of(office))
    bar = page.one("progress")
    assert (bar.attrs["value"], bar.attrs["max"]) == ("12", "40")
    assert page.one(id=bar.attrs["aria-labelledby"]).text == "Counting"
    assert "12 of 40, about 2 min left" in page.text


def test_a_job_that_has_not_reported_yet_shows_a_bar_without_an_end(office: Office) -> None:
    running(office)
    page = office.browser.open(page_of(office))
    assert "value" not in page.one("progress").attrs
    assert "In progress." in page.text


def test_a_running_job_says_that_it_stops_and_has_no_second_button_for_it(office: Office) -> None:
    running(office, done=1, of=40)
    page = office.browser.open(page_of(office))
    page = office.browser.send(page, page.form("/stop"))
    assert "Stopping…" in page.text
    assert not [form for form in page.every("form") if form.attrs["action"].endswith("/stop")]
    assert asks_again(page)


@pytest.mark.snapshot
def test_a_job_that_is_done_leads_to_its_result(office: Office) -> None:
    asked(office, status=Status.DONE, ended_at=timezone.now(), result={"page": "/e/x/desk"})
    page = office.browser.open(page_of(office))
    assert page.link("See the result") == "/e/x/desk"
    assert not asks_again(page)


@pytest.mark.parametrize("result", [None, {"counted": 30}])
def test_a_job_that_is_done_and_has_no_page_to_show_is_done(office: Office, result: object) -> None:
    asked(office, status=Status.DONE, ended_at=timezone.now(), result=result)
    page = office.browser.open(page_of(office))
    assert "Counting · Done." in page.text
    assert "See the result" not in page.text


@pytest.mark.snapshot
def test_a_refused_job_says_why_line_by_line_and_can_be_tried_again(office: Office) -> None:
    failed = asked(office, "refused")
    run_job(failed.pk)
    page = office.browser.open(page_of(office))
    assert "Nothing was added. Correct these lines and try again." in page.text
    assert "line 5: “" in page.text
    office.browser.send(page, page.form("/again"))
    failed.refresh_from_db()
    assert failed.status == Status.QUEUED


def test_a_job_that_broke_again_and_again_says_so_in_words(office: Office) -> None:
    broken = asked(office, status=Status.FAILED, ended_at=timezone.now())
    Job.objects.filter(pk=broken.pk).update(
        failed_with={"code": "job_failed", "field": None, "details": {}}, error="ValueError: 17"
    )
    page = office.browser.open(page_of(office))
    assert "This failed after several tries." in page.text
    assert "ValueError" not in page.html


@pytest.mark.snapshot
def test_the_page_asks_for_what_changed_only(office: Office) -> None:
    job = running(office, done=1, of=40)
    path, script = page_of(office), {"HX-Request": "true"}
    first = office.browser.open(path, **script)
    assert first.html.count("<html") == 0
    known = {"If-None-Match": first.revision}
    assert office.browser.open(path, **script, **known).status == 304
    Job.objects.filter(pk=job.pk).update(done=2)
    news = office.browser.open(path, **script, **known)
    assert (news.status, news.one("progress").attrs["value"]) == (200, "2")


def test_a_page_of_many_jobs_costs_as_much_as_one(office: Office) -> None:
    running(office, done=1, of=40)
    with CaptureQueriesContext(connection) as few:
        office.browser.open(page_of(office))
    for number in range(15):
        enqueue(kind="refused", key=str(number), topic=office.event.topic)
    for job in Job.objects.filter(kind="refused"):
        run_job(job.pk)
    with CaptureQueriesContext(connection) as many:
        office.browser.open(page_of(office))
    assert len(few) == len(many) <= 5


@pytest.mark.parametrize("deed", ["stop", "again"])
def test_a_job_of_another_event_does_not_exist_here(office: Office, deed: str) -> None:
    elsewhere = enqueue(kind="count", key="1", topic="event:0")
    hidden = enqueue(kind="note", key="1", topic=office.event.topic)
    for other in (elsewhere, hidden):
        assert post(office.browser, f"{page_of(office)}/{other.pk}/{deed}", {}).status == 404
        other.refresh_from_db()
        assert other.status == Status.QUEUED


def test_only_those_with_a_role_see_or_stop_the_work_of_an_event(office: Office) -> None:
    job = asked(office)
    stranger = Office()
    assert stranger.browser.open(page_of(office)).status == 404
    assert Browser().open(page_of(office)).path == "/sign-in"
    assert post(stranger.browser, f"{page_of(office)}/{job.pk}/stop", {}).status == 404
    job.refresh_from_db()
    assert job.status == Status.QUEUED


def test_a_double_click_on_trying_again_does_the_work_once(office: Office) -> None:
    stopped = asked(office, "refused")
    run_job(stopped.pk)
    page = office.browser.open(page_of(office))
    for _ in range(2):
        office.browser.send(page, page.form("/again"))
    assert Job.objects.get(kind=stopped.kind).status == Status.QUEUED
    assert times_run(stopped.key) == 0


@pytest.mark.parametrize(
    ("seconds", "said"),
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
def test_a_time_is_told_roughly_and_rather_too_long(seconds: int, said: str) -> None:
    assert about(timedelta(seconds=seconds)) == said
