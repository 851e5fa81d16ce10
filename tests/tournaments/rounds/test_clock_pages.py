"""The clock of a round on the desk, the board and the phones at the tables."""

from typing import Any

import pytest

from rules import MatchFormat
from tests.support.browser import Page
from tests.support.hall import Hall
from tournaments.rounds.services.clock import begin_round, call_last_hand

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=4)


def get_desk_path(hall: Hall) -> str:
    return f"/e/{hall.event.short}/desk"


def step(hall: Hall, page: Page, name: str, **typed: Any) -> Page:
    return hall.desk.send(page, page.find_form(f"/{name}"), **typed)


@pytest.mark.long
@pytest.mark.snapshot
def test_desk_starts_extends_and_pauses_the_clock(hall: Hall) -> None:
    page = step(hall, hall.desk.open(get_desk_path(hall)), "begin", minutes="45")
    assert "45 min left" in page.text
    page = step(hall, page, "more-minutes")
    assert "50 min left" in page.text
    page = step(hall, page, "pause")
    assert "left (clock paused)" in page.text
    page = step(hall, page, "go-on")
    page = step(hall, page, "last-hand")
    assert "Undo “Last hand”" in page.text
    board = hall.desk.open(f"/e/{hall.event.short}/board")
    assert "Last hand" in board.text
    assert "min left" in board.text
    page = step(hall, page, "more-hands")
    assert page.find_form("/last-hand")


@pytest.mark.snapshot
def test_clock_without_minutes_shows_only_its_start(hall: Hall) -> None:
    page = step(hall, hall.desk.open(get_desk_path(hall)), "begin")
    assert "since " in page.text
    assert not [form for form in page.find_all("form") if "/pause" in (form.attrs.get("action") or "")]


@pytest.mark.long
@pytest.mark.parametrize("minutes", ["0", "601", "soon"])
def test_invalid_minutes_are_refused(hall: Hall, minutes: str) -> None:
    page = step(hall, hall.desk.open(get_desk_path(hall)), "begin", minutes=minutes)
    assert page.status == 422
    assert page.find_field("minutes").value == minutes
    assert hall.event.rounds.get().state == "published"


@pytest.mark.long
@pytest.mark.snapshot
def test_timed_matches_ask_for_no_minutes() -> None:
    hall = Hall(pairs=4, match_format=MatchFormat(minutes=20))
    page = hall.desk.open(get_desk_path(hall))
    assert not page.find_all("input", name="minutes")
    assert "20 min left" in step(hall, page, "begin").text


@pytest.mark.long
def test_clock_changes_refresh_the_table_phones(hall: Hall) -> None:
    phone = hall.add_phone()
    first = phone.open(hall.table)
    assert "min left" not in first.text
    tags = [phone.client.get(hall.table).headers["ETag"]]
    begin_round(event_id=hall.event.pk, number=1, minutes=45)
    assert "45 min left" in phone.open(hall.table).text
    tags.append(phone.client.get(hall.table).headers["ETag"])
    call_last_hand(event_id=hall.event.pk, number=1)
    assert "Last hand" in phone.open(hall.table).text
    tags.append(phone.client.get(hall.table).headers["ETag"])
    assert len(set(tags)) == 3
