"""Desk messages and called tables: where they are shown, and until when."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from errors import Refusal
from scoring.models import TableCard
from tests.builders import build_event, play_round, start_next_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.messages.services import (
    MAX_MESSAGE_LENGTH,
    MAX_MESSAGES,
    call_table,
    end_call,
    send_message,
    take_back_message,
)
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db
DINNER = "Soup is ready at eight"
CALL_TEXT = "Please send one player to the desk"
BOARD_CALL_TEXT = "To the desk, please: table 1"


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=4)


def send_text(hall: Hall, text: str = DINNER, **more: Any) -> None:
    send_message(event_id=hall.event.pk, text=text, **more)


def open_table(hall: Hall, number: int = 1) -> Page:
    card = TableCard.objects.get(topic=hall.event.topic, number=number)
    return hall.add_phone().open(f"/t/{card.code}")


def open_board(hall: Hall) -> Page:
    return Browser().open(f"/e/{hall.event.short}/board")


def open_event(hall: Hall) -> Page:
    return Browser().open(f"/e/{hall.event.short}")


def open_desk(hall: Hall) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk")


def open_own_page(hall: Hall, number: int) -> Page:
    """Return the own page of a player at this table."""
    phone = hall.add_phone()
    card = TableCard.objects.get(topic=hall.event.topic, number=number)
    phone_values = json.loads(phone.open(f"/t/{card.code}").find_one("template", id="known").text)
    choosing = phone.open(phone_values["own_page"])
    chosen = choosing.find_all("button", name="person")[0]
    return phone.send(choosing, choosing.find_all("form", method="post")[0], ("person", chosen.attrs["value"]))


def open_all_pages(hall: Hall) -> list[Page]:
    return [
        open_table(hall),
        open_board(hall),
        open_event(hall),
        hall.desk.open(f"/e/{hall.event.short}/desk/messages"),
    ]


def list_stored_messages(event: Event) -> list[dict[str, Any]]:
    return list(Event.objects.get(pk=event.pk).messages)


def advance_hours(event: Event, hours: int = 5) -> None:
    """Make all messages of the event that many hours older, including their end."""

    def shift_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            each
            | {
                name: each[name] and (datetime.fromisoformat(each[name]) - timedelta(hours=hours)).isoformat()
                for name in ("sent_at", "ends_at")
            }
            for each in messages
        ]

    Event.objects.filter(pk=event.pk).update(messages=shift_messages(list_stored_messages(event)))
    for card in TableCard.objects.filter(topic=event.topic):
        TableCard.objects.filter(pk=card.pk).update(messages_data=shift_messages(card.messages_data))


@pytest.mark.slow
class TestMessageToEveryone:
    @pytest.mark.long
    def test_message_appears_on_tables_wall_public_pages_and_desk(self, hall: Hall) -> None:
        assert [DINNER in page.text for page in open_all_pages(hall)] == [False] * 4
        send_text(hall)
        assert [DINNER in page.text for page in open_all_pages(hall)] == [True] * 4
        assert DINNER in open_own_page(hall, 2).text

    @pytest.mark.long
    def test_message_refreshes_an_open_table_page(self, hall: Hall) -> None:
        phone = hall.add_phone()
        phone.open(hall.table)
        before = phone.client.get(hall.table).headers["ETag"]
        send_text(hall)
        response = phone.client.get(hall.table, headers={"If-None-Match": before})
        assert DINNER in response.content.decode()

    @pytest.mark.long
    def test_offline_table_data_includes_messages(self, hall: Hall) -> None:
        assert read_phone_values(hall)["match"]["card"]["messages"] == []
        send_text(hall)
        (message,) = read_phone_values(hall)["match"]["card"]["messages"]
        assert (message["text"], message["table"]) == (DINNER, None)

    @pytest.mark.long
    def test_message_with_a_duration_expires_everywhere(self, hall: Hall) -> None:
        send_text(hall, minutes=30)
        phone = hall.add_phone()
        phone.open(hall.table)
        tag = phone.client.get(hall.table).headers["ETag"]
        tags = {path: Browser().client.get(path).headers["ETag"] for path in list_public_paths(hall)}
        advance_hours(hall.event)
        assert [DINNER in page.text for page in open_all_pages(hall)] == [False] * 4
        assert phone.client.get(hall.table, headers={"If-None-Match": tag}).status_code == 200
        for path, etag in tags.items():
            assert Browser().client.get(path, headers={"If-None-Match": etag}).status_code == 200, path

    @pytest.mark.long
    def test_message_without_a_duration_lasts_until_the_next_round(self, hall: Hall) -> None:
        send_text(hall)
        advance_hours(hall.event)
        assert DINNER in open_board(hall).text
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        assert DINNER in open_desk(hall).text
        publish_round(event_id=hall.event.pk, number=2)
        assert [DINNER in page.text for page in open_all_pages(hall)] == [False] * 4

    @pytest.mark.long
    def test_message_with_a_duration_survives_the_next_round(self, hall: Hall) -> None:
        send_text(hall, minutes=60)
        play_round(hall.event)
        start_next_round(hall.event)
        assert DINNER in open_table(hall).text

    def test_message_ends_with_the_event(self, hall: Hall) -> None:
        send_text(hall, minutes=60)
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        assert DINNER not in open_event(hall).text
        assert DINNER not in open_board(hall).text

    def test_withdrawn_message_disappears_from_the_tables(self, hall: Hall) -> None:
        send_text(hall, "First")
        send_text(hall, "Second")
        page = open_desk(hall)
        hall.desk.send(page, page.find_form("/messages/1/take-back"))
        assert "First" not in open_table(hall).text
        assert "Second" in open_table(hall).text
        take_back_message(event_id=hall.event.pk, number=1)

    @pytest.mark.long
    def test_undone_message_disappears_and_a_new_one_refreshes(self, hall: Hall) -> None:
        send_text(hall, "Soup is ready at seven")
        phone = hall.add_phone()
        phone.open(hall.table)
        tag = phone.client.get(hall.table).headers["ETag"]
        undo_action(event_id=hall.event.pk, action_id=hall.event.actions.latest("pk").pk)
        assert "Soup" not in open_table(hall).text
        send_text(hall)
        assert phone.client.get(hall.table, headers={"If-None-Match": tag}).status_code == 200

    def test_resent_message_is_stored_once(self, hall: Hall) -> None:
        by = Actor(key=uuid4())
        send_text(hall, by=by)
        send_text(hall, by=by)
        assert len(list_stored_messages(hall.event)) == 1

    def test_message_text_is_escaped(self, hall: Hall) -> None:
        send_text(hall, "<b>now</b>")
        for page in open_all_pages(hall):
            assert "&lt;b&gt;now" in page.html
            assert "<b>now" not in page.html

    @pytest.mark.long
    def test_message_is_recorded_in_the_history(self, hall: Hall) -> None:
        send_text(hall)
        assert f"Message to everybody: “{DINNER}”" in hall.desk.open(f"/e/{hall.event.short}/desk/history").text


def list_public_paths(hall: Hall) -> list[str]:
    return [f"/e/{hall.event.short}", f"/e/{hall.event.short}/board"]


def read_phone_values(hall: Hall) -> Any:
    page = open_table(hall)
    return json.loads(page.find_one("template", id="known").text)


@pytest.mark.long
class TestTableMessage:
    def test_table_message_appears_at_its_table_and_players(self, hall: Hall) -> None:
        send_text(hall, "Your pair is here", table=2)
        assert "Your pair is here" in open_table(hall, 2).text
        assert "Your pair is here" in open_own_page(hall, 2).text
        assert "To table 2: Your pair is here" in open_desk(hall).text

    def test_table_message_appears_nowhere_else(self, hall: Hall) -> None:
        send_text(hall, "Your pair is here", table=2)
        for page in (open_table(hall, 1), open_own_page(hall, 1), open_board(hall), open_event(hall)):
            assert "Your pair" not in page.html


class TestTableCall:
    @pytest.mark.long
    def test_call_appears_on_the_wall_table_and_own_pages(self, hall: Hall) -> None:
        call_table(event_id=hall.event.pk, table=1)
        assert BOARD_CALL_TEXT in open_board(hall).text
        assert CALL_TEXT in open_table(hall).text
        assert CALL_TEXT not in open_table(hall, 2).text
        assert "Table 1: please send one player to the desk." in open_own_page(hall, 1).text

    @pytest.mark.slow
    def test_director_calls_a_table_and_ends_the_call(self, hall: Hall) -> None:
        page = hall.desk.open(hall.desk_match)
        page = hall.desk.send(page, page.find_form("/tables/1/call"))
        assert "Table 1 called to the desk at" in page.text
        page = hall.desk.send(page, page.find_form("/tables/1/call"), came="1")
        assert "called to the desk" not in page.text
        assert BOARD_CALL_TEXT not in open_board(hall).text
        assert CALL_TEXT not in open_table(hall).text

    def test_calls_of_several_tables_share_one_wall_line(self, hall: Hall) -> None:
        for number in (2, 1):
            call_table(event_id=hall.event.pk, table=number)
        assert "To the desk, please: tables 1 and 2" in open_board(hall).text

    def test_repeated_call_counts_once(self, hall: Hall) -> None:
        for _ in range(2):
            call_table(event_id=hall.event.pk, table=1)
        assert len(list_stored_messages(hall.event)) == 1
        for _ in range(2):
            end_call(event_id=hall.event.pk, table=1)
        assert hall.event.actions.filter(kind="end_call").count() == 1


class TestWallMessages:
    @pytest.mark.long
    def test_wall_shows_the_latest_two_messages(self, hall: Hall) -> None:
        for text in ("First", "Second", "Third"):
            send_text(hall, text)
        text = open_board(hall).text
        assert "First" not in text
        assert "Second" in text
        call_table(event_id=hall.event.pk, table=1)
        text = open_board(hall).text
        assert "Second" not in text
        assert "Third" in text


class TestMessageForm:
    @pytest.mark.long
    def test_form_sends_to_everyone_until_the_next_round(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk/messages")
        page = hall.desk.send(page, page.find_form(control_name="text"), text=DINNER)
        assert f"To everybody: {DINNER} until the next round" in page.text

    @pytest.mark.slow
    def test_form_sends_to_a_table_for_some_minutes(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk/messages?table=2")
        page = hall.desk.send(page, page.find_form(control_name="text"), text=DINNER, until="15")
        assert f"To table 2: {DINNER} until" in page.text

    @pytest.mark.parametrize(
        ("typed", "field", "message"),
        [
            ({"text": " "}, "text", "Enter a message. For example, “We eat at eight”"),
            ({"text": "x" * (MAX_MESSAGE_LENGTH + 1)}, "text", "Too long for the wall screen:"),
            ({"text": DINNER, "table": "99"}, "table", "Table 99 is not in this round."),
            ({"text": DINNER, "table": "two"}, "table", "two"),
        ],
    )
    def test_refused_message_keeps_the_typed_values(
        self, hall: Hall, typed: dict[str, str], field: str, message: str
    ) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk/messages")
        page = hall.desk.send(page, page.find_form(control_name="text"), None, follow=True, **typed, until="30")
        assert page.status == 422
        assert message in page.get_field_error(field)
        assert page.find_field(field).value == typed[field]
        assert page.list_checked_values("until") == ["30"]
        assert list_stored_messages(hall.event) == []


class TestRefusedMessages:
    @pytest.mark.parametrize(("minutes", "code"), [(0, "number_too_small"), (241, "number_too_large")])
    def test_invalid_message_duration_is_refused(self, hall: Hall, minutes: int, code: str) -> None:
        with pytest.raises(Refusal) as refused:
            send_text(hall, minutes=minutes)
        assert (refused.value.code, refused.value.field) == (code, "minutes")

    @pytest.mark.slow
    def test_message_limit_is_enforced_until_one_is_withdrawn(self, hall: Hall) -> None:
        for number in range(MAX_MESSAGES):
            send_text(hall, str(number))
        with pytest.raises(Refusal, match="too_many_messages"):
            send_text(hall)
        take_back_message(event_id=hall.event.pk, number=1)
        send_text(hall)

    def test_message_before_the_start_is_refused(self) -> None:
        event = build_event(pairs=4)
        with pytest.raises(Refusal, match="event_not_running"):
            send_message(event_id=event.pk, text=DINNER)

    def test_call_of_an_unknown_table_is_refused(self, hall: Hall) -> None:
        with pytest.raises(Refusal, match="no_such_table_now"):
            call_table(event_id=hall.event.pk, table=99)
