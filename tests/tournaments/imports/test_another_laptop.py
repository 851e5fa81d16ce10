"""A laptop that breaks, and another one that has nothing but the event's file: the phones bring the rest."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from scoring.models import Mark, Match, TableCard
from scoring.services.phones import heard_phones
from tests.builders import (
    a_club,
    a_played_night,
    a_running_night,
    an_account,
    matches_of,
    next_round,
    play,
    play_round,
)
from tests.support.browser import Browser, Page
from tests.support.event_files import brought
from tests.support.hall import Hall, post, typed_hand
from tournaments.event_files import PHONES_KNOW, read_event_file, verify
from tournaments.event_files.queries import event_file_of
from tournaments.models import Event

pytestmark = pytest.mark.django_db

WITH_CODES = "Event file with table codes"


def known_in(page: Page) -> dict[str, Any]:
    """Return what a phone keeps of a page."""
    found: dict[str, Any] = json.loads(page.one("template", id="known").text)
    return found


def marked(phone: Browser, hall: Hall, match: Match) -> dict[str, Any]:
    """Return what a phone knows once it has marked the next hand."""
    match.refresh_from_db()
    assert post(phone, hall.table, typed_hand(match)).status == 200
    return known_in(phone.open(hall.table))


def taken(hall: Hall, link: str) -> bytes:
    """The file, as a director takes it from the desk."""
    address = hall.desk.open(f"/e/{hall.event.short}/desk/print").link(link)
    content: bytes = hall.desk.client.get(address).content
    return content


def lines(match: Match) -> list[tuple[str, int, str, str]]:
    marks = match.marks.order_by("pk")
    return [
        (str(each.entry_key), each.number, each.status, json.dumps(each.record_data, sort_keys=True))
        for each in marks
    ]


def break_laptop(empty: str) -> None:
    """It is gone, with its database and with what it had in memory of its phones."""
    transaction.savepoint_rollback(empty)
    heard_phones.take()


def bring_to_a_new_laptop(file: bytes) -> Event:
    """As its owner does by the page of the club."""
    owner = an_account("Odile Otis")
    club, desk = a_club(owner=owner), Browser(account=owner)
    page = desk.open(f"/club/{club.slug}/import")
    page = desk.send(page, page.form(having="file"), file=SimpleUploadedFile("night.json", file))
    page = desk.send(page, page.form(having="members"))
    assert page.status == 200
    return Event.objects.get()


@pytest.mark.slow
class TestANewLaptop:
    def test_has_every_hand_once_when_the_phones_have_come(self, settings: Any) -> None:
        empty = transaction.savepoint()
        hall = Hall()
        phone = hall.phone()
        marked(phone, hall, hall.match)
        file = taken(hall, WITH_CODES)
        marked(phone, hall, hall.match)
        known = marked(phone, hall, hall.match)
        log, code = lines(hall.match), hall.code
        break_laptop(empty)

        settings.SECRET_KEY = "of another laptop"
        hall.event = bring_to_a_new_laptop(file)
        assert hall.code == code
        assert lines(hall.match) == log[:1]
        phone = hall.phone()
        assert phone.open(hall.table).status == 200
        fourth = typed_hand(hall.match, heard=known["digest"], number=4)
        assert told(phone, hall, fourth) == "behind"
        for _ in range(2):
            answer = post(phone, f"{hall.table}/log", {"logs": json.dumps([known])})
            assert json.loads(answer.html)["logs"][0]["not_taken"] == {}
        assert lines(hall.match) == log
        heard = json.loads(answer.html)["known"]["digest"]
        assert told(phone, hall, fourth | {"heard": heard}) == "recorded"
        assert [each.status for each in hall.match.marks.all()] == ["current"] * 4

    def test_has_a_round_that_was_drawn_after_its_file_once_it_is_drawn_again(self, settings: Any) -> None:
        empty = transaction.savepoint()
        hall = Hall()
        play_round(hall.event)
        file = taken(hall, WITH_CODES)
        next_round(hall.event)
        phone = hall.phone()
        first = known_in(phone.open(hall.table))
        known = marked(phone, hall, matches_of(hall.event, 2)[0])
        assert first["match"]["round_number"] == 2
        log = lines(matches_of(hall.event, 2)[0])
        break_laptop(empty)

        settings.SECRET_KEY = "of another laptop"
        hall.event = bring_to_a_new_laptop(file)
        phone = hall.phone()
        phone.open(hall.table)
        answer = post(phone, f"{hall.table}/log", {"logs": json.dumps([known])})
        assert json.loads(answer.html)["logs"] == [{"known": None, "not_taken": {}}]
        next_round(hall.event)
        post(phone, f"{hall.table}/log", {"logs": json.dumps([known])})
        assert lines(matches_of(hall.event, 2)[0]) == log


def told(phone: Browser, hall: Hall, hand: dict[str, Any]) -> str:
    """Return what a phone hears of a hand that it sends."""
    receipt = post(phone, hall.table, hand, follow=False).response.headers["Charlemagne-Entry"]
    return str(receipt.split()[1])


class TestTheFile:
    @pytest.mark.slow
    def test_that_is_handed_on_says_no_code_and_tells_the_same_sum(self) -> None:
        hall = Hall()
        play(hall.match, "A 6 7")
        to_hand_on, own = (taken(hall, link) for link in ("Event file", WITH_CODES))
        for secret in (hall.code, str(hall.match.marks.get().entry_key)):
            assert secret.encode() in own
            assert secret.encode() not in to_hand_on
        assert PHONES_KNOW not in read_event_file(to_hand_on)
        assert read_event_file(to_hand_on)["sum"] == read_event_file(own)["sum"]

    def test_with_codes_is_the_organizers(self) -> None:
        hall = Hall()
        address = f"/e/{hall.event.short}/desk/file-with-codes"
        assert hall.desk.client.get(address).status_code == 200
        assert hall.phone().open(address).path == "/sign-in"

    @pytest.mark.slow
    def test_with_codes_is_the_same_event_where_it_is_already(self) -> None:
        """Its codes and keys are taken there, so the copy has its own."""
        event = a_played_night()
        content = event_file_of(event, for_phones=True)
        copy = brought(content)
        assert event_file_of(copy)["sum"] == content["sum"]
        assert Mark.objects.filter(match__terms=copy.terms).count() == sum(
            len(log["keys"]) for log in content[PHONES_KNOW]["logs"]
        )

    @pytest.mark.slow
    def test_gives_no_code_to_a_club_beside_others(self) -> None:
        """Else it would learn which codes are theirs."""
        empty = transaction.savepoint()
        content = event_file_of(a_running_night(), for_phones=True)
        break_laptop(empty)
        a_running_night(club=a_club("Les Voisins"))
        codes = {code for _, code in content[PHONES_KNOW]["codes"]}
        taken_before = set(TableCard.objects.values_list("code", flat=True))
        brought(content)
        assert not codes & set(
            TableCard.objects.exclude(code__in=taken_before).values_list("code", flat=True)
        )

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
    def test_whose_codes_or_keys_fit_nothing_is_found(self, spoil: Any) -> None:
        event = a_running_night()
        for match in matches_of(event):
            play(match, "A 6 7")
        content = event_file_of(event, for_phones=True)
        assert not verify(content).differences
        spoil(content[PHONES_KNOW])
        codes = [each.code for each in verify(content).differences]
        assert codes == ["sum_is_other", "phones_unsound"]
