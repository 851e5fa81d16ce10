"""Exports of tables on real screens: one tap saves a file with the content of the page."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from tests.builders import build_club, build_played_night, compute_standings
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tournaments.models import Event


@pytest.fixture
def event(hall: Hall) -> Event:
    """A night whose first round is over."""
    event = build_played_night(6, club=build_club(owner=hall.owner))
    compute_standings(event)
    return event


def get_column(name: str, rows: Sequence[Sequence[object]]) -> list[object]:
    """Return the values of the column with this heading."""
    place = rows[0].index(name)
    return [row[place] for row in rows[1:]]


def test_downloaded_standings_match_the_page(event: Event, phones: Phones, tmp_path: Path) -> None:
    phone = phones(locale="fr-CA")
    phone.open(f"/e/{event.short}")
    phone.take_picture("event")
    saved = {}
    for link_text in ("Classement en CSV", "Classement en Excel"):
        with phone.page.expect_download() as download:
            phone.tap(phone.page.get_by_role("link", name=link_text))
        saved[link_text[-3:]] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[link_text[-3:]])
    assert [path.name for path in saved.values()] == [
        "classement-soiree-du-mardi-2026-11-17.csv",
        "classement-soiree-du-mardi-2026-11-17.xlsx",
    ]
    with saved["CSV"].open(encoding="utf-8-sig", newline="") as file:
        by_csv = get_column("Paire", list(csv.reader(file, delimiter=";")))
    by_excel = get_column("Paire", list(load_workbook(saved["cel"]).worksheets[0].iter_rows(values_only=True)))
    shown = phone.page.locator(".standings li summary .pair").all_inner_texts()
    assert by_csv == by_excel == [names.replace("\u00a0", " ") for names in shown]


def test_standings_text_is_shown_for_copying_by_keyboard(event: Event, phones: Phones) -> None:
    phone = phones()
    phone.open(f"/e/{event.short}/standings")
    phone.page.get_by_role("link", name="Standings as Text").press("Enter")
    expect(phone.page.locator("pre")).to_contain_text("Standings · Soirée du mardi · 2026-11-17")
