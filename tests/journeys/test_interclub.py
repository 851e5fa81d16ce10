"""Three clubs with unequal numbers of pairs: no pair meets a pair of its own club."""

from itertools import combinations

import pytest
from playwright.sync_api import expect

from tests.builders import compute_standings
from tests.journeys.director import COUPLES, Director, pick_first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_standings import is_nothing_cut_off

CLUBS = {"Rimouski": range(1, 6), "Matane": range(6, 10), "Mont-Joli": range(10, 13)}
"""Entry numbers of five, four and three pairs."""


def build_sheet() -> bytes:
    """Return the list of all pairs as a spreadsheet saves it: CSV in Windows-1252."""
    lines = ["Joueur 1;Joueur 2;Club"]
    for club, numbers in CLUBS.items():
        lines += [";".join((*COUPLES[number - 1].split(" et "), club)) for number in numbers]
    return "\r\n".join(lines).encode("cp1252")


def enter_the_sheet(director: Director) -> None:
    phone = director.phone
    phone.tap(phone.link("From CSV or Excel"))
    phone.page.get_by_label("Spreadsheet (CSV, Excel or .ods)").set_input_files(
        {"name": "interclubs.csv", "mimeType": "text/csv", "buffer": build_sheet()}
    )
    phone.tap(phone.find_button("Preview"))
    expect(phone.page.get_by_role("heading", name="12 entries to add")).to_be_visible()
    expect(phone.page.locator(".entries li").filter(has_text="Mont-Joli")).to_have_count(3)
    phone.take_picture("sheet")
    phone.tap(phone.find_button("Add them"))
    expect(phone.page.get_by_text("12 entries").first).to_be_visible()
    phone.take_picture("entries")


def get_club(number: int) -> str:
    return next(club for club, numbers in CLUBS.items() if number in numbers)


def list_club_meetings(director: Director, number: int) -> set[frozenset[str]]:
    """Return which clubs meet at the tables of a round."""
    return {frozenset({get_club(a[0]), get_club(b[0])}) for a, b in director.list_tables(number).values()}


@pytest.mark.long("test_swiss_tournament.py directs such a night")
def test_no_entry_meets_its_own_club_in_an_interclub_night(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("director"))
    phone = director.phone
    director.choose_preset("^Interclub Club against club")
    director.create_tournament("Interclub", expected=12)
    enter_the_sheet(director)
    director.start_event()
    met = []
    for number in (1, 2, 3):
        (clubs,) = list_club_meetings(director, number)  # the third club has a bye
        assert len(director.list_tables(number)) == min(len(CLUBS[club]) for club in clubs)
        met.append(clubs)
        phone.take_picture(f"draft-{number}")
        director.publish_round(number)
        director.play_open_tables(number, pick_first_number)
        director.close_round(number)
        if number < 3:
            director.draw_round(number + 1)
    assert sorted(map(sorted, met)) == [sorted(pair) for pair in combinations(sorted(CLUBS), 2)]
    expect(director.find_button("Draw round 4")).to_be_hidden()
    phone.take_picture("nothing-left")
    phone.tap(phone.find_button("End the event"))
    expect(phone.page.get_by_text("The event has ended.")).to_be_visible()
    assert get_club(compute_standings(director.event)[0]["entry"]) == "Rimouski"
    family = phones("family")
    family.open(f"/e/{director.event.short}")
    expect(family.page.locator(".standings li summary[id^=entry]")).to_have_count(12)
    expect(family.page.locator("#clubs-title ~ .bleed li summary")).to_have_count(len(CLUBS))
    is_nothing_cut_off(family)
    family.take_picture("public")
    family.open(f"/e/{director.event.short}/standings")
    family.take_picture("standings")
