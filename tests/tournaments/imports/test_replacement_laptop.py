"""A broken laptop is replaced by another with only the event file; phones restore the rest."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Account
from scoring.models import Mark, Match, TableCard
from scoring.services.phones import phone_reports
from tests.builders import (
    build_account,
    build_club,
    build_played_night,
    build_running_night,
    matches_of,
    play,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser, Page
from tests.support.event_files import import_event
from tests.support.hall import Hall, build_hand_form, post_form
from tournaments.entries.services.entry_actions import substitute_player, withdraw_entry
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import PHONE_KEYS_PART
from tournaments.event_files.verifying import verify_event_file
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.messages.services import send_message
from tournaments.models import Event
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.rounds.services.clock import add_minutes, begin_round, pause_clock
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.rounds.services.tables import swap_entries

pytestmark = pytest.mark.django_db

FILE_WITH_CODES = "Event file with table codes"


def read_known_values(page: Page) -> dict[str, Any]:
    """Return the values that a page gives a phone to store."""
    found: dict[str, Any] = json.loads(page.find_one("template", id="known").text)
    return found


def mark_next_hand(phone: Browser, hall: Hall, match: Match) -> dict[str, Any]:
    """Mark the next hand and return the values that the phone then stores."""
    match.refresh_from_db()
    assert post_form(phone, hall.table, build_hand_form(match)).status == 200
    return read_known_values(phone.open(hall.table))


def download_file(hall: Hall, link: str) -> bytes:
    """Download a file from the desk's print page."""
    address = hall.desk.open(f"/e/{hall.event.short}/desk/print").find_link(link)
    content: bytes = hall.desk.client.get(address).content
    return content


def list_marks(match: Match) -> list[tuple[str, int, str, str]]:
    marks = match.marks.order_by("pk")
    return [
        (str(each.entry_key), each.number, each.status, json.dumps(each.record_data, sort_keys=True)) for each in marks
    ]


def delete_laptop_data(empty: str) -> None:
    """Delete the laptop's database and its in-memory reports from phones."""
    transaction.savepoint_rollback(empty)
    phone_reports.take_all()


def bring_to_a_new_laptop(file: bytes) -> Event:
    """Import the event file on a new laptop, as its owner does on the club's page."""
    owner = build_account("Odile Otis")
    club, desk = build_club(owner=owner), Browser(account=owner)
    page = desk.open(f"/club/{club.slug}/import")
    page = desk.send(page, page.find_form(control_name="file"), file=SimpleUploadedFile("night.json", file))
    page = desk.send(page, page.find_form(control_name="members"))
    assert page.status == 200
    return Event.objects.get()


@pytest.mark.slow
class TestReplacementLaptop:
    @pytest.mark.long
    def test_phones_restore_every_hand_once(self, settings: Any) -> None:
        empty = transaction.savepoint()
        hall = Hall()
        phone = hall.add_phone()
        mark_next_hand(phone, hall, hall.match)
        file = download_file(hall, FILE_WITH_CODES)
        mark_next_hand(phone, hall, hall.match)
        phone_log = mark_next_hand(phone, hall, hall.match)
        log, code = list_marks(hall.match), hall.code
        delete_laptop_data(empty)

        settings.SECRET_KEY = "of another laptop"
        hall.event = bring_to_a_new_laptop(file)
        assert hall.code == code
        assert list_marks(hall.match) == log[:1]
        phone = hall.add_phone()
        assert phone.open(hall.table).status == 200
        fourth = build_hand_form(hall.match, heard=phone_log["digest"], number=4)
        assert get_receipt(phone, hall, fourth) == "behind"
        for _ in range(2):
            answer = post_form(phone, f"{hall.table}/log", {"logs": json.dumps([phone_log])})
            assert json.loads(answer.html)["logs"][0]["not_taken"] == {}
        assert list_marks(hall.match) == log
        heard = json.loads(answer.html)["known"]["digest"]
        assert get_receipt(phone, hall, fourth | {"heard": heard}) == "recorded"
        assert [each.status for each in hall.match.marks.all()] == ["current"] * 4

    def test_phones_restore_a_round_drawn_again(self, settings: Any) -> None:
        empty = transaction.savepoint()
        hall = Hall()
        play_round(hall.event)
        file = download_file(hall, FILE_WITH_CODES)
        start_next_round(hall.event)
        phone = hall.add_phone()
        first = read_known_values(phone.open(hall.table))
        phone_log = mark_next_hand(phone, hall, matches_of(hall.event, 2)[0])
        assert first["match"]["round_number"] == 2
        log = list_marks(matches_of(hall.event, 2)[0])
        delete_laptop_data(empty)

        settings.SECRET_KEY = "of another laptop"
        hall.event = bring_to_a_new_laptop(file)
        phone = hall.add_phone()
        phone.open(hall.table)
        answer = post_form(phone, f"{hall.table}/log", {"logs": json.dumps([phone_log])})
        assert json.loads(answer.html)["logs"] == [{"known": None, "not_taken": {}}]
        start_next_round(hall.event)
        post_form(phone, f"{hall.table}/log", {"logs": json.dumps([phone_log])})
        assert list_marks(matches_of(hall.event, 2)[0]) == log

    def test_continues_with_payments_prizes_clock_messages_and_history(self, settings: Any) -> None:
        empty = transaction.savepoint()
        hall = Hall()
        run_the_desk(hall)
        before = read_desk(hall.desk, hall.event)
        file = download_file(hall, FILE_WITH_CODES)
        delete_laptop_data(empty)

        settings.SECRET_KEY = "of another laptop"
        event = bring_to_a_new_laptop(file)
        desk = Browser(account=Account.objects.get())
        after = read_desk(desk, event)
        assert after["history"][1:] == before.pop("history")
        assert {name: after[name] for name in before} == before
        file_there = build_event_file(event, with_phone_keys=True)
        assert not verify_event_file(file_there).differences
        for action in list(event.actions.filter(kind__in=("pay_fee", "swap_entries", "withdraw_entry"))):
            undo_action(event_id=event.pk, action_id=action.pk)
        assert not event.fees.exists()
        assert not verify_event_file(build_event_file(event)).differences


