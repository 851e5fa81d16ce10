"""Standings that are late say so on every page that shows them: since when, for how long, and why."""

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
from tests.builders import play_round, standings_after, win
from tests.every_page.test_queries import queries_now
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Standings
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import close_season, open_season, refresh_seasons
from tournaments.standings.services import request_of_club

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("within_a_minute"), pytest.mark.slow]

NO_WORKER = "The organizer must restart Charlemagne."


@pytest.fixture
@saved_state
def hall() -> Hall:
    """A round is over, its standings are computed, and nothing waits."""
    hall = Hall(pairs=4)
    play_round(hall.event)
    standings_after(hall.event)
    return hall


def waits(hall: Hall, minutes: float, **changes: Any) -> Job:
    """A change of the event waits for so long for its standings."""
    job = enqueue(kind="refresh_standings", key=str(hall.event.pk), topic=hall.event.topic)
    asked_at = timezone.now() - timedelta(minutes=minutes)
    Job.objects.filter(pk=job.pk).update(**{"created_at": asked_at, "sent_at": asked_at} | changes)
    return job


def said(hall: Hall, path: str = "", language: str = "en") -> str:
    """Return what a page of the event says of its standings being late; "" where they are not."""
    page = Browser(language=language, account=hall.owner).open(f"/e/{hall.event.short}{path}")
    assert page.status == 200
    notices = page.every("p", "div")
    return next((one.text for one in notices if "late" in one.attrs.get("class", "").split()), "")


EVERYWHERE = ["", "/standings", "/desk", "/desk/standings", "/board", "/embed"]


def test_nothing_is_said_of_standings_that_are_on_time(hall: Hall) -> None:
    waits(hall, 0.3)
    assert {path: said(hall, path) for path in EVERYWHERE} == dict.fromkeys(EVERYWHERE, "")


def test_every_page_that_shows_them_says_how_old_they_are_how_long_and_why(hall: Hall) -> None:
    computed_at = timezone.now().replace(hour=23, minute=42)  # in summer and winter, at 18 or 19 in the hall
    Standings.objects.filter(event=hall.event).update(computed_at=computed_at)
    waits(hall, 12)
    for path in EVERYWHERE:
        told = said(hall, path)
        assert "Standings as of" in told, path
        assert ":42" in told, path
        assert "Waiting for 12 minutes:" in told, path
        assert NO_WORKER in told, path
    french = "En attente depuis 12 minutes : les tâches de fond ne fonctionnent pas."
    assert french in said(hall, language="fr")


def test_they_are_late_half_a_minute_after_the_change_and_not_before(hall: Hall) -> None:
    job = waits(hall, 0.45)
    assert said(hall) == ""
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(seconds=31))
    assert "Waiting for half a minute:" in said(hall)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=3, minutes=2))
    assert "Waiting for 3 hours:" in said(hall)


def test_a_change_of_the_future_as_after_a_clock_was_set_back_is_late(hall: Hall) -> None:
    waits(hall, -90)
    assert "Waiting for half a minute:" in said(hall)


WHYS: dict[str, tuple[dict[str, Any], dict[str, float], str]] = {
    "nobody works": ({}, {}, NO_WORKER),
    "its worker died": ({"status": Status.RUNNING}, {"lease_until": -1}, NO_WORKER),
    "it takes long": ({"status": Status.RUNNING}, {"lease_until": 30}, "taking longer than usual."),
    "it breaks": ({"attempts": 1, "error": "ValueError"}, {}, "failed, will be retried."),
    "it has failed": (
        {"status": Status.FAILED},
        {"ended_at": -1},
        "failed several times; the next result retries.",
    ),
}
"""Of its row, what stands there, moments in seconds from now, and what is said."""


@pytest.mark.snapshot
def test_the_reason_is_told_from_the_row_of_the_job(hall: Hall) -> None:
    for case, (changes, moments, why) in WHYS.items():
        Job.objects.all().delete()
        caches["pages"].clear()
        at = {name: timezone.now() + timedelta(seconds=seconds) for name, seconds in moments.items()}
        waits(hall, 2, **(changes | at))
        assert why in said(hall), case


def test_other_work_that_goes_first_is_a_reason_but_not_long_work_which_has_a_worker_of_its_own(
    hall: Hall,
) -> None:
    waits(hall, 2)
    runs = {"status": Status.RUNNING, "lease_until": timezone.now() + timedelta(seconds=20)}
    Job.objects.create(kind="plan", key="1", **runs)
    assert NO_WORKER in said(hall, "/desk")
    Job.objects.create(kind="refresh_seasons", key="1", **runs)
    assert "other tasks are ahead." in said(hall, "/desk")


