"""Public pages on paper: they name the event and the club, fit on one sheet, and leave out controls."""

from io import BytesIO

from pypdf import PdfReader

from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_charts import build_long_names_event

SCREEN_ONLY_TEXTS = ("CSV", "Excel", "Download:", "Open a rank", "My page", "Skip to", "Dark")


def print_sheets(phone: Phone, paper: str = "Letter") -> list[str]:
    """Return the text of each sheet that a browser prints of the open page, with its lines joined."""
    printed = phone.page.pdf(format=paper)
    return [" ".join(sheet.extract_text().split()) for sheet in PdfReader(BytesIO(printed)).pages]


def test_standings_and_tables_of_thirty_pairs_fit_on_one_sheet(hall: Hall, phones: Phones) -> None:
    event = build_long_names_event(hall, 30)
    phone = phones()
    for paper in ("Letter", "A4"):
        phone.open(f"/e/{event.short}/standings")
        (sheet,) = print_sheets(phone, paper)
        assert event.name in sheet
        assert event.club.name in sheet
        assert "1 / 1" in sheet
        assert [number for number in range(1, 31) if f"(no. {number})" not in sheet] == [], paper
        assert [text for text in SCREEN_ONLY_TEXTS if text in sheet] == []
    phone.open(f"/e/{event.short}/rounds/1")
    (sheet,) = print_sheets(phone)
    assert event.club.name in sheet
    assert [text for text in SCREEN_ONLY_TEXTS if text in sheet] == []


def test_a_bracket_fits_on_one_sheet(hall: Hall, phones: Phones) -> None:
    phone = phones()
    for pairs in (8, 16, 32):
        event = build_long_names_event(hall, pairs, draw_format="knockout")
        phone.open(f"/e/{event.short}/charts")
        sheets = print_sheets(phone)
        assert len(sheets) == 1, pairs
        assert "Final" in sheets[0]
