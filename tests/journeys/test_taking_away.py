"""Tables on real screens: taken away with one tap, and what the browser saved is what the page showed."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from tests.builders import a_club, a_played_night, standings_after
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.models import Event


@pytest.fixture
def event(hall: Hall) -> Event:
    """A night whose first round is over."""
    event = a_played_night(6, club=a_club(owner=hall.owner))
    standings_after(event)
    return event


def column(name: str, rows: Sequence[Sequence[object]]) -> list[object]:
    """Return what stands under this heading."""
    place = rows[0].index(name)
    return [row[place] for row in rows[1:]]


def test_the_standings_are_saved_for_a_spreadsheet_and_read_there_as_on_the_page(
    event: Event, phones: Phones, tmp_path: Path
) -> None:
    phone = phones(locale="fr-CA")
    phone.open(f"/e/{event.short}")
    phone.picture("event")
    saved = {}
    for said in ("Classement en CSV", "Classement en Excel"):
        with phone.page.expect_download() as download:
            phone.tap(phone.page.get_by_role("link", name=said))
        saved[said[-3:]] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[said[-3:]])
    assert [path.name for path in saved.values()] == [
        "classement-soiree-du-mardi-2026-11-17.csv",
        "classement-soiree-du-mardi-2026-11-17.xlsx",
    ]
    with saved["CSV"].open(encoding="utf-8-sig", newline="") as file:
        by_csv = column("Paire", list(csv.reader(file, delimiter=";")))
    by_excel = column("Paire", list(load_workbook(saved["cel"]).worksheets[0].iter_rows(values_only=True)))
    shown = phone.page.locator(".standings li summary .pair").all_inner_texts()
    assert by_csv == by_excel == [names.replace("\u00a0", " ") for names in shown]


def test_the_buttons_fit_a_small_phone_with_large_letters_and_are_right_for_axe(
    event: Event, hall: Hall, phones: Phones
) -> None:
    phone = phones(width=320, locale="fr-CA")
    phone.reads_text_of(32)
    phone.sign_in(hall.owner)
    for path in (f"/e/{event.short}", f"/club/{event.club.slug}/people", f"/e/{event.short}/desk/entries"):
        phone.open(path)
        expect(phone.page.get_by_role("link", name="Excel").first).to_be_visible()
        phone.picture(path.rpartition("/")[2])
        assert violations(phone) == []
        is_nothing_cut_off_sideways(phone)


def test_a_text_is_shown_to_be_pasted_by_the_keyboard_alone(event: Event, phones: Phones) -> None:
    phone = phones()
    phone.open(f"/e/{event.short}/standings")
    phone.page.get_by_role("link", name="Standings as Text").press("Enter")
    expect(phone.page.locator("pre")).to_contain_text("Standings · Soirée du mardi · 2026-11-17")
