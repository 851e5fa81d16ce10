"""Table cards: one per table, with its code in digits and as a QR code."""

import re

import pytest
import segno
from django.test import override_settings

from scoring.models import TableCard
from scoring.qr import build_card_url
from tests.builders import build_event, play_round, start_next_round
from tests.support.browser import Browser
from tests.support.hall import NETWORK, Hall
from tests.support.markup import Element

pytestmark = pytest.mark.django_db


def parse_qr_modules(qr_code: Element) -> set[tuple[int, int]]:
    """Return the dark modules of a QR code drawn as strokes of width 1: moves, and lines to the right."""
    (path,) = qr_code.find_all("path")
    dark, x, y = set(), 0.0, 0.0
    for command, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path.attrs["d"]):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if command == "h":
            dark |= {(int(column), int(y)) for column in range(int(x), int(x + values[0]))}
            x += values[0]
        else:
            x, y = values if command == "M" else (x + values[0], y + values[1])
    return dark


def list_expected_modules(address: str) -> set[tuple[int, int]]:
    rows = segno.make(address, error="m", micro=False).matrix
    return {(x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module}


@pytest.mark.long
def test_every_table_has_a_card_with_its_number_and_code() -> None:
    hall = Hall(pairs=4, tables=3)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    cards = page.find_all("section", class_="table-card")
    assert [card.find_one("h2").text for card in cards] == ["Table 1", "Table 2", "Table 3"]
    for element, card in zip(cards, TableCard.objects.order_by("number"), strict=True):
        assert f"{card.code[:3]} {card.code[3:]}" in element.text.replace("\u00a0", " ")
        assert card.letters in element.text


@pytest.mark.long
def test_qr_code_leads_to_its_table() -> None:
    hall = Hall(pairs=4)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    for element, card in zip(page.find_all("svg", class_="qr"), TableCard.objects.order_by("number"), strict=True):
        address = f"http://testserver/t/{card.code}?card={card.secret}"
        assert parse_qr_modules(element) == list_expected_modules(address)
        assert Browser().open(address.removeprefix("http://testserver")).status == 200


@pytest.mark.long
def test_qr_code_uses_the_address_of_the_request() -> None:
    hall = Hall(pairs=2)
    hall.desk.client.defaults["HTTP_HOST"] = "192.168.1.40:8000"
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert parse_qr_modules(page.find_one("svg", class_="qr")) == list_expected_modules(
        build_card_url("http://192.168.1.40:8000/", hall.card)
    )
    assert "192.168.1.40:8000" in page.find_one("section", class_="table-card").text


@pytest.mark.slow
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_qr_code_replaces_localhost_with_the_network_address(
    host: str,
) -> None:
    hall = Hall(pairs=2)
    hall.desk.client.defaults["HTTP_HOST"] = host
    with override_settings(PHONE_URL="tests.support.hall.find_network_address"):
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert parse_qr_modules(page.find_one("svg", class_="qr")) == list_expected_modules(
        build_card_url(NETWORK.format(8000), hall.card)
    )
    assert "192.0.2.40:8000" in page.find_one("section", class_="table-card").text
    with override_settings(PHONE_URL="tests.support.hall.find_no_address"):
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert parse_qr_modules(page.find_one("svg", class_="qr")) == list_expected_modules(
        build_card_url(f"http://{host}/", hall.card)
    )
    assert "Phones cannot reach this computer" in page.text


def test_table_card_gives_instructions_in_both_languages() -> None:
    hall = Hall(pairs=2)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    other = page.find_one("section", class_="table-card").find_one("p", lang="fr")
    assert other.text not in ("", "Scan to keep score. No app, no account.")


@pytest.mark.slow
@pytest.mark.snapshot
def test_event_has_no_cards_before_the_start() -> None:
    hall = Hall()
    event = build_event(club=hall.event.club)
    page = hall.desk.open(f"/e/{event.short}/desk/cards")
    assert page.status == 200
    assert "No cards yet" in page.text


class TestOnScreenCards:
    """Table cards on the desk's screen, one after the other, for phones to scan."""

    def test_desk_offers_screen_cards_in_the_first_round(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.find_link("Show table cards") == f"/e/{hall.event.short}/desk/cards/1"
        next_step = next(each for each in page.find_all("p") if each.attrs.get("id") == "next")
        assert "Show table cards" in next_step.text

    @pytest.mark.long
    def test_later_rounds_offer_table_cards_in_the_menu_only(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        start_next_round(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Show table cards" not in page.text
        assert page.find_link("Table cards") == f"/e/{hall.event.short}/desk/cards/1"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_screen_card_shows_its_qr_code_and_neighbours(self) -> None:
        hall = Hall(pairs=4, tables=3)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards/1")
        for card in TableCard.objects.order_by("number"):
            assert page.find_one("h1").text == f"Table {card.number}"
            assert parse_qr_modules(page.find_one("svg", class_="qr")) == list_expected_modules(
                build_card_url("http://testserver/", card)
            )
            assert f"{card.code[:3]} {card.code[3:]}" in page.text.replace("\u00a0", " ")
            assert card.letters in page.text
            if card.number < 3:
                page = hall.desk.open(page.find_link(f"Table {card.number + 1} →"))
        assert page.find_link("← Table 2")

    def test_card_of_an_unknown_table_is_404(self) -> None:
        hall = Hall(pairs=4)
        assert hall.desk.open(f"/e/{hall.event.short}/desk/cards/99").status == 404

    def test_visitor_sees_no_table_card(self) -> None:
        hall = Hall(pairs=4)
        assert hall.add_phone().open(f"/e/{hall.event.short}/desk/cards/1").find_all("svg", class_="qr") == []


class TestCardOnTablePage:
    @pytest.mark.long
    def test_desk_table_page_shows_the_qr_code_during_the_round(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(hall.desk_match)
        assert parse_qr_modules(page.find_one("svg", class_="qr")) == list_expected_modules(
            build_card_url("http://testserver/", hall.card)
        )
        assert f"{hall.code[:3]} {hall.code[3:]}" in page.text.replace("\u00a0", " ")
        assert page.find_link("Show table card") == f"/e/{hall.event.short}/desk/cards/1"

    def test_public_table_page_shows_no_qr_code(self) -> None:
        hall = Hall(pairs=4)
        assert not hall.add_phone().open(hall.table).find_all("svg", class_="qr")
