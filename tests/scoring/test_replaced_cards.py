"""Secrets of table cards, replacement of a card, and the phones already at its table."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.card_secrets import derive_secret
from scoring.models import TableCard, TablePhone
from scoring.qr import build_card_url
from scoring.services.cards import close_cards, issue_cards, reopen_cards, replace_card
from scoring.services.phones import write_phone_reports
from tests.builders import build_club, get_score
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=4)


def open_phones_page(hall: Hall) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk/cards/1/phones")


PHONES_TOO_BUTTON = ("all", "1")


def replace_at_desk(hall: Hall, button: tuple[str, str] | None = None) -> TableCard:
    """Replace the card of table 1 at the desk and return the new card."""
    page = open_phones_page(hall)
    hall.desk.send(page, page.find_form(control_name="digits"), button)
    return hall.card


def open_phone_at_table(hall: Hall) -> Browser:
    phone = hall.add_phone()
    phone.open(hall.table)
    phone.open(hall.table)
    write_phone_reports()
    return phone


@pytest.mark.slow
def test_list_of_phones_says_which_one_keeps_score(hall: Hall) -> None:
    open_phone_at_table(hall)
    second = open_phone_at_table(hall)
    tap(second, second.open(hall.table), "A-6-7")
    one, other = TablePhone.objects.order_by("pk").values_list("device", flat=True)
    page = open_phones_page(hall)
    assert f"Phone 1 ({one[:4]})last seen" in page.text
    assert f"Phone 2 ({other[:4]}) · keeps score" in page.text


class TestCardSecret:
    def test_card_secret_is_unique_and_128_bits_long(self, hall: Hall) -> None:
        secrets = {card.secret for card in TableCard.objects.all()}
        assert len(secrets) == TableCard.objects.count()
        assert {len(secret) for secret in secrets} == {22}

    def test_reused_code_gets_another_secret(self, hall: Hall) -> None:
        assert derive_secret(hall.card.pk + 1, hall.code) != hall.card.secret

    @pytest.mark.long
    def test_secret_of_another_card_opens_nothing(self, hall: Hall) -> None:
        other = TableCard.objects.exclude(pk=hall.card.pk)[0]
        replace_at_desk(hall)
        page = hall.add_phone().open(f"{hall.table}?card={other.secret}")
        assert page.status == 403

    def test_card_secret_is_not_stored(self, hall: Hall) -> None:
        rows = str(list(TableCard.objects.values_list()))
        assert hall.card.secret not in rows


class TestReplacedCard:
    @pytest.mark.long
    def test_replaced_card_no_longer_opens_the_table(self, hall: Hall) -> None:
        card_url, digits = build_card_url("/", hall.card), hall.code
        card = replace_at_desk(hall)
        assert card.digits != digits
        for address in (card_url, f"/t/{digits}"):
            page = hall.add_phone().open(address)
            assert page.status == 403
            assert "This card was replaced." in page.text

    @pytest.mark.long
    @pytest.mark.parametrize("button", [None, PHONES_TOO_BUTTON])
    def test_new_card_opens_the_same_table(self, hall: Hall, button: tuple[str, str] | None) -> None:
        table = hall.table
        card = replace_at_desk(hall, button)
        page = hall.add_phone().open(build_card_url("/", card))
        assert (page.status, page.path) == (200, table)
        phone = hall.add_phone()
        home = phone.open("/")
        page = phone.send(home, home.find_form(control_name="code"), code=card.digits)
        assert (page.status, page.path) == (200, table)
        assert tap(phone, page, "A-6-7").status == 200
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.long
    def test_replacement_keeps_connected_phones(self, hall: Hall) -> None:
        phone = hall.add_phone()
        page = phone.open(hall.table)
        replace_at_desk(hall)
        assert tap(phone, page, "A-6-7").status == 200
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.slow
    def test_replacement_can_disconnect_phones_until_rescanned(self, hall: Hall) -> None:
        phone = open_phone_at_table(hall)
        card = replace_at_desk(hall, PHONES_TOO_BUTTON)
        assert phone.open(hall.table).status == 403
        assert not TablePhone.objects.exists()
        assert phone.open(build_card_url("/", card)).status == 200
        assert phone.open(hall.table).status == 200

    @pytest.mark.long
    def test_resubmitted_form_replaces_the_card_once(self, hall: Hall) -> None:
        page = open_phones_page(hall)
        for _ in range(2):
            hall.desk.send(page, page.find_form(control_name="digits"))
        assert hall.event.actions.filter(kind="replace_card").count() == 1

    @pytest.mark.long
    def test_api_accepts_only_the_new_digits(self, hall: Hall) -> None:
        before = hall.code
        card = replace_at_desk(hall)
        assert Browser().open(f"/api/tables/{card.digits}").status == 200
        assert Browser().open(f"/api/tables/{before}").status == 403

    def test_new_digits_are_unique_among_cards(self, hall: Hall) -> None:
        card = replace_at_desk(hall)
        other_codes = set(TableCard.objects.exclude(pk=card.pk).values_list("code", "new_digits"))
        assert card.digits not in {code for each in other_codes for code in each}


class TestTablePhones:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_desk_lists_phones_and_can_remove_one(self, hall: Hall) -> None:
        phone, neighbour = open_phone_at_table(hall), open_phone_at_table(hall)
        tap(phone, phone.open(hall.table), "A-6-7")
        page = open_phones_page(hall)
        assert "1 hand recorded" in page.text
        assert "0 hands recorded" in page.text
        first = hall.card.phones.earliest("pk")
        hall.desk.send(page, page.find_form(action=f"phones/{first.pk}/turn-away"))
        gone = phone.open(hall.table)
        assert gone.status == 403
        assert "The desk removed this phone from this table" in gone.text
        assert phone.open(build_card_url("/", hall.card)).status == 403
        assert neighbour.open(hall.table).status == 200
        assert get_score(hall.match) == [6, 0]


class TestReusedCodes:
    def test_code_is_reused_long_after_its_event(self) -> None:
        (old,) = issue_cards(club=build_club(), topic="monday", count=1)
        close_cards(topic="monday")
        taken = {1: old.code}
        (soon,) = issue_cards(club=old.club, topic="tuesday", count=1, codes=taken)
        assert soon.code != old.code
        TableCard.objects.filter(pk=old.pk).update(closed_at=timezone.now() - timedelta(days=61))
        (late,) = issue_cards(club=old.club, topic="later", count=1, codes=taken)
        assert late.code == old.code
        reopen_cards(topic="monday")
        old.refresh_from_db()
        assert old.closed_at is None
        assert old.code != late.code

    def test_reused_code_opens_the_current_event(self, hall: Hall) -> None:
        code = hall.code
        club = build_club()
        (old,) = issue_cards(club=club, topic="long ago", count=1)
        TableCard.objects.filter(pk=old.pk).update(code=code, closed_at=timezone.now())
        assert hall.add_phone().open(hall.table).status == 200

    def test_closed_card_is_not_replaced(self) -> None:
        (card,) = issue_cards(club=build_club(), topic="monday", count=1)
        close_cards(topic="monday")
        assert replace_card(topic="monday", number=1, digits=card.digits, are_phones_admitted=True) is None


@pytest.mark.long
def test_wrong_code_limit_shrinks_with_open_tables(hall: Hall) -> None:
    club = build_club()
    issue_cards(club=club, topic="a federation", count=1000)
    wrong = (f"{number:06}" for number in range(1_000_000))
    have = set(TableCard.objects.values_list("code", flat=True))
    assert hall.add_phone(address="192.0.2.9").open(f"/t/{next(c for c in wrong if c not in have)}").status == 404
    assert hall.add_phone(address="192.0.2.9").open(hall.table).status == 429
    assert hall.add_phone(address="192.0.2.9").open(build_card_url("/", hall.card)).status == 200
