"""A form of the desk whose answer was lost is sent again as it stood: done once, and nothing is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.audit.log import Actor
from rules import Side
from scoring.services import dispute
from tests.builders import an_event, matches_of, play_round, win
from tests.saved_states import stored_rows
from tests.support.browser import Page
from tests.support.hall import Hall
from tests.support.markup import Element
from tournaments.entries.services.entry_actions import adjust_entry
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.clock import begin_round, call_last_hand, pause_clock
from tournaments.rounds.services.rounds import draw_round
from tournaments.rounds.services.tables import forfeit_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

Before = Callable[[Hall], object]
Button = tuple[str, str] | None


def playing(hall: Hall) -> None:
    begin_round(event_id=hall.event.pk, number=1, minutes=45)


def paused(hall: Hall) -> None:
    playing(hall)
    pause_clock(event_id=hall.event.pk, number=1)


def last_hand(hall: Hall) -> None:
    playing(hall)
    call_last_hand(event_id=hall.event.pk, number=1)


def closed(hall: Hall) -> None:
    play_round(hall.event)


def drawn(hall: Hall) -> None:
    closed(hall)
    draw_round(event_id=hall.event.pk)


def ended(hall: Hall) -> None:
    closed(hall)
    end_event(event_id=hall.event.pk)


def preparing(hall: Hall) -> None:
    hall.event = an_event(4, club=hall.event.club)


def as_it_is(hall: Hall) -> None:
    """In its first round, which is published."""


def all_tables_done(hall: Hall) -> None:
    for match in matches_of(hall.event):
        win(match)


def called(hall: Hall) -> None:
    dispute(match_id=hall.match.pk)


def adjusted(hall: Hall) -> None:
    adjust_entry(event_id=hall.event.pk, number=1, metric="points_for", amount=3, by=Actor(reason="late"))


def ruled(hall: Hall) -> None:
    forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)


BUTTONS: list[tuple[Before, str, dict[str, Any], int]] = [
    (as_it_is, "/begin", {"minutes": "45"}, 28),
    (playing, "/pause", {}, 28),
    (paused, "/go-on", {}, 28),
    (playing, "/more-minutes", {}, 28),
    (playing, "/last-hand", {}, 28),
    (last_hand, "/more-hands", {}, 28),
    (all_tables_done, "/close", {}, 50),
    (closed, "/reopen", {}, 34),
    (closed, "/draw", {}, 40),
    (closed, "/end", {}, 38),
    (drawn, "/draw", {}, 45),
    (drawn, "/hold-table", {"held": "1"}, 27),
    (drawn, "/discard", {}, 25),
    (drawn, "/publish", {}, 49),
    (ended, "/resume", {}, 33),
    (closed, "/undo", {}, 64),
]
"""Of the desk's first page: where its form goes, and how many statements it takes, which may only fall."""

FORMS: list[tuple[Before, str, str, Button, dict[str, Any], int]] = [
    (preparing, "/desk/entries", "entries", None, {"entries": "Rita Plourde et Yvon Beaulieu"}, 47),
    (preparing, "/desk/entries", "remove", ("remove", "2"), {}, 32),
    (preparing, "/desk/entries/check-in", "present", ("present", "1"), {}, 27),
    (
        preparing,
        "/desk/entries/check-in",
        "player_1",
        None,
        {"player_1": "Rita Plourde", "player_2": "Yvon Roy"},
        37,
    ),
    (as_it_is, "/desk/entries/1", "attendance", None, {"round": "2", "attendance": "absent"}, 30),
    (as_it_is, "/desk/entries/1", "after", None, {"after": "1"}, 30),
    (as_it_is, "/desk/entries/1", "amount", None, {"amount": "3", "reason": "late"}, 29),
    (adjusted, "/desk/entries/1", "adjustment", ("adjustment", ""), {}, 30),
    (as_it_is, "/desk/rounds/1/tables/1", "what", ("what", "forfeit_a"), {}, 37),
    (
        as_it_is,
        "/desk/rounds/1/tables/1",
        "games_a",
        ("what", "adjust"),
        {"points_a": "30", "points_b": "12"},
        37,
    ),
    (ruled, "/desk/rounds/1/tables/1", "what", ("what", "cards"), {}, 37),
]
"""Of other pages: the address below the event's, what the form has, its button, what is typed, and how many
statements it takes."""


def everything() -> dict[str, list[Any]]:
    """All rows of the evening, whatever they are of."""
    return stored_rows("tournaments", "scoring", "jobs")


def send_and_count(hall: Hall, page: Page, form: Element, button: Button, **typed: Any) -> tuple[Page, int]:
    """The page that answers, and the statements of the deed without those of a page to which it leads."""
    with CaptureQueriesContext(connection) as asked:
        answer = hall.desk.send(page, form, button, follow=False, **typed)
    count = len(asked)  # forgotten with the next request
    if answer.status == 302:
        answer = hall.desk.open(answer.response.headers["Location"])
    return answer, count


def is_done_once(
    hall: Hall, page: Page, form: Element, button: Button = None, *, statements: int, **typed: Any
) -> None:
    """Also where it is confirmed first: then that form is sent twice."""
    before = everything()
    first, asked = send_and_count(hall, page, form, button, **typed)
    if first.every("button", name="confirmed"):
        assert everything() == before
        page, form, button, typed = first, first.form(having="confirmed"), ("confirmed", "1"), {}
        first, asked = send_and_count(hall, page, form, button)
    assert asked == statements, "fewer? write the lower number into the table; more? ask for less"
    once = everything()
    assert (first.status, first.alert) == (200, "")
    assert once != before
    again = hall.desk.send(page, form, button, **typed)
    assert (again.status, again.alert) == (200, "")
    assert everything() == once


@pytest.mark.parametrize(
    ("before", "action", "typed", "statements"), BUTTONS, ids=[f"{at.__name__}{to}" for at, to, *_ in BUTTONS]
)
def test_a_button_is_tapped_again(
    before: Before, action: str, typed: dict[str, Any], statements: int
) -> None:
    hall = Hall()
    before(hall)
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    form = next(form for form in page.every("form") if action in form.attrs.get("action", ""))
    is_done_once(hall, page, form, statements=statements, **typed)


@pytest.mark.parametrize(
    ("before", "path", "having", "button", "typed", "statements"),
    FORMS,
    ids=[f"{path}:{having}" for _, path, having, *_ in FORMS],
)
def test_a_form_is_sent_again(
    before: Before, path: str, having: str, button: Button, typed: dict[str, Any], statements: int
) -> None:
    hall = Hall()
    before(hall)
    page = hall.desk.open(f"/e/{hall.event.short}{path}")
    form = page.form(having=having)
    if button and not button[1]:
        button = (button[0], next(iter(form.every("button", name=button[0]))).value)
    is_done_once(hall, page, form, button, statements=statements, **typed)


def test_a_call_is_settled_again() -> None:
    hall = Hall()
    called(hall)
    page = hall.desk.open(hall.ruled)
    is_done_once(hall, page, page.form("/settle"), statements=15, ruling="Play on.")
