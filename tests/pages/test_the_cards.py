"""The cards that lie on the tables: one for each, its code in digits and as a square to scan."""

import re

import pytest
import segno
from django.test import override_settings

from scoring.models import TableCard
from tests.builders import an_event
from tests.pages.browser import Browser
from tests.pages.hall import NETWORK, Hall
from tests.pages.markup import Element

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


def test_there_is_one_for_every_table_with_its_number_and_its_code() -> None:
    hall = Hall(pairs=4, tables=3)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    cards = page.every("section", class_="table-card")
    assert [card.one("h2").text for card in cards] == ["Table 1", "Table 2", "Table 3"]
    for element, card in zip(cards, TableCard.objects.order_by("number"), strict=True):
        assert f"{card.code[:3]} {card.code[3:]}" in element.text.replace("\u00a0", " ")
        assert "code" in element.text


def test_its_square_leads_to_its_table() -> None:
    hall = Hall(pairs=4)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    for element, card in zip(
        page.every("svg", class_="qr"), TableCard.objects.order_by("number"), strict=True
    ):
        address = f"http://testserver/t/{card.code}"
        assert drawn(element) == meant(address)
        assert Browser().open(address.removeprefix("http://testserver")).status == 200


def test_its_square_has_the_address_under_which_the_page_was_opened() -> None:
    hall = Hall(pairs=2)
    hall.desk.client.defaults["HTTP_HOST"] = "192.168.1.40:8000"
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert drawn(page.one("svg", class_="qr")) == meant(f"http://192.168.1.40:8000{hall.table}")
    assert "192.168.1.40:8000" in page.one("section", class_="table-card").text


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_its_square_leads_to_this_computer_on_the_network_where_the_desk_calls_it_localhost(
    host: str,
) -> None:
    hall = Hall(pairs=2)
    hall.desk.client.defaults["HTTP_HOST"] = host
    with override_settings(NETWORK_URL="tests.pages.hall.on_the_network"):
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert drawn(page.one("svg", class_="qr")) == meant(f"{NETWORK.format(8000)}{hall.table[1:]}")
    assert "192.0.2.40:8000" in page.one("section", class_="table-card").text
    with override_settings(NETWORK_URL="tests.pages.hall.on_no_network"):
        page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    assert drawn(page.one("svg", class_="qr")) == meant(f"http://{host}{hall.table}")


def test_it_says_in_both_languages_what_to_do() -> None:
    hall = Hall(pairs=2)
    page = hall.desk.open(f"/e/{hall.event.short}/desk/cards")
    other = page.one("section", class_="table-card").one("p", lang="fr")
    assert other.text not in ("", "Scan to keep score. No app, no account.")


def test_there_are_none_before_the_evening_starts() -> None:
    hall = Hall()
    event = an_event(club=hall.event.club)
    page = hall.desk.open(f"/e/{event.short}/desk/cards")
    assert page.status == 200
    assert "No cards yet" in page.text
