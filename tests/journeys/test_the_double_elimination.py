"""Double elimination: a wrong result in the losers' bracket is found a round too late, and corrected."""

import pytest
from playwright.sync_api import expect

from tests.builders import standings_after
from tests.journeys.director import COUPLES, Director, except_where, first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_standings import is_nothing_cut_off

CHAMPIONS, FOUND_AGAIN, WRONGLY_IN = 1, 5, 8
"""Who wins it all; who was out by a wrong result, and comes to the final; who played on in their place."""


def make_it(director: Director) -> None:
    director.chooses("Double elimination")
    director.makes("Double", expected=8)
    director.phone.picture("entries")
    director.pastes(COUPLES[:8])
    director.phone.picture("pasted")
    director.starts()
    director.phone.picture("draft")


def play_to_the_wrong_result(director: Director) -> None:
    """Two rounds; in the second, the result of a table of the losers' bracket is the wrong way round."""
    director.publishes(1)
    director.phone.picture("round-1")
    director.sees_played(1, first_number)
    director.closes(1)
    director.draws(2)
    director.phone.picture("draft-2")
    director.publishes(2)
    director.sees_played(2, except_where({WRONGLY_IN}))
    director.closes(2)
    director.draws(3)
    director.publishes(3)


def correct_the_result(director: Director, table: int) -> None:
    """From the desk to the hand that was marked for the wrong side."""
    phone = director.phone
    phone.tap(phone.link("^Correct$"))
    phone.tap(phone.page.get_by_role("navigation", name="Rounds").get_by_role("link", name="2"))
    phone.picture("round-2")
    phone.tap(phone.page.locator(f"#table-{table}").get_by_role("link", name="Correct table"))
    phone.picture("table")
    phone.tap(phone.link("View hands"))
    phone.picture("match")
    phone.tap(phone.link("See or correct hands"))
    phone.picture("hands")
    phone.tap(phone.page.locator(".hands a").first)
    phone.picture("hand")
    sides = director.tables(2)[table]
    right = "A" if sides[0] == (FOUND_AGAIN,) else "B"
    phone.mark(f"{right}-gros_charlemagne-8")
    expect(phone.sheet).to_be_visible()
    phone.picture("why")
    phone.page.locator("input[name=reason]").fill("Marked for the wrong side.")
    phone.tap(phone.button("Yes"))
    expect(phone.sheet).to_be_hidden()
    phone.picture("corrected")


def seat_who_should_be_there(director: Director) -> None:
    """From what the desk says to the swap and its effects, which are done."""
    phone = director.phone
    director.looks_at()
    notice = phone.page.get_by_role("region", name="Result corrected after the draw")
    expect(notice).to_contain_text("Round 3, table")
    expect(notice.get_by_role("listitem")).to_have_count(1)
    phone.picture("contradiction")
    phone.tap(phone.link("Preview a swap"))
    expect(phone.page.locator(".detail .notice")).to_have_count(1)
    phone.picture("swap")
    phone.page.locator("input[name=reason]").fill("By the corrected result.")
    phone.tap(phone.button("^Swap$"))
    expect(phone.page.get_by_role("heading", name="Effects")).to_be_visible()
    phone.picture("effects")
    phone.tap(phone.page.locator("button[name=confirmed]"))
    expect(phone.page.get_by_role("navigation", name="Rounds")).to_be_visible()
    phone.picture("swapped")


def play_to_the_end(director: Director) -> None:
    """The found ones win through the losers' bracket and the first final; the unbeaten ones the second."""
    for number in range(3, 7):
        director.sees_played(number, except_where({FOUND_AGAIN}))
        director.closes(number)
        director.draws(number + 1)
        director.publishes(number + 1)
    director.sees_played(7, first_number)
    director.closes(7)


def sees_the_bracket(phone: Phone, short: str) -> None:
    phone.open(f"/e/{short}")
    page = phone.page
    for part, matches in (("Winners", 7), ("Losers", 6), ("Finals", 2)):
        drawn = page.get_by_role("region", name=part).first
        expect(drawn.locator(".match .winner")).to_have_count(matches)
    is_nothing_cut_off(phone)
    phone.picture("public")


@pytest.mark.long("test_the_swiss_tournament.py directs such a night")
def test_a_wrong_result_in_the_losers_bracket_is_put_right_a_round_later(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("director"))
    make_it(director)
    play_to_the_wrong_result(director)
    (table,) = (
        number for number, (a, b) in director.tables(2).items() if {*a, *b} == {FOUND_AGAIN, WRONGLY_IN}
    )
    published = director.tables(3)
    correct_the_result(director, table)
    standings_after(director.event)
    assert director.tables(3) == published, "nothing published changes by itself"
    seat_who_should_be_there(director)
    entries = {number for a, b in director.tables(3).values() for number in (*a, *b)}
    assert FOUND_AGAIN in entries
    assert WRONGLY_IN not in entries
    standings_after(director.event)
    director.looks_at()
    expect(director.page.get_by_role("region", name="Result corrected after the draw")).to_be_hidden()
    play_to_the_end(director)
    director.phone.picture("end")
    standings = standings_after(director.event)
    sees_the_bracket(phones("family"), director.event.short)
    sees_the_bracket(phones("no-scripts", java_script_enabled=False), director.event.short)
    director.looks_at("/history")
    director.phone.picture("history")
    assert [row["entry"] for row in standings[:2]] == [CHAMPIONS, FOUND_AGAIN]
