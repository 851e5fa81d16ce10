"""An individual night of 22 people on the organizer's phone: a new partner each round, and byes.

One player enters after the first round, another withdraws after the third.
"""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import expect

from tests.builders import compute_standings
from tests.journeys.director import Director, pick_first_number
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phones
from tests.journeys.test_standings import is_nothing_cut_off

PEOPLE = (
    *NAMES,
    *("Denise Caron", "Fernand Bouchard", "Pierrette Gagné", "Léo Fortin", "Monique Bélanger", "Armand Côté"),
)
LATE, LATE_NUMBER, LEAVING = "Zénon Tardif", 23, 5
ROUNDS = (1, 2, 3, 4, 5)


def take_picture(director: Director, title: str) -> None:
    """Check that the screen fits the phone, and take a picture."""
    is_nothing_cut_off(director.phone)
    director.phone.take_picture(title)


def expect_text(director: Director, text: str) -> None:
    expect(director.page.locator("main")).to_contain_text(text)


def create_from_preset(director: Director) -> None:
    director.choose_preset("Individual: a new partner each round")
    director.page.locator("[name='stages.0.rounds']").fill(str(len(ROUNDS)))
    director.page.locator("[name='expected']").fill(str(len(PEOPLE)))
    director.page.locator("[name='expected']").blur()
    expect_text(director, "Individual Swiss, 5 rounds.")
    expect_text(director, "With 22 entries: up to 5 tables at once.")
    director.create_tournament("Soirée des étoiles", expected=len(PEOPLE))


def enter_people(director: Director) -> None:
    director.paste_entries(PEOPLE)
    expect_text(director, "Not a multiple of four: 2 byes each round, in turn.")
    take_picture(director, "entries")
    director.start_event()
    expect(director.page.get_by_text("Bye: ")).to_have_count(2)
    take_picture(director, "draft")


def play_round(director: Director, number: int) -> None:
    director.publish_round(number)
    director.play_open_tables(number, pick_first_number)
    director.close_round(number)


def draw_and_play(director: Director, number: int) -> None:
    director.open_desk_page()
    director.draw_round(number)
    expect_text(director, f"Round {number}: 5 tables")
    take_picture(director, f"draft-{number}")
    play_round(director, number)


def add_late_entry(director: Director) -> None:
    director.open_desk_page("/entries")
    director.phone.tap(director.page.locator("summary", has_text="Add late player"))
    director.page.get_by_label("Name", exact=True).fill(LATE)
    director.phone.tap(director.phone.find_button("Add from round 2"))
    expect_text(director, f"{LATE} plays from round 2")
    take_picture(director, "late")


def withdraw_entry(director: Director) -> None:
    director.open_desk_page(f"/entries/{LEAVING}")
    director.phone.tap(director.page.locator("summary", has_text="Withdrawal"))
    director.phone.tap(director.phone.find_button("Preview changes").and_(director.page.locator(":visible")))
    expect_text(director, "Next round: 22 entries")
    take_picture(director, "leaving")
    director.phone.tap(director.phone.find_button("^Withdraw$"))
    expect_text(director, "withdrawn after round 3")


def test_people_have_a_new_partner_in_each_of_five_rounds(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("organizer"))
    create_from_preset(director)
    enter_people(director)
    play_round(director, 1)
    add_late_entry(director)
    draw_and_play(director, 2)
    draw_and_play(director, 3)
    withdraw_entry(director)
    draw_and_play(director, 4)
    draw_and_play(director, 5)

    tables = {number: director.list_tables(number) for number in ROUNDS}
    partners = Counter(frozenset(pair) for drawn in tables.values() for sides in drawn.values() for pair in sides)
    assert {(len(pair), times) for pair, times in partners.items()} == {(2, 1)}
    played = Counter(person for pair in partners for person in pair)
    assert played[LEAVING] in (2, 3)
    assert played[LATE_NUMBER] in (3, 4)
    assert {played[number] for number in range(1, LATE_NUMBER) if number != LEAVING} == {4, 5}

    director.phone.tap(director.phone.find_button("End"))
    expect_text(director, "has ended")
    assert len(compute_standings(director.event)) == len(PEOPLE) + 1
    director.phone.open(f"/e/{director.event.short}/standings")
    take_picture(director, "standings")
    first = director.page.locator(".standings li details").first
    director.phone.tap(first.locator("summary"))
    expect(first.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    expect(first).to_contain_text(re.compile(r"with\s.+\sagainst\s.+\sand\s", re.DOTALL))
    take_picture(director, "reasons")
    director.phone.open(f"/e/{director.event.short}")
    take_picture(director, "public-page")
