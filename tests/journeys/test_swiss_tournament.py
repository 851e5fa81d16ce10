"""A tournament of 24 pairs on the director's phone: four Swiss rounds, then a final.

It has all usual mishaps: a late pair, a withdrawal, a pair that does not return, two pairs in each other's seats,
and a wrong result that is found two rounds later.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from engine.draws.lineups import Lineup
from rules import Side
from scoring.models import TableCard
from tests.builders import FIRST_NAMES, SURNAMES, compute_standings, matches_of
from tests.journeys.director import Director, Table, pick_first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_standings import is_nothing_cut_off
from tournaments.rounds.queries.rounds import lineup_of

SECOND_NAMES = (
    *("Arsenault", "Boudreau", "Comeau", "Doucet", "Éthier", "Frenette", "Gallant", "Haché", "Imbeault"),
    *("Jalbert", "Kirouac", "Landry", "Mazerolle", "Nadeau", "Ouellette", "Poirier", "Quimper", "Robichaud"),
    *("Savoie", "Thériault", "Urbain", "Vautour", "Warren", "Yelle"),
)
PAIRS = tuple(
    (f"{FIRST_NAMES[place % 8]} {SURNAMES[place % 10]}", f"{FIRST_NAMES[(place + 3) % 8]} {surname}")
    for place, surname in enumerate(SECOND_NAMES)
)
"""24 pairs; the first is the strongest."""
LATE_PAIR = ("Léa Zola", "Noé Zola")
LATE_NUMBER, LEAVING, MISSING = 25, 24, 23


class Steward(Director):
    """A director who checks each page before pressing a button."""

    def press_button(self, name: str) -> None:
        self.phone.tap(self.phone.find_button(name).first)

    def follow_link(self, name: str) -> None:
        self.phone.tap(self.phone.link(name).first)

    def open_section(self, name: str) -> None:
        """Unfold a section of the page."""
        self.phone.tap(self.page.locator("summary", has_text=name).first)

    def expect_text(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(re.compile(text))

    def take_picture(self, title: str) -> None:
        """Check that the screen fits the phone, and take a picture."""
        is_nothing_cut_off(self.phone)
        self.phone.take_picture(title)

    def find_table(self, number: int) -> Locator:
        return self.page.locator(f"#table-{number}")

    def get_lineup(self, number: int) -> Lineup:
        return lineup_of(self.event.rounds.get(number=number))

    def list_meetings(self, number: int) -> list[frozenset[int]]:
        """Return the entry numbers that meet at each table of a round."""
        return [frozenset((*a, *b)) for a, b in self.list_tables(number).values()]

    def has_played(self, number: int, wins: Callable[[Table], Side] = pick_first_number) -> None:
        """Publish, play and close a drafted round."""
        self.publish_round(number)
        self.play_open_tables(number, wins)
        self.close_round(number)


def pick_second_number(table: Table) -> Side:
    """Return the side that should lose, for an upset."""
    return pick_first_number(table).other


def create_and_enter_pairs(director: Steward) -> None:
    director.choose_preset("Swiss, then a final for the top 4")
    director.create_tournament("Coupe du printemps", expected=24, rounds=4)
    director.paste_entries(" et ".join(pair) for pair in PAIRS)
    director.take_picture("entries")
    director.start_event()
    expect(director.page.locator(".reasons").first).to_contain_text("Drawn by lot.")
    director.take_picture("draft")


def swap_after_price(director: Steward) -> None:
    before = director.get_lineup(1)
    director.phone.tap(director.find_table(1).locator("summary"))
    director.phone.tap(director.page.locator("#swap-1"))
    director.phone.tap(director.find_table(2).get_by_role("link").first)
    price = director.page.get_by_role("complementary")
    expect(price).to_contain_text("Table 1")
    expect(price.get_by_role("heading")).to_be_in_viewport()
    director.take_picture("price-of-a-swap")
    director.press_button("^Swap( anyway)?$")
    expect(director.find_table(1)).to_contain_text("Placed by the director.")
    after = director.get_lineup(1)
    assert set(after.get_table(1).a + after.get_table(1).b) & set(before.get_table(2).a + before.get_table(2).b)
    assert after.tables[2:] == before.tables[2:]


def hold_table_and_redraw(director: Steward) -> None:
    before = director.get_lineup(1)
    held = director.page.locator("#hold-1")
    director.phone.tap(director.find_table(1).locator("summary"))
    director.phone.tap(held)
    expect(held).to_have_attribute("aria-pressed", "true")
    director.phone.tap(director.page.locator("#draw-again"))
    expect(director.find_table(1)).to_contain_text("Locked by the director.")
    after = director.get_lineup(1)
    assert {*after.get_table(1).a, *after.get_table(1).b} == {*before.get_table(1).a, *before.get_table(1).b}
    assert after.tables[1:] != before.tables[1:]
    director.follow_link("Compare with automatic draw")
    director.expect_text("Both have the same tables|Only in this draft")
    director.follow_link("Back to the draft")


def play_table_by_phone(director: Steward, phone: Phone) -> None:
    phone.open(f"/t/{TableCard.objects.get(topic=director.event.topic, number=1).code}")
    phone.mark(f"{pick_first_number(director.list_tables(1)[1]).name}-gros_charlemagne-8")
    phone.tap(phone.find_button("Yes, that’s right"))
    expect(phone.sheet).to_be_hidden()
    expect(phone.page.locator(".chip.pending")).to_have_count(0)


def add_late_pair(director: Steward) -> None:
    director.open_desk_page("/entries")
    director.open_section("Add late pair")
    for label, name in zip(("First player", "Second player"), LATE_PAIR, strict=True):
        director.page.get_by_label(label).fill(name)
    director.press_button("Add from round 2")
    director.expect_text(f"{LATE_PAIR[1]}\\s+plays from round 2")


def withdraw_pair(director: Steward) -> None:
    director.open_desk_page(f"/entries/{LEAVING}")
    director.open_section("Withdrawal")
    director.press_button("Preview changes")
    director.expect_text("Next round: 24 entries")
    director.take_picture("withdrawal")
    assert director.event.entries.get(number=LEAVING).leaves_after is None
    director.page.locator("input[name=reason]").fill("Malade")
    director.press_button("^Withdraw$")
    director.expect_text("withdrawn after round 2")


def rule_forfeit(director: Steward, number: int) -> None:
    seat = director.event.entries.get(number=MISSING).seatings.get(round__number=number)
    assert seat.table is not None
    director.open_desk_page(f"/rounds/{number}")
    director.phone.tap(director.find_table(seat.table.number).get_by_role("link"))
    director.take_picture("table")
    director.press_button(f"{re.escape(' and '.join(PAIRS[MISSING - 1]))}: forfeit")
    director.expect_text("Effects")
    director.take_picture("forfeit")
    director.press_button("Apply ruling")
    expect(director.find_table(seat.table.number)).to_contain_text("Forfeit")


def correct_result(director: Steward) -> None:
    """Correct the last hand of table 4 in round 1, recorded for the wrong side, while round 3 is played."""
    wrong = matches_of(director.event)[3]
    loser = pick_first_number(director.list_tables(1)[4]).other.name
    published = [director.get_lineup(number) for number in (1, 2, 3)]
    director.open_desk_page("/rounds/1")
    director.phone.tap(director.find_table(4).get_by_role("link"))
    director.follow_link("View hands")
    expect(director.page.get_by_text("Each side confirms.")).to_be_hidden()
    director.follow_link("Correct a hand")
    director.phone.tap(director.page.locator(".hands ol a").first)
    director.phone.mark(f"{loser}-gros_charlemagne-8")
    director.take_picture("correction")
    director.page.locator("input[name=reason]").fill("La feuille dit le contraire")
    director.press_button("Yes, that’s right")
    expect(director.phone.sheet).to_be_hidden()
    wrong.refresh_from_db()
    assert wrong.summary["winner"] == loser
    assert [director.get_lineup(number) for number in (1, 2, 3)] == published
    director.open_desk_page("/history")
    line = director.page.locator(".history li", has_text="Round 1, table 4 corrected, ")
    expect(line).to_contain_text(" is now ")
    expect(line).to_contain_text("La feuille dit le contraire")
    director.take_picture("history")


def correct_seats(director: Steward, number: int) -> None:
    director.open_desk_page(f"/rounds/{number}")
    director.follow_link("Correct seats")
    for table in (5, 6):
        director.phone.tap(director.find_table(table).get_by_role("link").first)
    director.press_button("^Swap( anyway)?$")
    director.expect_text("Did these two swap seats\\?")
    director.expect_text(f"Round {number}, table 5")
    director.press_button("Swap their seats")
    director.expect_text("Choose the table")


def undo_in_history(director: Steward, before: Lineup) -> None:
    assert director.get_lineup(3) != before
    director.open_desk_page("/history")
    swap = director.page.locator(".history li", has_text=re.compile(r"^\s*Round 3: .* swapped"))
    director.phone.tap(swap.get_by_role("button"))
    director.expect_text("Undo “Round 3: .* swapped”\\?")
    director.expect_text("Round 3, table 5")
    director.press_button("^Undo$")
    director.expect_text("Undid: Round 3: .* swapped")
    director.take_picture("undone")
    assert director.get_lineup(3) == before


def open_rank_reasons(director: Steward) -> list[int]:
    """Open the reasons of a rank, and return the entry numbers of the first four, best first."""
    rows = compute_standings(director.event)
    director.phone.open(f"/e/{director.event.short}/standings")
    expect(director.page.get_by_text("withdrew after round 2")).to_be_visible()
    director.phone.tap(director.page.locator(".standings li summary").nth(2))
    director.expect_text("Why rank \\d+, not \\d+\\?")
    expect(director.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    director.take_picture("reasons")
    return [row["entry"] for row in rows[:4]]


def play_round_1(director: Steward, phone: Phone) -> None:
    director.publish_round(1)
    director.take_picture("tables")
    play_table_by_phone(director, phone)
    director.play_open_tables(1, pick_first_number)
    director.close_round(1)


def play_round_2(director: Steward) -> None:
    director.draw_round(2)
    add_late_pair(director)
    director.open_desk_page()
    director.expect_text(f"Present but not drawn: {' and '.join(LATE_PAIR)}")
    director.take_picture("draft-without-the-late-pair")
    director.phone.tap(director.page.locator("#draw-again"))
    expect(director.page.get_by_text("Present but not drawn:")).to_be_hidden()
    director.expect_text("Never met.")
    director.expect_text("Bye:")
    director.take_picture("second-draft")
    director.has_played(2)
    assert director.event.entries.get(number=LATE_NUMBER).seatings.get().round.number == 2


def play_round_3(director: Steward) -> None:
    withdraw_pair(director)
    director.open_desk_page()
    director.draw_round(3)
    assert not any(LEAVING in meeting for meeting in director.list_meetings(3))
    director.publish_round(3)
    rule_forfeit(director, 3)
    correct_result(director)
    drawn = director.get_lineup(3)
    correct_seats(director, 3)
    undo_in_history(director, drawn)
    director.play_open_tables(3, pick_first_number)
    director.close_round(3)


def play_final(director: Steward, best: list[int]) -> tuple[int, int]:
    """Play the semifinals and the final, and return the winner and the loser of the final."""
    director.open_desk_page()
    director.draw_round(5)
    director.take_picture("semifinals")
    assert set(director.list_meetings(5)) == {frozenset({best[0], best[3]}), frozenset({best[1], best[2]})}
    director.has_played(5)
    director.draw_round(6)
    first, second = sorted(min(meeting) for meeting in director.list_meetings(5))
    assert {first, second} in director.list_meetings(6)
    director.has_played(6, pick_second_number)
    return second, first


def test_swiss_tournament_and_final_survive_every_mishap(hall: Hall, phones: Phones) -> None:
    director = Steward(hall, phones("director"))
    create_and_enter_pairs(director)
    swap_after_price(director)
    hold_table_and_redraw(director)
    play_round_1(director, phones("table"))
    play_round_2(director)
    play_round_3(director)
    director.draw_round(4)
    director.has_played(4)
    met = [meeting for number in (1, 2, 3, 4) for meeting in director.list_meetings(number)]
    assert len(set(met)) == len(met)

    best = open_rank_reasons(director)
    finalists = play_final(director, best)
    director.press_button("End")
    director.expect_text("has ended")
    rows = compute_standings(director.event)
    assert [row["rank"] for row in rows[:4]] == [1, 2, 3, 4]
    assert tuple(row["entry"] for row in rows[:2]) == finalists
    assert {row["entry"] for row in rows[:4]} == set(best)
    director.phone.open(f"/e/{director.event.short}/standings")
    director.take_picture("final-standings")
    director.phone.open(f"/e/{director.event.short}")
    director.take_picture("public-page")