def run_the_desk(hall: Hall) -> None:
    """Do at the desk what no table records: fees, prize, clock, message, undone swap, withdrawal."""
    event, by = hall.event, Actor(account=hall.owner)
    first, last = event.entries.first(), event.entries.last()
    assert first is not None
    assert last is not None
    change_rates(event_id=event.pk, rates=Rates(member=500, guest=700), by=by)
    pay_fee(event_id=event.pk, person_id=first.player_1.pk, by=by)
    give_prize(event_id=event.pk, winners=[last.player_1_id], details=PrizeDetails(name="Ham", amount=2_000), by=by)
    substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zidane", by=by)
    play_round(event)
    draw_round(event_id=event.pk, seed=1, by=by)
    swap_entries(event_id=event.pk, number=2, one=1, other=4, by=by)
    publish_round(event_id=event.pk, number=2, by=by)
    begin_round(event_id=event.pk, number=2, minutes=30, by=by)
    add_minutes(event_id=event.pk, number=2, by=by)
    pause_clock(event_id=event.pk, number=2, by=by)
    send_message(event_id=event.pk, text="Soup at nine", by=by)
    withdraw_entry(event_id=event.pk, number=4, by=by)


def read_desk(desk: Browser, event: Event) -> dict[str, Any]:
    """Return what the desk shows of an event, apart from its results."""
    event.refresh_from_db()
    start = f"/e/{event.short}/desk"
    lines = [each.text for each in desk.open(f"{start}/history").find_one("ol").find_all("li")]
    clock = event.rounds.filter(number=2).values(
        *("clock_minutes", "added_minutes", "paused_at", "paused_seconds", "started_at", "last_hand_at")
    )
    return {
        "history": [line.replace("Undo", "").strip() for line in lines],
        "money": [desk.open(f"{start}/{page}").find_one("main").text.split() for page in ("fees", "fees/treasurer")],
        "prizes": list(event.prizes.values_list("name", "amount", "winner_1__name")),
        "clock": list(clock),
        "messages": event.messages,
    }


def get_receipt(phone: Browser, hall: Hall, hand: dict[str, Any]) -> str:
    """Send a hand and return the code that the phone receives for it."""
    receipt = post_form(phone, hall.table, hand, follow=False).response.headers["Charlemagne-Entry"]
    return str(receipt.split()[1])


class TestFileWithCodes:
    @pytest.mark.long
    def test_shareable_file_has_no_codes_but_the_same_checksum(self) -> None:
        hall = Hall()
        play(hall.match, "A 6 7")
        to_hand_on, own = (download_file(hall, link) for link in ("Event file", FILE_WITH_CODES))
        for secret in (hall.code, str(hall.match.marks.get().entry_key)):
            assert secret.encode() in own
            assert secret.encode() not in to_hand_on
        assert PHONE_KEYS_PART not in read_event_file(to_hand_on)
        assert read_event_file(to_hand_on)["sum"] == read_event_file(own)["sum"]

    def test_file_with_codes_requires_sign_in(self) -> None:
        hall = Hall()
        address = f"/e/{hall.event.short}/desk/file-with-codes"
        assert hall.desk.client.get(address).status_code == 200
        assert hall.add_phone().open(address).path == "/sign-in"

    @pytest.mark.long
    def test_copy_beside_the_original_gets_its_own_codes(self) -> None:
        """The original event keeps its codes and keys, so the copy gets new ones."""
        event = build_played_night()
        content = build_event_file(event, with_phone_keys=True)
        copy = import_event(content)
        assert build_event_file(copy)["sum"] == content["sum"]
        assert Mark.objects.filter(match__terms=copy.terms).count() == sum(
            len(log["keys"]) for log in content[PHONE_KEYS_PART]["logs"]
        )

    @pytest.mark.long
    def test_import_beside_another_club_reuses_no_code(self) -> None:
        """Otherwise the importing club would learn which codes the other club uses."""
        empty = transaction.savepoint()
        content = build_event_file(build_running_night(), with_phone_keys=True)
        delete_laptop_data(empty)
        build_running_night(club=build_club("Les Voisins"))
        codes = {code for _, code in content[PHONE_KEYS_PART]["codes"]}
        taken_before = set(TableCard.objects.values_list("code", flat=True))
        import_event(content)
        assert not codes & set(TableCard.objects.exclude(code__in=taken_before).values_list("code", flat=True))

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda phones: phones["codes"].append([99, phones["codes"][0][1]]),
            lambda phones: phones["codes"].append([phones["codes"][0][0], "000000"]),
            lambda phones: phones["logs"][0]["keys"].pop(),
            lambda phones: phones["logs"][0].update(table=99),
            lambda phones: phones["logs"][1].update(keys=phones["logs"][0]["keys"]),
        ],
    )
    def test_invalid_codes_or_keys_are_detected(self, spoil: Any) -> None:
        event = build_running_night()
        for match in matches_of(event):
            play(match, "A 6 7")
        content = build_event_file(event, with_phone_keys=True)
        assert not verify_event_file(content).differences
        spoil(content[PHONE_KEYS_PART])
        codes = [each.code for each in verify_event_file(content).differences]
        assert codes == ["sum_is_other", "phones_unsound"]
