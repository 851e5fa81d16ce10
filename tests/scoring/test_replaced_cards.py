"""A card with a secret in its square; another one in its place; and the phones that were there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.card_secrets import secret_of
from scoring.models import TableCard, TablePhone
from scoring.qr import card_url
from scoring.services import close_cards, issue_cards, reopen_cards, replace_card, write_phones
from tests.builders import a_club, score
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=4)


def phones_page(hall: Hall) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk/cards/1/phones")


PHONES_TOO = ("all", "1")


def replaced(hall: Hall, button: tuple[str, str] | None = None) -> TableCard:
    """The card of table 1, after one tap at the desk."""
    page = phones_page(hall)
    hall.desk.send(page, page.form(having="digits"), button)
    return hall.card


def there_before(hall: Hall) -> Browser:
    phone = hall.phone()
    phone.open(hall.table)
    phone.open(hall.table)
    write_phones()
    return phone


class TestTheSquareOfACard:
    def test_holds_128_bits_that_are_of_this_card_and_of_no_other(self, hall: Hall) -> None:
        secrets = {card.secret for card in TableCard.objects.all()}
        assert len(secrets) == TableCard.objects.count()
        assert {len(secret) for secret in secrets} == {22}

    def test_is_another_one_once_its_digits_are_used_again(self, hall: Hall) -> None:
        assert secret_of(hall.card.pk + 1, hall.code) != hall.card.secret

    def test_of_another_card_opens_nothing_that_the_code_alone_does_not(self, hall: Hall) -> None:
        other = TableCard.objects.exclude(pk=hall.card.pk)[0]
        replaced(hall)
        page = hall.phone().open(f"{hall.table}?card={other.secret}")
        assert page.status == 403

    def test_is_in_no_row_of_the_database(self, hall: Hall) -> None:
        rows = str(list(TableCard.objects.values_list()))
        assert hall.card.secret not in rows


class TestAnotherCardInItsPlace:
    def test_kills_the_square_and_the_digits_of_the_one_before(self, hall: Hall) -> None:
        square, digits = card_url("/", hall.card), hall.code
        card = replaced(hall)
        assert card.digits != digits
        for address in (square, f"/t/{digits}"):
            page = hall.phone().open(address)
            assert page.status == 403
            assert "This card was replaced." in page.text

    @pytest.mark.slow
    @pytest.mark.parametrize("button", [None, PHONES_TOO])
    def test_opens_by_its_square_and_by_its_digits_the_same_table_as_before(
        self, hall: Hall, button: tuple[str, str] | None
    ) -> None:
        table = hall.table
        card = replaced(hall, button)
        page = hall.phone().open(card_url("/", card))
        assert (page.status, page.path) == (200, table)
        phone = hall.phone()
        home = phone.open("/")
        page = phone.send(home, home.form(having="code"), code=card.digits)
        assert (page.status, page.path) == (200, table)
        assert tap(phone, page, "A-6-7").status == 200
        assert score(hall.match) == [6, 0]

    @pytest.mark.slow
    def test_leaves_the_phones_that_were_there_where_they_are(self, hall: Hall) -> None:
        phone = hall.phone()
        page = phone.open(hall.table)
        replaced(hall)
        assert tap(phone, page, "A-6-7").status == 200
        assert score(hall.match) == [6, 0]

    @pytest.mark.slow
    def test_turns_them_away_too_where_the_desk_wants_that_until_they_have_the_new_card(
        self, hall: Hall
    ) -> None:
        phone = there_before(hall)
        card = replaced(hall, PHONES_TOO)
        assert phone.open(hall.table).status == 403
        assert not TablePhone.objects.exists()
        assert phone.open(card_url("/", card)).status == 200
        assert phone.open(hall.table).status == 200

    def test_is_one_however_often_the_same_form_is_sent(self, hall: Hall) -> None:
        page = phones_page(hall)
        for _ in range(2):
            hall.desk.send(page, page.form(having="digits"))
        assert hall.event.actions.filter(kind="replace_card").count() == 1

    def test_opens_for_programs_by_its_new_digits_only(self, hall: Hall) -> None:
        before = hall.code
        card = replaced(hall)
        assert Browser().open(f"/api/tables/{card.digits}").status == 200
        assert Browser().open(f"/api/tables/{before}").status == 403

    def test_has_digits_by_which_no_other_table_is_known(self, hall: Hall) -> None:
        card = replaced(hall)
        known = set(TableCard.objects.exclude(pk=card.pk).values_list("code", "new_digits"))
        assert card.digits not in {code for each in known for code in each}


class TestThePhonesOfATable:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_are_at_the_desk_with_what_they_marked_and_one_is_turned_away(self, hall: Hall) -> None:
        phone, neighbour = there_before(hall), there_before(hall)
        tap(phone, phone.open(hall.table), "A-6-7")
        page = phones_page(hall)
        assert "1 hand recorded" in page.text
        assert "0 hands recorded" in page.text
        first = hall.card.phones.earliest("pk")
        hall.desk.send(page, page.form(action=f"phones/{first.pk}/turn-away"))
        gone = phone.open(hall.table)
        assert gone.status == 403
        assert "The desk removed this phone from this table" in gone.text
        assert phone.open(card_url("/", hall.card)).status == 403
        assert neighbour.open(hall.table).status == 200
        assert score(hall.match) == [6, 0]


class TestCodesOfManyEvenings:
    def test_are_free_again_long_after_theirs_is_over(self) -> None:
        (old,) = issue_cards(club=a_club(), topic="monday", count=1)
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

    def test_lead_to_the_evening_that_is_open(self, hall: Hall) -> None:
        code = hall.code
        club = a_club()
        (old,) = issue_cards(club=club, topic="long ago", count=1)
        TableCard.objects.filter(pk=old.pk).update(code=code, closed_at=timezone.now())
        assert hall.phone().open(hall.table).status == 200

    def test_are_not_replaced_once_the_evening_is_over(self) -> None:
        (card,) = issue_cards(club=a_club(), topic="monday", count=1)
        close_cards(topic="monday")
        assert replace_card(topic="monday", number=1, digits=card.digits, is_kept_by_phones=True) is None


@pytest.mark.slow
def test_the_more_tables_are_open_the_fewer_wrong_codes_bring_the_question_for_letters(hall: Hall) -> None:
    club = a_club()
    issue_cards(club=club, topic="a federation", count=1000)
    wrong = (f"{number:06}" for number in range(1_000_000))
    have = set(TableCard.objects.values_list("code", flat=True))
    assert hall.phone(address="192.0.2.9").open(f"/t/{next(c for c in wrong if c not in have)}").status == 404
    assert hall.phone(address="192.0.2.9").open(hall.table).status == 429
    assert hall.phone(address="192.0.2.9").open(card_url("/", hall.card)).status == 200
