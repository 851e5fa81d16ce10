"""Outdated standings are marked on every page that shows them: since when, how long, and why."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job, Status
from jobs.services import enqueue
from tests.builders import compute_standings, play_round, win
from tests.every_page.test_query_counts import capture_uncached_queries
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Standings
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import close_season, open_season, refresh_seasons
from tournaments.standings.services import enqueue_club_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("within_a_minute"), pytest.mark.slow]

NO_WORKER_MESSAGE = "Ask the organizer to restart Charlemagne."


@pytest.fixture
@saved_state
def hall() -> Hall:
    """A hall with one closed round, computed standings and no queued job."""
    hall = Hall(pairs=4)
    play_round(hall.event)
    compute_standings(hall.event)
    return hall


def create_waiting_job(hall: Hall, minutes: float, **changes: Any) -> Job:
    """Queue a job for the standings that has waited for so many minutes."""
    job = enqueue(kind="refresh_standings", key=str(hall.event.pk), topic=hall.event.topic)
    asked_at = timezone.now() - timedelta(minutes=minutes)
    Job.objects.filter(pk=job.pk).update(**{"created_at": asked_at, "sent_at": asked_at} | changes)
    return job


def get_late_notice(hall: Hall, path: str = "", language: str = "en") -> str:
    """Return the notice of late standings on a page of the event, or "" if there is none."""
    page = Browser(language=language, account=hall.owner).open(f"/e/{hall.event.short}{path}")
    assert page.status == 200
    notices = page.find_all("p", "div")
    return next((one.text for one in notices if "late" in one.attrs.get("class", "").split()), "")


EVERYWHERE = ["", "/standings", "/desk", "/desk/standings", "/board", "/embed"]


def test_punctual_standings_show_no_notice(hall: Hall) -> None:
    create_waiting_job(hall, 0.3)
    assert {path: get_late_notice(hall, path) for path in EVERYWHERE} == dict.fromkeys(EVERYWHERE, "")


@pytest.mark.long
def test_late_notice_gives_age_wait_and_reason_on_every_page(hall: Hall) -> None:
    computed_at = timezone.now().replace(hour=23, minute=42)  # 18:42 or 19:42 in the hall, in winter or summer
    Standings.objects.filter(event=hall.event).update(computed_at=computed_at)
    create_waiting_job(hall, 12)
    for path in EVERYWHERE:
        notice = get_late_notice(hall, path)
        assert "Standings as of" in notice, path
        assert ":42" in notice, path
        assert "Waiting for 12 minutes:" in notice, path
        assert NO_WORKER_MESSAGE in notice, path
    french = "En attente depuis 12 minutes : les tâches de fond ne fonctionnent pas."
    assert french in get_late_notice(hall, language="fr")


def test_standings_are_late_after_half_a_minute(hall: Hall) -> None:
    job = create_waiting_job(hall, 0.45)
    assert get_late_notice(hall) == ""
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(seconds=31))
    assert "Waiting for half a minute:" in get_late_notice(hall)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=3, minutes=2))
    assert "Waiting for 3 hours:" in get_late_notice(hall)


def test_future_change_counts_as_late(hall: Hall) -> None:
    create_waiting_job(hall, -90)
    assert "Waiting for half a minute:" in get_late_notice(hall)


WHYS: dict[str, tuple[dict[str, Any], dict[str, float], str]] = {
    "nobody works": ({}, {}, NO_WORKER_MESSAGE),
    "its worker died": ({"status": Status.RUNNING}, {"lease_until": -1}, NO_WORKER_MESSAGE),
    "it takes long": ({"status": Status.RUNNING}, {"lease_until": 30}, "taking longer than usual."),
    "it breaks": ({"attempts": 1, "error": "ValueError"}, {}, "failed, will be retried."),
    "it has failed": (
        {"status": Status.FAILED},
        {"ended_at": -1},
        "failed several times; the next result retries.",
    ),
}
"""For each case: fields of the job's row, times of it in seconds from now, and the reason shown."""


@pytest.mark.snapshot
def test_late_reason_comes_from_the_job_row(hall: Hall) -> None:
    for case, (changes, moments, why) in WHYS.items():
        Job.objects.all().delete()
        caches["pages"].clear()
        at = {name: timezone.now() + timedelta(seconds=seconds) for name, seconds in moments.items()}
        create_waiting_job(hall, 2, **(changes | at))
        assert why in get_late_notice(hall), case


def test_late_reason_ignores_long_tasks_of_another_worker(
    hall: Hall,
) -> None:
    create_waiting_job(hall, 2)
    runs = {"status": Status.RUNNING, "lease_until": timezone.now() + timedelta(seconds=20)}
    Job.objects.create(kind="plan", key="1", **runs)
    assert NO_WORKER_MESSAGE in get_late_notice(hall, "/desk")
    Job.objects.create(kind="refresh_seasons", key="1", **runs)
    assert "other tasks are ahead." in get_late_notice(hall, "/desk")


def test_success_clears_an_earlier_failure(hall: Hall) -> None:
    now = timezone.now()
    create_waiting_job(hall, 60, status=Status.FAILED, ended_at=now - timedelta(minutes=59))
    assert get_late_notice(hall) != ""
    create_waiting_job(hall, 3, status=Status.DONE, ended_at=now)
    assert get_late_notice(hall) == ""


