"""Three clubs that brought unequal numbers of pairs meet over several tables; nobody meets their own club."""

from itertools import combinations

import pytest
from playwright.sync_api import expect

from tests.builders import standings_after
from tests.journeys.director import COUPLES, Director, first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_standings import is_nothing_cut_off

CLUBS = {"Rimouski": range(1, 6), "Matane": range(6, 10), "Mont-Joli": range(10, 13)}
"""Five pairs, four and three, by their numbers."""


def sheet() -> bytes:
    """The list of the clubs' secretaries, as their spreadsheet saves it."""
    lines = ["Joueur 1;Joueur 2;Club"]
    for club, numbers in CLUBS.items():
        lines += [";".join((*COUPLES[number - 1].split(" et "), club)) for number in numbers]
    return "\r\n".join(lines).encode("cp1252")


def enter_the_sheet(director: Director) -> None:
    phone = director.phone
    phone.tap(phone.link("From CSV or Excel"))
    phone.page.get_by_label("Spreadsheet (CSV, Excel or .ods)").set_input_files(
        {"name": "interclubs.csv", "mimeType": "text/csv", "buffer": sheet()}
    )
    phone.tap(phone.button("Preview"))
    expect(phone.page.get_by_role("heading", name="12 entries to add")).to_be_visible()
    expect(phone.page.locator(".entries li").filter(has_text="Mont-Joli")).to_have_count(3)
    phone.picture("sheet")
    phone.tap(phone.button("Add them"))
    expect(phone.page.get_by_text("12 entries").first).to_be_visible()
    phone.picture("entries")


def club_of(number: int) -> str:
    return next(club for club, numbers in CLUBS.items() if number in numbers)


def clubs_at(director: Director, number: int) -> set[frozenset[str]]:
    """Return which clubs meet at the tables of a round."""
    return {frozenset({club_of(a[0]), club_of(b[0])}) for a, b in director.tables(number).values()}


@pytest.mark.long("test_the_swiss_tournament.py directs such a night")
def test_clubs_meet_over_several_tables_and_nobody_meets_their_own(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("director"))
    phone = director.phone
    director.chooses("^Interclub Club against club")
    director.makes("Interclub", expected=12)
    enter_the_sheet(director)
    director.starts()
    met = []
    for number in (1, 2, 3):
        (clubs,) = clubs_at(director, number)  # the third club sits out
        assert len(director.tables(number)) == min(len(CLUBS[club]) for club in clubs)
        met.append(clubs)
        phone.picture(f"draft-{number}")
        director.publishes(number)
        director.sees_played(number, first_number)
        director.closes(number)
        if number < 3:
            director.draws(number + 1)
    assert sorted(map(sorted, met)) == [sorted(pair) for pair in combinations(sorted(CLUBS), 2)]
    expect(director.button_to("Draw round 4")).to_be_hidden()
    phone.picture("nothing-left")
    phone.tap(phone.button("End the event"))
    expect(phone.page.get_by_text("The event has ended.")).to_be_visible()
    assert club_of(standings_after(director.event)[0]["entry"]) == "Rimouski"
    family = phones("family")
    family.open(f"/e/{director.event.short}")
    expect(family.page.locator(".standings li summary[id^=entry]")).to_have_count(12)
    expect(family.page.locator("#clubs-title ~ .bleed li summary")).to_have_count(len(CLUBS))
    is_nothing_cut_off(family)
    family.picture("public")
    family.open(f"/e/{director.event.short}/standings")
    family.picture("standings")
