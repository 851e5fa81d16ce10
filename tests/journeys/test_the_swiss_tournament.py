"""A tournament of 24 pairs on the director's phone: four rounds by results, then a final of the best four.

Whatever goes wrong on such a day goes wrong here: a late pair, one that leaves, one that does not come back,
two that sit down in each other's place, and a result that turns out wrong two rounds later.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from engine.draws.lineups import Lineup
from rules import Side
from scoring.models import TableCard
from tests.builders import FIRST_NAMES, SURNAMES, matches_of, standings_after
from tests.journeys.director import Director, Table, first_number
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_standings import is_nothing_cut_off
from tournaments.rounds.queries.seatings import lineup_of

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
LATE = ("Léa Zola", "Noé Zola")
LATE_NUMBER, LEAVING, MISSING = 25, 24, 23


class Steward(Director):
    """The director of this day, who reads before pressing anything."""

    def presses(self, name: str) -> None:
        self.phone.tap(self.phone.button(name).first)

    def follows(self, name: str) -> None:
        self.phone.tap(self.phone.link(name).first)

    def opens(self, name: str) -> None:
        """Something that was folded."""
        self.phone.tap(self.page.locator("summary", has_text=name).first)

    def reads(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(re.compile(text))

    def keeps(self, title: str) -> None:
        """A picture of something that fits on the phone."""
        is_nothing_cut_off(self.phone)
        self.phone.picture(title)

    def table(self, number: int) -> Locator:
        return self.page.locator(f"#table-{number}")

    def lineup(self, number: int) -> Lineup:
        return lineup_of(self.event.rounds.get(number=number))

    def meetings(self, number: int) -> list[frozenset[int]]:
        """Return who meets at each table of a round."""
        return [frozenset((*a, *b)) for a, b in self.tables(number).values()]

    def has_played(self, number: int, wins: Callable[[Table], Side] = first_number) -> None:
        """A draft is published, played and closed."""
        self.publishes(number)
        self.sees_played(number, wins)
        self.closes(number)


def second_number(table: Table) -> Side:
    """An upset."""
    return first_number(table).other


def makes_it_and_enters_24_pairs(director: Steward) -> None:
    director.chooses("Swiss, then a final for the top 4")
    director.makes("Coupe du printemps", expected=24, rounds=4)
    director.pastes(" et ".join(pair) for pair in PAIRS)
    director.keeps("entries")
    director.starts()
    expect(director.page.locator(".reasons").first).to_contain_text("Drawn by lot.")
    director.keeps("draft")


def swaps_two_after_reading_the_price(director: Steward) -> None:
    before = director.lineup(1)
    director.phone.tap(director.table(1).locator("summary"))
    director.phone.tap(director.page.locator("#swap-1"))
    director.phone.tap(director.table(2).get_by_role("link").first)
    price = director.page.get_by_role("complementary")
    expect(price).to_contain_text("Table 1")
    expect(price.get_by_role("heading")).to_be_in_viewport()
    director.keeps("price-of-a-swap")
    director.presses("^Swap( anyway)?$")
    expect(director.table(1)).to_contain_text("Placed by the director.")
    after = director.lineup(1)
    assert set(after.table(1).a + after.table(1).b) & set(before.table(2).a + before.table(2).b)
    assert after.tables[2:] == before.tables[2:]


def holds_a_table_and_draws_the_rest_again(director: Steward) -> None:
    before = director.lineup(1)
    held = director.page.locator("#hold-1")
    director.phone.tap(director.table(1).locator("summary"))
    director.phone.tap(held)
    expect(held).to_have_attribute("aria-pressed", "true")
    director.phone.tap(director.page.locator("#draw-again"))
    expect(director.table(1)).to_contain_text("Locked by the director.")
    after = director.lineup(1)
    assert {*after.table(1).a, *after.table(1).b} == {*before.table(1).a, *before.table(1).b}
    assert after.tables[1:] != before.tables[1:]
    director.follows("Compare with automatic draw")
    director.reads("Both have the same tables|Only in this draft")
    director.follows("Back to the draft")


def plays_a_table_by_phone(director: Steward, phone: Phone) -> None:
    phone.open(f"/t/{TableCard.objects.get(topic=director.event.topic, number=1).code}")
    phone.mark(f"{first_number(director.tables(1)[1]).name}-gros_charlemagne-8")
    phone.tap(phone.button("Yes, that’s right"))
    expect(phone.sheet).to_be_hidden()
    expect(phone.page.locator(".chip.going")).to_have_count(0)


def lets_a_late_pair_in(director: Steward) -> None:
    director.looks_at("/entries")
    director.opens("Add late pair")
    for label, name in zip(("First player", "Second player"), LATE, strict=True):
        director.page.get_by_label(label).fill(name)
    director.presses("Add from round 2")
    director.reads(f"{LATE[1]}\\s+plays from round 2")


def withdraws_a_pair_after_seeing_what_it_changes(director: Steward) -> None:
    director.looks_at(f"/entries/{LEAVING}")
    director.opens("Withdraw")
    director.presses("Preview changes")
    director.reads("Next round: 24 entries")
    director.keeps("withdrawal")
    assert director.event.entries.get(number=LEAVING).leaves_after is None
    director.page.locator("input[name=reason]").fill("Malade")
    director.presses("^Withdraw$")
    director.reads("withdrawn after round 2")


def rules_that_a_pair_did_not_come_back(director: Steward, number: int) -> None:
    seat = director.event.entries.get(number=MISSING).seatings.get(round__number=number)
    assert seat.table is not None
    director.looks_at(f"/rounds/{number}")
    director.phone.tap(director.table(seat.table.number).get_by_role("link"))
    director.keeps("table")
    director.presses(f"{re.escape(' and '.join(PAIRS[MISSING - 1]))}: forfeit")
    director.reads("Effects")
    director.keeps("forfeit")
    director.presses("Apply ruling")
    expect(director.table(seat.table.number)).to_contain_text("Forfeit")


def corrects_a_result_of_round_1(director: Steward) -> None:
    """The last hand of table 4 was marked on the wrong side: found while round 3 is played."""
    wrong = matches_of(director.event)[3]
    loser = first_number(director.tables(1)[4]).other.name
    published = [director.lineup(number) for number in (1, 2, 3)]
    director.looks_at("/rounds/1")
    director.phone.tap(director.table(4).get_by_role("link"))
    director.follows("View hands")
    expect(director.page.get_by_text("Each side confirms.")).to_be_hidden()
    director.follows("Correct a hand")
    director.phone.tap(director.page.locator(".hands ol a").first)
    director.phone.mark(f"{loser}-gros_charlemagne-8")
    director.keeps("correction")
    director.page.locator("input[name=reason]").fill("La feuille dit le contraire")
    director.presses("Yes, that’s right")
    expect(director.phone.sheet).to_be_hidden()
    wrong.refresh_from_db()
    assert wrong.summary["winner"] == loser
    assert [director.lineup(number) for number in (1, 2, 3)] == published
    director.looks_at("/history")
    line = director.page.locator(".history li", has_text="Round 1, table 4 corrected, ")
    expect(line).to_contain_text(" is now ")
    expect(line).to_contain_text("La feuille dit le contraire")
    director.keeps("history")


def writes_two_pairs_where_they_sat(director: Steward, number: int) -> None:
    director.looks_at(f"/rounds/{number}")
    director.follows("Correct seats")
    for table in (5, 6):
        director.phone.tap(director.table(table).get_by_role("link").first)
    director.presses("^Swap( anyway)?$")
    director.reads("Did these two swap seats\\?")
    director.reads(f"Round {number}, table 5")
    director.presses("Swap their seats")
    director.reads("Choose the table")


def takes_it_back_in_the_history(director: Steward, before: Lineup) -> None:
    assert director.lineup(3) != before
    director.looks_at("/history")
    swap = director.page.locator(".history li", has_text=re.compile(r"^\s*Round 3: .* swapped"))
    director.phone.tap(swap.get_by_role("button"))
    director.reads("Undo “Round 3: .* swapped”\\?")
    director.reads("Round 3, table 5")
    director.presses("^Undo$")
    director.reads("Undid: Round 3: .* swapped")
    director.keeps("undone")
    assert director.lineup(3) == before


def opens_the_reasons_of_a_rank(director: Steward) -> list[int]:
    """The first four, best first."""
    rows = standings_after(director.event)
    director.phone.open(f"/e/{director.event.short}/standings")
    expect(director.page.get_by_text("withdrew after round 2")).to_be_visible()
    director.phone.tap(director.page.locator(".standings li summary").nth(2))
    director.reads("Why rank \\d+, not \\d+\\?")
    expect(director.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    director.keeps("reasons")
    return [row["entry"] for row in rows[:4]]


def plays_round_1(director: Steward, phone: Phone) -> None:
    director.publishes(1)
    director.keeps("tables")
    plays_a_table_by_phone(director, phone)
    director.sees_played(1, first_number)
    director.closes(1)


def plays_round_2_with_a_late_pair(director: Steward) -> None:
    director.draws(2)
    lets_a_late_pair_in(director)
    director.looks_at()
    director.reads(f"Present but not drawn: {' and '.join(LATE)}")
    director.keeps("draft-without-the-late-pair")
    director.phone.tap(director.page.locator("#draw-again"))
    expect(director.page.get_by_text("Present but not drawn:")).to_be_hidden()
    director.reads("Never met.")
    director.reads("Bye:")
    director.keeps("second-draft")
    director.has_played(2)
    assert director.event.entries.get(number=LATE_NUMBER).seatings.get().round.number == 2


def plays_round_3_with_all_its_trouble(director: Steward) -> None:
    withdraws_a_pair_after_seeing_what_it_changes(director)
    director.looks_at()
    director.draws(3)
    assert not any(LEAVING in meeting for meeting in director.meetings(3))
    director.publishes(3)
    rules_that_a_pair_did_not_come_back(director, 3)
    corrects_a_result_of_round_1(director)
    drawn = director.lineup(3)
    writes_two_pairs_where_they_sat(director, 3)
    takes_it_back_in_the_history(director, drawn)
    director.sees_played(3, first_number)
    director.closes(3)


def plays_the_final(director: Steward, best: list[int]) -> tuple[int, int]:
    """Semifinals and final; gives who won the final, and who lost it."""
    director.looks_at()
    director.draws(5)
    director.keeps("semifinals")
    assert set(director.meetings(5)) == {frozenset({best[0], best[3]}), frozenset({best[1], best[2]})}
    director.has_played(5)
    director.draws(6)
    first, second = sorted(min(meeting) for meeting in director.meetings(5))
    assert {first, second} in director.meetings(6)
    director.has_played(6, second_number)
    return second, first


def test_four_rounds_by_results_and_a_final_through_all_that_goes_wrong(hall: Hall, phones: Phones) -> None:
    director = Steward(hall, phones("director"))
    makes_it_and_enters_24_pairs(director)
    swaps_two_after_reading_the_price(director)
    holds_a_table_and_draws_the_rest_again(director)
    plays_round_1(director, phones("table"))
    plays_round_2_with_a_late_pair(director)
    plays_round_3_with_all_its_trouble(director)
    director.draws(4)
    director.has_played(4)
    met = [meeting for number in (1, 2, 3, 4) for meeting in director.meetings(number)]
    assert len(set(met)) == len(met)

    best = opens_the_reasons_of_a_rank(director)
    finalists = plays_the_final(director, best)
    director.presses("End")
    director.reads("has ended")
    rows = standings_after(director.event)
    assert [row["rank"] for row in rows[:4]] == [1, 2, 3, 4]
    assert tuple(row["entry"] for row in rows[:2]) == finalists
    assert {row["entry"] for row in rows[:4]} == set(best)
    director.phone.open(f"/e/{director.event.short}/standings")
    director.keeps("final-standings")
    director.phone.open(f"/e/{director.event.short}")
    director.keeps("public-page")
