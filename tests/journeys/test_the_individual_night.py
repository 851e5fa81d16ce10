"""A night of 22 people on the organizer's phone: a new partner each round, two too many for tables of four.

Somebody comes after the first round, somebody goes home after the third.
"""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import expect

from tests.builders import standings_after
from tests.journeys.director import Director, first_number
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phones
from tests.journeys.test_standings import is_nothing_cut_off

PEOPLE = (
    *NAMES,
    *("Denise Caron", "Fernand Bouchard", "Pierrette Gagné", "Léo Fortin", "Monique Bélanger", "Armand Côté"),
)
LATE, LATE_NUMBER, LEAVING = "Zénon Tardif", 23, 5
ROUNDS = (1, 2, 3, 4, 5)


def keeps(director: Director, title: str) -> None:
    """A picture of something that fits on the phone."""
    is_nothing_cut_off(director.phone)
    director.phone.picture(title)


def reads(director: Director, text: str) -> None:
    expect(director.page.locator("main")).to_contain_text(text)


def makes_it_from_a_preset(director: Director) -> None:
    director.chooses("Individual: a new partner each round")
    director.page.locator("[name='stages.0.rounds']").fill(str(len(ROUNDS)))
    director.page.locator("[name='expected']").fill(str(len(PEOPLE)))
    director.page.locator("[name='expected']").blur()
    reads(director, "Individual Swiss, 5 rounds.")
    reads(director, "With 22 entries: up to 5 tables at once.")
    director.makes("Soirée des étoiles", expected=len(PEOPLE))


def enters_22_people(director: Director) -> None:
    director.pastes(PEOPLE)
    reads(director, "Not a multiple of four: 2 byes each round, in turn.")
    keeps(director, "entries")
    director.starts()
    expect(director.page.get_by_text("Bye: ")).to_have_count(2)
    keeps(director, "draft")


def plays(director: Director, number: int) -> None:
    director.publishes(number)
    director.sees_played(number, first_number)
    director.closes(number)


def draws_and_plays(director: Director, number: int) -> None:
    director.looks_at()
    director.draws(number)
    reads(director, f"Round {number}: 5 tables")
    keeps(director, f"draft-{number}")
    plays(director, number)


def lets_somebody_in(director: Director) -> None:
    director.looks_at("/entries")
    director.phone.tap(director.page.locator("summary", has_text="Add late player"))
    director.page.get_by_label("Name", exact=True).fill(LATE)
    director.phone.tap(director.phone.button("Add from round 2"))
    reads(director, f"{LATE} plays from round 2")
    keeps(director, "late")


def lets_somebody_go(director: Director) -> None:
    director.looks_at(f"/entries/{LEAVING}")
    director.phone.tap(director.page.locator("summary", has_text="Withdraw"))
    director.phone.tap(director.phone.button("Preview changes").and_(director.page.locator(":visible")))
    reads(director, "Next round: 22 entries")
    keeps(director, "leaving")
    director.phone.tap(director.phone.button("^Withdraw$"))
    reads(director, "withdrawn after round 3")


def test_22_people_have_a_new_partner_in_each_of_five_rounds(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("organizer"))
    makes_it_from_a_preset(director)
    enters_22_people(director)
    plays(director, 1)
    lets_somebody_in(director)
    draws_and_plays(director, 2)
    draws_and_plays(director, 3)
    lets_somebody_go(director)
    draws_and_plays(director, 4)
    draws_and_plays(director, 5)

    tables = {number: director.tables(number) for number in ROUNDS}
    partners = Counter(
        frozenset(pair) for drawn in tables.values() for sides in drawn.values() for pair in sides
    )
    assert {(len(pair), times) for pair, times in partners.items()} == {(2, 1)}
    played = Counter(person for pair in partners for person in pair)
    assert played[LEAVING] in (2, 3)
    assert played[LATE_NUMBER] in (3, 4)
    assert {played[number] for number in range(1, LATE_NUMBER) if number != LEAVING} == {4, 5}

    director.phone.tap(director.phone.button("End"))
    reads(director, "has ended")
    assert len(standings_after(director.event)) == len(PEOPLE) + 1
    director.phone.open(f"/e/{director.event.short}/standings")
    keeps(director, "standings")
    first = director.page.locator(".standings li details").first
    director.phone.tap(first.locator("summary"))
    expect(first.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    expect(first).to_contain_text(re.compile(r"with\s.+\sagainst\s.+\sand\s", re.DOTALL))
    keeps(director, "reasons")
    director.phone.open(f"/e/{director.event.short}")
    keeps(director, "public-page")
