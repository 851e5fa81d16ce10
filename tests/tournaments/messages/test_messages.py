"""Messages of the desk and called tables: where they are read, and until when."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from errors import Refusal
from scoring.models import TableCard
from tests.builders import an_event, next_round, play_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.messages.services import (
    MESSAGE_LENGTH,
    MOST_MESSAGES,
    call_table,
    end_call,
    send_message,
    take_back_message,
)
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db
DINNER = "Soup is ready at eight"
CALLED = "Please send one player to the desk"
WANTED = "To the desk, please: table 1"


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=4)


def say(hall: Hall, text: str = DINNER, **more: Any) -> None:
    send_message(event_id=hall.event.pk, text=text, **more)


def table(hall: Hall, number: int = 1) -> Page:
    card = TableCard.objects.get(topic=hall.event.topic, number=number)
    return hall.phone().open(f"/t/{card.code}")


def board(hall: Hall) -> Page:
    return Browser().open(f"/e/{hall.event.short}/board")


def public(hall: Hall) -> Page:
    return Browser().open(f"/e/{hall.event.short}")


def desk(hall: Hall) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk")


def own_page(hall: Hall, number: int) -> Page:
    """The page of somebody who sits at that table."""
    phone = hall.phone()
    card = TableCard.objects.get(topic=hall.event.topic, number=number)
    kept = json.loads(phone.open(f"/t/{card.code}").one("template", id="known").text)
    choosing = phone.open(kept["own_page"])
    chosen = choosing.every("button", name="person")[0]
    return phone.send(choosing, choosing.every("form", method="post")[0], ("person", chosen.attrs["value"]))


def everywhere(hall: Hall) -> list[Page]:
    return [table(hall), board(hall), public(hall), hall.desk.open(f"/e/{hall.event.short}/desk/messages")]


def messages_kept(event: Event) -> list[dict[str, Any]]:
    return list(Event.objects.get(pk=event.pk).messages)


def hours_pass(event: Event, hours: int = 5) -> None:
    """Every message was sent, and ends, that much earlier."""

    def earlier(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            each
            | {
                name: each[name] and (datetime.fromisoformat(each[name]) - timedelta(hours=hours)).isoformat()
                for name in ("sent_at", "ends_at")
            }
            for each in messages
        ]

    Event.objects.filter(pk=event.pk).update(messages=earlier(messages_kept(event)))
    for card in TableCard.objects.filter(topic=event.topic):
        TableCard.objects.filter(pk=card.pk).update(messages_data=earlier(card.messages_data))


@pytest.mark.slow
class TestAMessageToEverybody:
    def test_is_read_at_the_tables_on_the_wall_on_public_pages_and_at_the_desk(self, hall: Hall) -> None:
        assert [DINNER in page.text for page in everywhere(hall)] == [False] * 4
        say(hall)
        assert [DINNER in page.text for page in everywhere(hall)] == [True] * 4
        assert DINNER in own_page(hall, 2).text

    def test_is_news_to_a_phone_that_has_the_table_open(self, hall: Hall) -> None:
        phone = hall.phone()
        phone.open(hall.table)
        before = phone.client.get(hall.table).headers["ETag"]
        say(hall)
        response = phone.client.get(hall.table, headers={"If-None-Match": before})
        assert DINNER in response.content.decode()

    def test_goes_with_what_a_phone_keeps_to_draw_its_table_without_a_network(self, hall: Hall) -> None:
        assert kept_by_the_phone(hall)["match"]["card"]["messages"] == []
        say(hall)
        (kept,) = kept_by_the_phone(hall)["match"]["card"]["messages"]
        assert (kept["text"], kept["table"]) == (DINNER, None)

    def test_for_some_minutes_ends_by_itself_and_that_is_news(self, hall: Hall) -> None:
        say(hall, minutes=30)
        phone = hall.phone()
        phone.open(hall.table)
        tag = phone.client.get(hall.table).headers["ETag"]
        tags = {path: Browser().client.get(path).headers["ETag"] for path in public_paths(hall)}
        hours_pass(hall.event)
        assert [DINNER in page.text for page in everywhere(hall)] == [False] * 4
        assert phone.client.get(hall.table, headers={"If-None-Match": tag}).status_code == 200
        for path, known in tags.items():
            assert Browser().client.get(path, headers={"If-None-Match": known}).status_code == 200, path

    def test_without_minutes_stands_until_the_next_round_is_published(self, hall: Hall) -> None:
        say(hall)
        hours_pass(hall.event)
        assert DINNER in board(hall).text
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        assert DINNER in desk(hall).text
        publish_round(event_id=hall.event.pk, number=2)
        assert [DINNER in page.text for page in everywhere(hall)] == [False] * 4

    def test_for_some_minutes_stands_in_the_next_round_too(self, hall: Hall) -> None:
        say(hall, minutes=60)
        play_round(hall.event)
        next_round(hall.event)
        assert DINNER in table(hall).text

    def test_ends_with_the_event(self, hall: Hall) -> None:
        say(hall, minutes=60)
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        assert DINNER not in public(hall).text
        assert DINNER not in board(hall).text

    def test_is_taken_back(self, hall: Hall) -> None:
        say(hall, "First")
        say(hall, "Second")
        page = desk(hall)
        hall.desk.send(page, page.form("/messages/1/take-back"))
        assert "First" not in table(hall).text
        assert "Second" in table(hall).text
        take_back_message(event_id=hall.event.pk, number=1)

    def test_is_undone_as_any_change_and_a_new_one_in_its_place_is_news(self, hall: Hall) -> None:
        say(hall, "Soup is ready at seven")
        phone = hall.phone()
        phone.open(hall.table)
        tag = phone.client.get(hall.table).headers["ETag"]
        undo_action(event_id=hall.event.pk, action_id=hall.event.actions.latest("pk").pk)
        assert "Soup" not in table(hall).text
        say(hall)
        assert phone.client.get(hall.table, headers={"If-None-Match": tag}).status_code == 200

    def test_that_is_sent_twice_is_said_once(self, hall: Hall) -> None:
        by = Actor(key=uuid4())
        say(hall, by=by)
        say(hall, by=by)
        assert len(messages_kept(hall.event)) == 1

    def test_is_text_and_nothing_else(self, hall: Hall) -> None:
        say(hall, "<b>now</b>")
        for page in everywhere(hall):
            assert "&lt;b&gt;now" in page.html
            assert "<b>now" not in page.html

    def test_stands_in_the_history(self, hall: Hall) -> None:
        say(hall)
        assert (
            f"Message to everybody: “{DINNER}”" in hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        )


def public_paths(hall: Hall) -> list[str]:
    return [f"/e/{hall.event.short}", f"/e/{hall.event.short}/board"]


def kept_by_the_phone(hall: Hall) -> Any:
    page = table(hall)
    return json.loads(page.one("template", id="known").text)


@pytest.mark.slow
class TestAMessageToATable:
    def test_is_read_there_and_by_who_sits_there(self, hall: Hall) -> None:
        say(hall, "Your pair is here", table=2)
        assert "Your pair is here" in table(hall, 2).text
        assert "Your pair is here" in own_page(hall, 2).text
        assert "To table 2: Your pair is here" in desk(hall).text

    def test_is_read_nowhere_else(self, hall: Hall) -> None:
        say(hall, "Your pair is here", table=2)
        for page in (table(hall, 1), own_page(hall, 1), board(hall), public(hall)):
            assert "Your pair" not in page.html


class TestACall:
    @pytest.mark.slow
    def test_is_on_the_wall_at_the_table_and_on_the_pages_of_who_sits_there(self, hall: Hall) -> None:
        call_table(event_id=hall.event.pk, table=1)
        assert WANTED in board(hall).text
        assert CALLED in table(hall).text
        assert CALLED not in table(hall, 2).text
        assert "Table 1: to the desk, please." in own_page(hall, 1).text

    @pytest.mark.slow
    def test_is_made_from_the_page_of_the_table_at_the_desk_and_ended_with_a_tap(self, hall: Hall) -> None:
        page = hall.desk.open(hall.ruled)
        page = hall.desk.send(page, page.form("/tables/1/call"))
        assert "Table 1 called to the desk at" in page.text
        page = hall.desk.send(page, page.form("/tables/1/call"), came="1")
        assert "called to the desk" not in page.text
        assert WANTED not in board(hall).text
        assert CALLED not in table(hall).text

    def test_of_several_tables_is_one_line_of_the_wall(self, hall: Hall) -> None:
        for number in (2, 1):
            call_table(event_id=hall.event.pk, table=number)
        assert "To the desk, please: tables 1 and 2" in board(hall).text

    def test_is_safe_to_repeat(self, hall: Hall) -> None:
        for _ in range(2):
            call_table(event_id=hall.event.pk, table=1)
        assert len(messages_kept(hall.event)) == 1
        for _ in range(2):
            end_call(event_id=hall.event.pk, table=1)
        assert hall.event.actions.filter(kind="end_call").count() == 1


class TestTheWall:
    def test_has_room_for_two_lines_and_shows_what_was_said_last(self, hall: Hall) -> None:
        for text in ("First", "Second", "Third"):
            say(hall, text)
        text = board(hall).text
        assert "First" not in text
        assert "Second" in text
        call_table(event_id=hall.event.pk, table=1)
        text = board(hall).text
        assert "Second" not in text
        assert "Third" in text


class TestTheForm:
    def test_sends_to_everybody_until_the_next_round(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk/messages")
        page = hall.desk.send(page, page.form(having="text"), text=DINNER)
        assert f"To everybody: {DINNER} until the next round" in page.text

    def test_sends_to_a_table_for_some_minutes(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk/messages?table=2")
        page = hall.desk.send(page, page.form(having="text"), text=DINNER, until="15")
        assert f"To table 2: {DINNER} until" in page.text

    @pytest.mark.parametrize(
        ("typed", "field", "said"),
        [
            ({"text": " "}, "text", "Enter a message. For example, “We eat at eight”"),
            ({"text": "x" * (MESSAGE_LENGTH + 1)}, "text", "Too long for the wall screen:"),
            ({"text": DINNER, "table": "99"}, "table", "Table 99 is not in this round."),
            ({"text": DINNER, "table": "two"}, "table", "two"),
        ],
    )
    def test_keeps_what_was_typed_and_says_why_not(
        self, hall: Hall, typed: dict[str, str], field: str, said: str
    ) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk/messages")
        page = hall.desk.send(page, page.form(having="text"), None, follow=True, **typed, until="30")
        assert page.status == 422
        assert said in page.said_at(field)
        assert page.field(field).value == typed[field]
        assert page.chosen("until") == ["30"]
        assert messages_kept(hall.event) == []


class TestIsRefused:
    @pytest.mark.parametrize(("minutes", "code"), [(0, "number_too_small"), (241, "number_too_large")])
    def test_for_no_time_and_for_too_long(self, hall: Hall, minutes: int, code: str) -> None:
        with pytest.raises(Refusal) as refused:
            say(hall, minutes=minutes)
        assert (refused.value.code, refused.value.field) == (code, "minutes")

    @pytest.mark.slow
    def test_where_too_many_stand(self, hall: Hall) -> None:
        for number in range(MOST_MESSAGES):
            say(hall, str(number))
        with pytest.raises(Refusal, match="too_many_messages"):
            say(hall)
        take_back_message(event_id=hall.event.pk, number=1)
        say(hall)

    def test_before_the_night_begins(self) -> None:
        event = an_event(pairs=4)
        with pytest.raises(Refusal, match="event_not_running"):
            send_message(event_id=event.pk, text=DINNER)

    def test_a_call_of_a_table_that_is_not_there(self, hall: Hall) -> None:
        with pytest.raises(Refusal, match="no_such_table_now"):
            call_table(event_id=hall.event.pk, table=99)
