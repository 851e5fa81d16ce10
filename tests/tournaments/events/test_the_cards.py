"""The cards that lie on the tables: one for each, its code in digits and as a square to scan."""

import re

import pytest
import segno
from django.test import override_settings

from scoring.models import TableCard
from scoring.qr import card_url
from tests.builders import an_event, next_round, play_round
from tests.support.browser import Browser
from tests.support.hall import NETWORK, Hall
from tests.support.markup import Element

pytestmark = pytest.mark.django_db


def drawn(square: Element) -> set[tuple[int, int]]:
    """The dark modules of a QR code drawn by strokes of width 1: moves, and lines to the right."""
    (path,) = square.every("path")
    dark, x, y = set(), 0.0, 0.0
    for command, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path.attrs["d"]):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if command == "h":
            dark |= {(int(column), int(y)) for column in range(int(x), int(x + values[0]))}
            x += values[0]
        else:
            x, y = values if command == "M" else (x + values[0], y + values[1])
    return dark


def meant(address: str) -> set[tuple[int, int]]:
    rows = segno.make(address, error="m", micro=False).matrix
    return {(x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module}


@pytest.mark.slow
def test_there_is_one_for_every_table_with_its_number_and_its_code() -> None:
    hall = Hall(pairs=4, tables=3)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    cards = page.every("section", class_="table-card")
    assert [card.one("h2").text for card in cards] == ["Table 1", "Table 2", "Table 3"]
    for element, card in zip(cards, TableCard.objects.order_by("number"), strict=True):
        assert f"{card.code[:3]} {card.code[3:]}" in element.text.replace("\u00a0", " ")
        assert card.letters in element.text


def test_its_square_leads_to_its_table() -> None:
    hall = Hall(pairs=4)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    for element, card in zip(
        page.every("svg", class_="qr"), TableCard.objects.order_by("number"), strict=True
    ):
        address = f"http://testserver/t/{card.code}?card={card.secret}"
        assert drawn(element) == meant(address)
        assert Browser().open(address.removeprefix("http://testserver")).status == 200


def test_its_square_has_the_address_under_which_the_page_was_opened() -> None:
    hall = Hall(pairs=2)
    hall.desk.client.defaults["HTTP_HOST"] = "192.168.1.40:8000"
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert drawn(page.one("svg", class_="qr")) == meant(card_url("http://192.168.1.40:8000/", hall.card))
    assert "192.168.1.40:8000" in page.one("section", class_="table-card").text


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_its_square_leads_to_this_computer_on_the_network_where_the_desk_calls_it_localhost(
    host: str,
) -> None:
    hall = Hall(pairs=2)
    hall.desk.client.defaults["HTTP_HOST"] = host
    with override_settings(PHONE_URL="tests.support.hall.on_the_network"):
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert drawn(page.one("svg", class_="qr")) == meant(card_url(NETWORK.format(8000), hall.card))
    assert "192.0.2.40:8000" in page.one("section", class_="table-card").text
    with override_settings(PHONE_URL="tests.support.hall.on_no_network"):
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert drawn(page.one("svg", class_="qr")) == meant(card_url(f"http://{host}/", hall.card))
    assert "Phones cannot reach this computer" in page.text


def test_it_says_in_both_languages_what_to_do() -> None:
    hall = Hall(pairs=2)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    other = page.one("section", class_="table-card").one("p", lang="fr")
    assert other.text not in ("", "Scan to keep score. No app, no account.")


@pytest.mark.snapshot
def test_there_are_none_before_the_evening_starts() -> None:
    hall = Hall()
    event = an_event(club=hall.event.club)
    page = hall.desk.open(f"/e/{event.short}/desk/cards")
    assert page.status == 200
    assert "No cards yet" in page.text


class TestOnAScreen:
    """One table after the other, for phones to scan from the desk."""

    def test_they_are_offered_once_the_first_round_is_published(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.link("Show table cards") == f"/e/{hall.event.short}/desk/cards/1"

    @pytest.mark.slow
    def test_they_are_no_longer_offered_there_in_later_rounds_but_stay_in_the_menu(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        next_round(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Show table cards" not in page.text
        assert page.link("Table cards") == f"/e/{hall.event.short}/desk/cards/1"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_each_has_its_square_and_its_code_and_leads_to_those_beside_it(self) -> None:
        hall = Hall(pairs=4, tables=3)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards/1")
        for card in TableCard.objects.order_by("number"):
            assert page.one("h1").text == f"Table {card.number}"
            assert drawn(page.one("svg", class_="qr")) == meant(card_url("http://testserver/", card))
            assert f"{card.code[:3]} {card.code[3:]}" in page.text.replace("\u00a0", " ")
            assert card.letters in page.text
            if card.number < 3:
                page = hall.desk.open(page.link(f"Table {card.number + 1} →"))
        assert page.link("← Table 2")

    def test_there_is_none_of_a_table_that_there_is_not(self) -> None:
        hall = Hall(pairs=4)
        assert hall.desk.open(f"/e/{hall.event.short}/desk/cards/99").status == 404

    def test_who_has_no_role_sees_none(self) -> None:
        hall = Hall(pairs=4)
        assert hall.phone().open(f"/e/{hall.event.short}/desk/cards/1").every("svg", class_="qr") == []


class TestAtTheTablesPageOfTheDesk:
    def test_its_square_and_its_code_are_there_while_the_round_is_played(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(hall.ruled)
        assert drawn(page.one("svg", class_="qr")) == meant(card_url("http://testserver/", hall.card))
        assert f"{hall.code[:3]} {hall.code[3:]}" in page.text.replace("\u00a0", " ")
        assert page.link("Show table card") == f"/e/{hall.event.short}/desk/cards/1"

    def test_they_are_not_on_the_screen_of_the_table(self) -> None:
        hall = Hall(pairs=4)
        assert not hall.phone().open(hall.table).every("svg", class_="qr")