@pytest.mark.long
@pytest.mark.parametrize("path", EVERYWHERE)
def test_cached_page_is_renewed_when_lateness_changes(hall: Hall, path: str) -> None:
    browser, address = Browser(account=hall.owner), f"/e/{hall.event.short}{path}"
    tags = [browser.open(address).revision]
    job = create_waiting_job(hall, 0.2)
    assert browser.open(address, **{"If-None-Match": tags[0]}).status == 304
    for minutes in (1.2, 2.2):
        asked_at = timezone.now() - timedelta(minutes=minutes)
        Job.objects.filter(pk=job.pk).update(created_at=asked_at)
        page = browser.open(address, **{"If-None-Match": tags[-1]})
        assert (page.status, f"Waiting for {int(minutes)} minute" in page.text) == (200, True)
        tags.append(page.revision)
    Job.objects.filter(pk=job.pk).update(status=Status.DONE, ended_at=timezone.now())
    page = browser.open(address, **{"If-None-Match": tags[-1]})
    assert (page.status, "Waiting for" in page.text) == (200, False)


@pytest.mark.long
def test_late_notice_costs_one_query(hall: Hall) -> None:
    def count_queries() -> list[int]:
        return [len(capture_uncached_queries(hall, f"/e/{hall.event.short}{path}")) for path in EVERYWHERE]

    on_time = count_queries()
    job = create_waiting_job(hall, 0)
    assert count_queries() == on_time
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    assert count_queries() == [count + 1 for count in on_time]


@pytest.mark.long
def test_repeated_requests_cost_no_extra_query_while_late(hall: Hall) -> None:
    create_waiting_job(hall, 5)
    address = f"/e/{hall.event.short}"
    caches["pages"].clear()
    page = hall.desk.open(address)
    with CaptureQueriesContext(connection) as made:
        assert hall.desk.open(address, **{"If-None-Match": page.revision}).status == 304
    assert len(made) == 2


def test_new_result_marks_standings_as_waiting() -> None:
    hall = Hall(pairs=4)
    compute_standings(hall.event)
    win(hall.match)
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=7))
    assert "Waiting for 7 minutes:" in get_late_notice(hall, "/desk")


def test_waiting_task_reports_a_missing_worker(hall: Hall) -> None:
    Job.objects.create(kind="print_sheets", key="1", topic=hall.event.topic)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/jobs")
    assert "Waiting." in page.text
    Job.objects.filter(kind="print_sheets").update(created_at=timezone.now() - timedelta(minutes=4))
    again = hall.desk.open(f"/e/{hall.event.short}/desk/jobs", **{"If-None-Match": page.revision})
    assert again.status == 200
    assert "Waiting for 4 minutes:" in again.text
    assert NO_WORKER_MESSAGE in again.text


def find_late_notice(page: Page) -> str:
    notices = page.find_all("p", "div")
    return next((one.text for one in notices if "late" in one.attrs.get("class", "").split()), "")


@pytest.mark.long
class TestClubFigures:
    """Season standings, ratings and records, which the worker computes too."""

    @pytest.fixture
    def pages(self, hall: Hall) -> dict[str, list[str]]:
        """Return the pages that each kind of job updates."""
        club = hall.event.club
        front, person = f"/c/{club.slug}", club.people.all()[0]
        season = open_season(
            club=club,
            name="Autumn",
            starts=hall.event.held_on,
            ends=hall.event.held_on,
            ladders=[{"name": "General"}],
        )
        end_event(event_id=hall.event.pk)
        refresh_seasons(club_id=club.pk)
        refresh_ratings(club_id=club.pk)
        Job.objects.all().delete()
        return {
            "refresh_seasons": [f"{front}/seasons/{season.pk}", f"{front}/seasons/{season.pk}/0/embed"],
            "refresh_ratings": [f"{front}/ratings", f"{front}/records", f"{front}/people/{person.pk}"],
        }

    @pytest.mark.parametrize("kind", ["refresh_seasons", "refresh_ratings"])
    def test_club_pages_show_wait_and_reason(self, hall: Hall, pages: dict[str, list[str]], kind: str) -> None:
        browser = Browser()
        enqueue_club_task(kind, hall.event.club_id)
        jobs = Job.objects.filter(kind=kind)
        for path in pages[kind]:
            assert find_late_notice(browser.open(path)) == ""
        jobs.update(created_at=timezone.now() - timedelta(minutes=12))
        for path in pages[kind]:
            notice = find_late_notice(browser.open(path))
            assert "Waiting for 12 minutes:" in notice
            assert NO_WORKER_MESSAGE in notice
            assert "Newer results are not counted yet." in notice
        for others in pages.keys() - {kind}:
            assert [find_late_notice(browser.open(path)) for path in pages[others]] == [""] * len(pages[others])
        jobs.update(status=Status.DONE, ended_at=timezone.now())
        assert [find_late_notice(browser.open(path)) for path in pages[kind]] == [""] * len(pages[kind])

    @pytest.mark.parametrize("kind", ["refresh_seasons", "refresh_ratings"])
    def test_late_notice_costs_one_query(self, hall: Hall, pages: dict[str, list[str]], kind: str) -> None:
        on_time = [len(capture_uncached_queries(hall, path)) for path in pages[kind]]
        enqueue_club_task(kind, hall.event.club_id)
        assert [len(capture_uncached_queries(hall, path)) for path in pages[kind]] == on_time
        Job.objects.update(created_at=timezone.now() - timedelta(minutes=5))
        assert [len(capture_uncached_queries(hall, path)) for path in pages[kind]] == [count + 1 for count in on_time]

    def test_closed_season_shows_no_late_notice(self, hall: Hall, pages: dict[str, list[str]]) -> None:
        close_season(season_id=hall.event.club.seasons.get().pk)
        enqueue_club_task("refresh_seasons", hall.event.club_id)
        Job.objects.update(created_at=timezone.now() - timedelta(minutes=12))
        assert find_late_notice(Browser().open(pages["refresh_seasons"][0])) == ""
