"""Double elimination: a wrong result in the losers' bracket is found a round too late, and corrected."""

import pytest
from playwright.sync_api import expect

from tests.builders import compute_standings
from tests.journeys.director import COUPLES, Director, build_winner_rule, pick_first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_standings import is_nothing_cut_off

CHAMPIONS, FOUND_AGAIN, WRONGLY_IN = 1, 5, 8
"""Entry numbers: the winner; the pair eliminated by a wrong result, later finalist; the pair that took its place."""


def make_it(director: Director) -> None:
    director.choose_preset("Double elimination")
    director.create_tournament("Double", expected=8)
    director.phone.take_picture("entries")
    director.paste_entries(COUPLES[:8])
    director.phone.take_picture("pasted")
    director.start_event()
    director.phone.take_picture("draft")


def play_to_the_wrong_result(director: Director) -> None:
    """Play two rounds, the second with a wrong result in the losers' bracket, and publish the third."""
    director.publish_round(1)
    director.phone.take_picture("round-1")
    director.play_open_tables(1, pick_first_number)
    director.close_round(1)
    director.draw_round(2)
    director.phone.take_picture("draft-2")
    director.publish_round(2)
    director.play_open_tables(2, build_winner_rule({WRONGLY_IN}))
    director.close_round(2)
    director.draw_round(3)
    director.publish_round(3)


def correct_the_result(director: Director, table: int) -> None:
    """Correct the hand that was recorded for the wrong side, starting at the desk."""
    phone = director.phone
    phone.tap(phone.link("^Correct$"))
    phone.tap(phone.page.get_by_role("navigation", name="Rounds").get_by_role("link", name="2"))
    phone.take_picture("round-2")
    phone.tap(phone.page.locator(f"#table-{table}").get_by_role("link", name="Correct table"))
    phone.take_picture("table")
    phone.tap(phone.link("View hands"))
    phone.take_picture("match")
    phone.tap(phone.link("See or correct hands"))
    phone.take_picture("hands")
    phone.tap(phone.page.locator(".hands a").first)
    phone.take_picture("hand")
    sides = director.list_tables(2)[table]
    right = "A" if sides[0] == (FOUND_AGAIN,) else "B"
    phone.mark(f"{right}-gros_charlemagne-8")
    expect(phone.sheet).to_be_visible()
    phone.take_picture("why")
    phone.page.locator("input[name=reason]").fill("Marked for the wrong side.")
    phone.tap(phone.find_button("Yes"))
    expect(phone.sheet).to_be_hidden()
    phone.take_picture("corrected")


def fix_seats(director: Director) -> None:
    """Swap the pairs from the notice at the desk, with a preview of the effects."""
    phone = director.phone
    director.open_desk_page()
    notice = phone.page.get_by_role("region", name="Result corrected after the draw")
    expect(notice).to_contain_text("Round 3, table")
    expect(notice.get_by_role("listitem")).to_have_count(1)
    phone.take_picture("contradiction")
    phone.tap(phone.link("Preview a swap"))
    expect(phone.page.locator(".detail .notice")).to_have_count(1)
    phone.take_picture("swap")
    phone.page.locator("input[name=reason]").fill("By the corrected result.")
    phone.tap(phone.find_button("^Swap$"))
    expect(phone.page.get_by_role("heading", name="Effects")).to_be_visible()
    phone.take_picture("effects")
    phone.tap(phone.page.locator("button[name=confirmed]"))
    expect(phone.page.get_by_role("navigation", name="Rounds")).to_be_visible()
    phone.take_picture("swapped")


def play_to_the_end(director: Director) -> None:
    """Let the reinstated pair win the losers' bracket and the first final, and the unbeaten pair the second."""
    for number in range(3, 7):
        director.play_open_tables(number, build_winner_rule({FOUND_AGAIN}))
        director.close_round(number)
        director.draw_round(number + 1)
        director.publish_round(number + 1)
    director.play_open_tables(7, pick_first_number)
    director.close_round(7)


def open_bracket(phone: Phone, short: str) -> None:
    phone.open(f"/e/{short}")
    page = phone.page
    for part, matches in (("Winners", 7), ("Losers", 6), ("Finals", 2)):
        drawn = page.get_by_role("region", name=part).first
        expect(drawn.locator(".match .winner")).to_have_count(matches)
    is_nothing_cut_off(phone)
    phone.take_picture("public")


@pytest.mark.long("test_swiss_tournament.py directs such a night")
def test_wrong_losers_bracket_result_is_corrected_a_round_later(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("director"))
    make_it(director)
    play_to_the_wrong_result(director)
    (table,) = (number for number, (a, b) in director.list_tables(2).items() if {*a, *b} == {FOUND_AGAIN, WRONGLY_IN})
    published = director.list_tables(3)
    correct_the_result(director, table)
    compute_standings(director.event)
    assert director.list_tables(3) == published, "nothing published changes by itself"
    fix_seats(director)
    entries = {number for a, b in director.list_tables(3).values() for number in (*a, *b)}
    assert FOUND_AGAIN in entries
    assert WRONGLY_IN not in entries
    compute_standings(director.event)
    director.open_desk_page()
    expect(director.page.get_by_role("region", name="Result corrected after the draw")).to_be_hidden()
    play_to_the_end(director)
    director.phone.take_picture("end")
    standings = compute_standings(director.event)
    open_bracket(phones("family"), director.event.short)
    open_bracket(phones("no-scripts", java_script_enabled=False), director.event.short)
    director.open_desk_page("/history")
    director.phone.take_picture("history")
    assert [row["entry"] for row in standings[:2]] == [CHAMPIONS, FOUND_AGAIN]
