"""Full disk or locked database: people are told so, and that nothing was recorded."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection

from tests.support.browser import Browser
from tests.support.hall import Hall, build_hand_form, post_form

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="about SQLite"),
]

JSON = "application/json"


@pytest.fixture
def hall() -> Hall:
    hall = Hall(pairs=4)
    hall.desk.client.raise_request_exception = False
    return hall


@pytest.fixture
def full(hall: Hall) -> Iterator[None]:
    """Limit the database to its present pages, like a full disk."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield  # the free space in the last pages is soon used up
        cursor.execute("PRAGMA max_page_count = 1073741823")


@pytest.fixture
def held(hall: Hall) -> Iterator[None]:
    """Hold a write lock in another connection for longer than a request waits."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20000")


def mark(hall: Hall, phone: Browser) -> tuple[int, str]:
    """Record a hand through the API, and return the status and body of the response."""
    hand = build_hand_form(hall.match) | {"side": "", "contract": "", "tricks": "", "kind": "passed_out"}
    sent = {name: hand.pop(name) for name in ("match", "entry_key", "number")} | {"hand": hand}
    answer = phone.client.post(f"/api/tables/{hall.code}/hands", json.dumps(sent), content_type=JSON)
    return answer.status_code, answer.content.decode()


@pytest.mark.usefixtures("held")
def test_mark_in_a_busy_database_answers_503(hall: Hall) -> None:
    phone = hall.add_phone()
    phone.client.raise_request_exception = False
    status, body = mark(hall, phone)
    assert (status, json.loads(body)["code"]) == (503, "database_busy")


@pytest.mark.long
@pytest.mark.usefixtures("full")
def test_full_disk_refuses_marks_but_serves_pages(hall: Hall) -> None:
    phone = hall.add_phone()
    phone.client.raise_request_exception = False
    answers: list[tuple[int, str]] = []
    while not answers or answers[-1][0] == 201:
        answers.append(mark(hall, phone))
    status, body = answers[-1]
    assert (status, json.loads(body)["code"]) == (503, "disk_full")
    assert hall.desk.open(f"/e/{hall.event.short}").status == 200


@pytest.mark.slow
@pytest.mark.snapshot
@pytest.mark.usefixtures("held")
def test_failed_form_shows_a_page_that_does_not_resend(hall: Hall) -> None:
    page = post_form(hall.desk, f"/e/{hall.event.short}/desk/end", {})
    assert page.status == 503
    assert "The database is busy." in page.text
    assert "was not recorded. Go back and send it again" in page.text
    assert "n’est pas enregistré" in page.text
    assert "Refresh" not in page.response.headers


@pytest.mark.long
@pytest.mark.usefixtures("full")
def test_page_of_a_full_disk_does_not_ask_for_a_moment(hall: Hall) -> None:
    phone = hall.add_phone()
    phone.client.raise_request_exception = False
    while mark(hall, phone)[0] == 201:
        pass
    passed_out = {"side": "", "contract": "", "tricks": "", "kind": "passed_out", "reason": "I was there"}
    page = post_form(hall.desk, hall.desk_match, build_hand_form(hall.match) | passed_out)
    assert page.status == 503
    assert "The club computer needs help" in page.text
    assert "Your last entry was not recorded. Write it down on paper." in page.text
    assert "moment" not in page.text
