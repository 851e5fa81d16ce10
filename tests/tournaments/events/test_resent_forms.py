"""A desk form sent again after its response was lost takes effect once and is not refused."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.audit.log import Actor
from rules import Side
from scoring.services.agreement import call_desk
from tests.builders import build_event, matches_of, play_round, win
from tests.saved_states import list_stored_rows
from tests.support.browser import Page
from tests.support.hall import Hall
from tests.support.markup import Element
from tournaments.entries.services.entry_actions import adjust_entry
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.clock import begin_round, call_last_hand, pause_clock
from tournaments.rounds.services.rounds import draw_round
from tournaments.rounds.services.tables import forfeit_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

Preparation = Callable[[Hall], object]
Button = tuple[str, str] | None


def start_clock(hall: Hall) -> None:
    begin_round(event_id=hall.event.pk, number=1, minutes=45)


def pause_round_clock(hall: Hall) -> None:
    start_clock(hall)
    pause_clock(event_id=hall.event.pk, number=1)


def announce_last_hand(hall: Hall) -> None:
    start_clock(hall)
    call_last_hand(event_id=hall.event.pk, number=1)


def close_first_round(hall: Hall) -> None:
    play_round(hall.event)


def draw_next_round(hall: Hall) -> None:
    close_first_round(hall)
    draw_round(event_id=hall.event.pk)


def end_hall_event(hall: Hall) -> None:
    close_first_round(hall)
    end_event(event_id=hall.event.pk)


def prepare_other_event(hall: Hall) -> None:
    hall.event = build_event(4, club=hall.event.club)


def change_nothing(hall: Hall) -> None:
    """Leave the first round published."""


def finish_all_tables(hall: Hall) -> None:
    for match in matches_of(hall.event):
        win(match)


def called(hall: Hall) -> None:
    call_desk(match_id=hall.match.pk)


def adjust_first_entry(hall: Hall) -> None:
    adjust_entry(event_id=hall.event.pk, number=1, metric="points_for", amount=3, by=Actor(reason="late"))


def forfeit_first_table(hall: Hall) -> None:
    forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)


BUTTONS: list[tuple[Preparation, str, dict[str, Any], int]] = [
    (change_nothing, "/begin", {"minutes": "45"}, 28),
    (start_clock, "/pause", {}, 28),
    (pause_round_clock, "/go-on", {}, 28),
    (start_clock, "/more-minutes", {}, 28),
    (start_clock, "/last-hand", {}, 28),
    (announce_last_hand, "/more-hands", {}, 28),
    (finish_all_tables, "/close", {}, 50),
    (close_first_round, "/reopen", {}, 34),
    (close_first_round, "/draw", {}, 40),
    (close_first_round, "/end", {}, 38),
    (draw_next_round, "/draw", {}, 45),
    (draw_next_round, "/hold-table", {"held": "1"}, 27),
    (draw_next_round, "/discard", {}, 28),
    (draw_next_round, "/publish", {}, 49),
    (end_hall_event, "/resume", {}, 33),
    (close_first_round, "/undo", {}, 64),
]
"""Forms of the desk's first page: form address and number of statements, which may only decrease."""

FORMS: list[tuple[Preparation, str, str, Button, dict[str, Any], int]] = [
    (prepare_other_event, "/desk/entries", "entries", None, {"entries": "Rita Plourde et Yvon Beaulieu"}, 47),
    (prepare_other_event, "/desk/entries", "remove", ("remove", "2"), {}, 32),
    (prepare_other_event, "/desk/entries/check-in", "present", ("present", "1"), {}, 27),
    (
        prepare_other_event,
        "/desk/entries/check-in",
        "player_1",
        None,
        {"player_1": "Rita Plourde", "player_2": "Yvon Roy"},
        37,
    ),
    (change_nothing, "/desk/entries/1", "attendance", None, {"round": "2", "attendance": "absent"}, 30),
    (change_nothing, "/desk/entries/1", "after", None, {"after": "1"}, 30),
    (change_nothing, "/desk/entries/1", "amount", None, {"amount": "3", "reason": "late"}, 29),
    (adjust_first_entry, "/desk/entries/1", "adjustment", ("adjustment", ""), {}, 30),
    (change_nothing, "/desk/rounds/1/tables/1", "what", ("what", "forfeit_a"), {}, 37),
    (
        change_nothing,
        "/desk/rounds/1/tables/1",
        "games_a",
        ("what", "adjust"),
        {"points_a": "30", "points_b": "12"},
        37,
    ),
    (forfeit_first_table, "/desk/rounds/1/tables/1", "what", ("what", "cards"), {}, 37),
]
"""Forms of other pages: address below the event's, a control of the form, button, input and number of statements."""


def read_all_rows() -> dict[str, list[Any]]:
    """Return all stored rows of the night."""
    return list_stored_rows("tournaments", "scoring", "jobs")


def send_and_count(hall: Hall, page: Page, form: Element, button: Button, **typed: Any) -> tuple[Page, int]:
    """Send the form; return the page, and the number of statements without those of a redirect's target."""
    with CaptureQueriesContext(connection) as queries:
        answer = hall.desk.send(page, form, button, follow=False, **typed)
    count = len(queries)  # forgotten with the next request
    if answer.status == 302:
        answer = hall.desk.open(answer.response.headers["Location"])
    return answer, count


def is_done_once(
    hall: Hall, page: Page, form: Element, button: Button = None, *, statements: int, **typed: Any
) -> None:
    """Check that a form sent twice takes effect once; with a confirmation page, send its form twice instead."""
    before = read_all_rows()
    first, query_count = send_and_count(hall, page, form, button, **typed)
    if first.find_all("button", name="confirmed"):
        assert read_all_rows() == before
        page, form, button, typed = first, first.find_form(control_name="confirmed"), ("confirmed", "1"), {}
        first, query_count = send_and_count(hall, page, form, button)
    assert query_count == statements, "fewer? write the lower number into the table; more? ask for less"
    once = read_all_rows()
    assert (first.status, first.alert) == (200, "")
    assert once != before
    again = hall.desk.send(page, form, button, **typed)
    assert (again.status, again.alert) == (200, "")
    assert read_all_rows() == once


@pytest.mark.parametrize(
    ("before", "action", "typed", "statements"), BUTTONS, ids=[f"{at.__name__}{to}" for at, to, *_ in BUTTONS]
)
def test_resent_desk_button_acts_once(before: Preparation, action: str, typed: dict[str, Any], statements: int) -> None:
    hall = Hall()
    before(hall)
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    form = next(form for form in page.find_all("form") if action in form.attrs.get("action", ""))
    is_done_once(hall, page, form, statements=statements, **typed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "path", "having", "button", "typed", "statements"),
    FORMS,
    ids=[f"{path}:{having}" for _, path, having, *_ in FORMS],
)
def test_resent_desk_form_acts_once(
    before: Preparation, path: str, having: str, button: Button, typed: dict[str, Any], statements: int
) -> None:
    hall = Hall()
    before(hall)
    page = hall.desk.open(f"/e/{hall.event.short}{path}")
    form = page.find_form(control_name=having)
    if button and not button[1]:
        button = (button[0], next(iter(form.find_all("button", name=button[0]))).value)
    is_done_once(hall, page, form, button, statements=statements, **typed)


@pytest.mark.long
def test_resent_settlement_of_a_call_acts_once() -> None:
    hall = Hall()
    called(hall)
    page = hall.desk.open(hall.desk_match)
    is_done_once(hall, page, page.find_form("/settle"), statements=15, ruling="Play on.")