def test_a_failure_is_forgotten_with_the_next_success(hall: Hall) -> None:
    now = timezone.now()
    waits(hall, 60, status=Status.FAILED, ended_at=now - timedelta(minutes=59))
    assert said(hall) != ""
    waits(hall, 3, status=Status.DONE, ended_at=now)
    assert said(hall) == ""


@pytest.mark.parametrize("path", EVERYWHERE)
def test_a_page_that_is_known_at_its_revision_comes_anew_when_they_are_late_and_when_no_more(
    hall: Hall, path: str
) -> None:
    browser, address = Browser(account=hall.owner), f"/e/{hall.event.short}{path}"
    tags = [browser.open(address).revision]
    job = waits(hall, 0.2)
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


def test_it_costs_a_page_one_query_and_only_while_they_are_late(hall: Hall) -> None:
    def counts() -> list[int]:
        return [len(queries_now(hall, f"/e/{hall.event.short}{path}")) for path in EVERYWHERE]

    on_time = counts()
    job = waits(hall, 0)
    assert counts() == on_time
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    assert counts() == [count + 1 for count in on_time]


def test_whoever_asks_again_costs_no_more_queries_while_they_are_late(hall: Hall) -> None:
    waits(hall, 5)
    address = f"/e/{hall.event.short}"
    caches["pages"].clear()
    page = hall.desk.open(address)
    with CaptureQueriesContext(connection) as made:
        assert hall.desk.open(address, **{"If-None-Match": page.revision}).status == 304
    assert len(made) == 2


def test_a_result_tells_the_pages_of_its_event_that_its_standings_wait() -> None:
    hall = Hall(pairs=4)
    standings_after(hall.event)
    win(hall.match)
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=7))
    assert "Waiting for 7 minutes:" in said(hall, "/desk")


def test_work_that_somebody_asked_for_says_that_its_worker_is_not_there(hall: Hall) -> None:
    Job.objects.create(kind="print_sheets", key="1", topic=hall.event.topic)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/jobs")
    assert "Waiting." in page.text
    Job.objects.filter(kind="print_sheets").update(created_at=timezone.now() - timedelta(minutes=4))
    again = hall.desk.open(f"/e/{hall.event.short}/desk/jobs", **{"If-None-Match": page.revision})
    assert again.status == 200
    assert "Waiting for 4 minutes:" in again.text
    assert NO_WORKER in again.text


def late_in(page: Page) -> str:
    notices = page.every("p", "div")
    return next((one.text for one in notices if "late" in one.attrs.get("class", "").split()), "")


class TestOfTheClub:
    """Its seasons, and its ratings and records, are worked out by the worker as well."""

    @pytest.fixture
    def pages(self, hall: Hall) -> dict[str, list[str]]:
        """By the kind of job, the pages of what it works out."""
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
    def test_it_is_said_for_how_long_they_wait_and_why_as_soon_as_it_is_not_as_usual(
        self, hall: Hall, pages: dict[str, list[str]], kind: str
    ) -> None:
        browser = Browser()
        request_of_club(kind, hall.event.club_id)
        asked = Job.objects.filter(kind=kind)
        for path in pages[kind]:
            assert late_in(browser.open(path)) == ""
        asked.update(created_at=timezone.now() - timedelta(minutes=12))
        for path in pages[kind]:
            told = late_in(browser.open(path))
            assert "Waiting for 12 minutes:" in told
            assert NO_WORKER in told
            assert "Newer results are not counted yet." in told
        for others in pages.keys() - {kind}:
            assert [late_in(browser.open(path)) for path in pages[others]] == [""] * len(pages[others])
        asked.update(status=Status.DONE, ended_at=timezone.now())
        assert [late_in(browser.open(path)) for path in pages[kind]] == [""] * len(pages[kind])

    @pytest.mark.parametrize("kind", ["refresh_seasons", "refresh_ratings"])
    def test_it_costs_a_page_one_query_and_only_while_they_are_late(
        self, hall: Hall, pages: dict[str, list[str]], kind: str
    ) -> None:
        on_time = [len(queries_now(hall, path)) for path in pages[kind]]
        request_of_club(kind, hall.event.club_id)
        assert [len(queries_now(hall, path)) for path in pages[kind]] == on_time
        Job.objects.update(created_at=timezone.now() - timedelta(minutes=5))
        assert [len(queries_now(hall, path)) for path in pages[kind]] == [count + 1 for count in on_time]

    def test_a_closed_season_waits_for_nothing(self, hall: Hall, pages: dict[str, list[str]]) -> None:
        close_season(season_id=hall.event.club.seasons.get().pk)
        request_of_club("refresh_seasons", hall.event.club_id)
        Job.objects.update(created_at=timezone.now() - timedelta(minutes=12))
        assert late_in(Browser().open(pages["refresh_seasons"][0])) == ""
