"""A public page on paper: whose it is and of which day, how many sheets, and nothing to tap."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_charts import an_event_of_long_names

ONLY_ON_A_SCREEN = ("CSV", "Excel", "As a file", "Open a rank", "My page", "Skip to", "Dark")


def on_paper(phone: Phone, path: str, paper: str = "Letter") -> list[str]:
    """The text of each sheet that a browser prints of the page, with its lines joined."""
    phone.open(path)
    printed = phone.page.pdf(format=paper)
    return [" ".join(sheet.extract_text().split()) for sheet in PdfReader(BytesIO(printed)).pages]


@pytest.mark.parametrize("paper", ["Letter", "A4"])
def test_the_standings_of_thirty_pairs_stand_on_one_sheet(hall: Hall, phones: Phones, paper: str) -> None:
    event = an_event_of_long_names(hall, 30)
    (sheet,) = on_paper(phones(), f"/e/{event.short}/standings", paper)
    assert event.name in sheet
    assert event.club.name in sheet
    assert "1 / 1" in sheet
    assert [number for number in range(1, 31) if f"(no. {number})" not in sheet] == []
    assert [text for text in ONLY_ON_A_SCREEN if text in sheet] == []


def test_the_tables_of_a_round_stand_on_one_sheet(hall: Hall, phones: Phones) -> None:
    event = an_event_of_long_names(hall, 30)
    (sheet,) = on_paper(phones(), f"/e/{event.short}/rounds/1")
    assert event.club.name in sheet
    assert [text for text in ONLY_ON_A_SCREEN if text in sheet] == []


@pytest.mark.parametrize("pairs", [8, 16, 32])
def test_a_bracket_stands_on_one_sheet(hall: Hall, phones: Phones, pairs: int) -> None:
    event = an_event_of_long_names(hall, pairs, draw_format="knockout")
    (sheet,) = on_paper(phones(), f"/e/{event.short}/charts")
    assert "Final" in sheet
