"""A progressive night of sixteen pairs: winners move up a table, losers down, despite a forfeit and a withdrawal."""

import re

import pytest
from playwright.sync_api import expect

from rules import Side
from tests.builders import compute_standings, matches_of
from tests.journeys.director import COUPLES, Director, Table, pick_first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_standings import is_nothing_cut_off

LEAVING_ENTRY = 16
PLACES = range(1, 9)


def get_expected_seats(tables: dict[int, Table], winners: dict[int, Side]) -> dict[int, set[int]]:
    """Return the entries expected at each table: winners move one up, losers one down, except at the ends."""
    coming: dict[int, set[int]] = {number: set() for number in tables}
    for number, table in tables.items():
        won = winners[number]
        coming[max(number - 1, min(tables))] |= {*table[won]}
        coming[min(number + 1, max(tables))] |= {*table[won.other]}
    return coming


def get_winners(director: Director, number: int) -> dict[int, Side]:
    """Return which side won each table, by cards or by forfeit."""
    found = {}
    for match in matches_of(director.event, number):
        winner = (match.table.ruling or match.summary)["winner"]
        found[match.table.number] = Side[winner]
    return found


def get_seats(director: Director, number: int) -> dict[int, set[int]]:
    return {table: {*a, *b} for table, (a, b) in director.list_tables(number).items()}


def play_and_check_moves(director: Director, number: int) -> None:
    """Play and close a round, draw the next one, and check that every pair has moved as expected."""
    director.play_open_tables(number, pick_first_number)
    director.close_round(number)
    played, winners = director.list_tables(number), get_winners(director, number)
    director.draw_round(number + 1)
    assert get_seats(director, number + 1) == get_expected_seats(played, winners)
    director.phone.take_picture(f"draft-{number + 1}")


def forfeit(director: Director, number: int, table: int) -> None:
    """Rule a forfeit against the side that would have lost at a table."""
    phone = director.phone
    absent = pick_first_number(director.list_tables(number)[table]).other.name.lower()
    phone.tap(phone.link("^Correct$"))
    phone.tap(phone.page.locator(f"#table-{table}").get_by_role("link", name="Correct table"))
    phone.tap(phone.page.locator(f"button[value=forfeit_{absent}]"))
    expect(phone.page.get_by_role("heading", name="Effects")).to_be_visible()
    phone.take_picture("forfeit")
    phone.page.locator("input[name=reason]").fill("Stuck in the snow.")
    phone.tap(phone.page.locator("button[name=confirmed]"))
    expect(phone.page.locator(f"#table-{table}")).to_contain_text(re.compile("forfeit", re.IGNORECASE))
    phone.take_picture("forfeited")


def leave(director: Director, entry: int) -> None:
    """Withdraw a pair after the current round."""
    phone = director.phone
    director.open_desk_page("/entries")
    phone.tap(phone.page.locator(f"a[href$='/entries/{entry}']"))
    phone.tap(phone.page.get_by_text("Withdrawal", exact=True))
    phone.take_picture("withdraw")
    phone.tap(phone.page.locator("form:has([value=withdraw]) button"))
    expect(phone.page.get_by_role("heading", name="Effects")).to_be_visible()
    expect(phone.page.get_by_text("Next round: 15 entries.")).to_be_visible()
    expect(phone.page.get_by_text("Odd number: one bye.")).to_be_visible()
    phone.take_picture("withdraw-effects")
    phone.page.locator("input[name=reason]").fill("A babysitter to drive home.")
    phone.tap(phone.page.locator("button[name=confirmed]"))
    expect(phone.page.get_by_text("Reinstate")).to_be_visible()
    phone.take_picture("withdrawn")


@pytest.mark.long("test_swiss_tournament.py directs such a night")
def test_winners_move_up_and_losers_down_despite_absences(hall: Hall, phones: Phones) -> None:
    director = Director(hall, phones("director"))
    phone = director.phone
    director.choose_preset("^Progressive")
    director.create_tournament("Progressive", expected=16, rounds=4)
    director.paste_entries(COUPLES)
    director.start_event()
    phone.take_picture("draft-1")
    director.publish_round(1)
    play_and_check_moves(director, 1)
    director.publish_round(2)
    forfeit(director, 2, 3)
    play_and_check_moves(director, 2)
    director.publish_round(3)
    leave(director, LEAVING_ENTRY)
    director.open_desk_page()
    director.play_open_tables(3, pick_first_number)
    director.close_round(3)
    played, winners = director.list_tables(3), get_winners(director, 3)
    director.draw_round(4)
    phone.take_picture("draft-4")
    now = get_seats(director, 4)
    (sitting_out,) = {*range(1, 16)} - set().union(*now.values())
    assert list(now) == [1, 2, 3, 4, 5, 6, 7]
    coming = get_expected_seats(played, winners)
    assert now[1] == coming[1], "what happens at the bottom moves nobody at the top"
    assert LEAVING_ENTRY not in set().union(*now.values())
    expect(phone.page.get_by_text("Bye:")).to_contain_text(COUPLES[sitting_out - 1].split(" et ")[0])
    director.publish_round(4)
    director.play_open_tables(4, pick_first_number)
    director.close_round(4)
    phone.take_picture("end")
    phone.tap(phone.find_button("End the event"))
    expect(phone.page.get_by_text("The event has ended.")).to_be_visible()
    standings = compute_standings(director.event)
    assert standings[0]["match_wins"] == 4
    assert 1 in {row["entry"] for row in standings if row["match_wins"] == 4}
    assert len(standings) == 16
    family = phones("family")
    family.open(f"/e/{director.event.short}")
    is_nothing_cut_off(family)
    family.take_picture("public")
    family.open(f"/e/{director.event.short}/standings/{LEAVING_ENTRY}")
    expect(family.page.get_by_text("Rank")).not_to_have_count(0)
    family.take_picture("who-left")
    director.open_desk_page("/history")
    phone.take_picture("history")
