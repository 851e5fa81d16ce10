"""axe finds no violations on any page or table state, in the light and the dark theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from clubs import first_run
from clubs.services.house_rules import create_house_rules
from rules import BAS_SAINT_LAURENT
from scoring.services.agreement import call_desk
from tests.builders import (
    TWO_GAMES,
    build_club,
    build_event,
    compute_standings,
    mark,
    matches_of,
    play,
    start_next_round,
    win,
)
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.rounds.services.rounds import close_round, draw_round


class Judge:
    """Collector of the violations that axe finds on a screen."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.found: dict[str, list[Any]] = {}

    def look(self, state: str, *, once: str = "main") -> None:
        """Run axe as soon as an element matches ``once``."""
        expect(self.phone.page.locator(once).first).to_be_visible()
        self.phone.take_picture(state)
        if found := find_violations(self.phone):
            self.found[state] = found

    def look_at(self, path: str) -> None:
        self.phone.open(path)
        self.look(path.strip("/").replace("/", "-") or "home")


def test_club_and_night_pages_have_no_axe_violations(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=7, tables=4)
    build_event(3, club=event.club)
    phone = phones()
    judge = Judge(phone)
    judge.look_at("/")
    judge.look_at("/sign-in")
    judge.look_at("/nothing")
    judge.look_at("/t/000000")
    phone.sign_in(hall.owner)
    club, night = f"/club/{event.club.slug}", f"/e/{event.short}"
    for path in (
        club,
        f"{club}/new",
        f"{club}/import",
        f"{night}/desk/entries",
        f"{night}/desk/cards",
        night,
    ):
        judge.look_at(path)
    judge.look_at(f"{night}-2/desk/entries")
    phone.page.locator("#adding summary").click()
    phone.page.locator("#id_entries").fill("Alone\nAnne 🎉 and Paul")
    phone.page.locator("form:has(#id_entries) button").click()
    judge.look("entries-refused", once="#id_entries_error")
    play(matches_of(event)[1], "A 6 7")
    mark(matches_of(event)[2], "A 6 7")
    mark(matches_of(event)[2], "A 7 7", number=1)
    call_desk(match_id=hall.match.pk)
    judge.look_at(f"{night}/desk")
    phone.find_button("Close round 1").press("Enter")
    judge.look("desk-refused", once="#missing")
    empty = build_club("Without a night", owner=hall.owner)
    judge.look_at(f"/club/{empty.slug}")
    assert judge.found == {}


@pytest.mark.long
def test_standings_and_next_draft_have_no_axe_violations(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=7, tables=4)
    for match in matches_of(event):
        win(match)
    close_round(event_id=event.pk, number=1)
    start_next_round(event)
    for match in matches_of(event, 2):
        win(match)
    close_round(event_id=event.pk, number=2)
    compute_standings(event)
    draw_round(event_id=event.pk)
    phone = phones()
    judge = Judge(phone)
    judge.look_at(f"/e/{event.short}")
    for row in phone.page.locator(".standings li summary").all():
        row.click()
    judge.look("why")
    judge.look_at(f"/e/{event.short}/rules")
    judge.look_at(f"/e/{event.short}/ruling")
    phone.sign_in(hall.owner)
    judge.look_at(f"/e/{event.short}/desk")
    assert judge.found == {}


@pytest.mark.long
def test_house_rules_pages_have_no_axe_violations(hall: Hall, phones: Phones) -> None:
    club = build_club(owner=hall.owner)
    phone = phones()
    judge = Judge(phone)
    phone.sign_in(hall.owner)
    rules = f"/club/{club.slug}/house-rules"
    judge.look_at(rules)
    judge.look_at(f"{rules}/new/bas-saint-laurent")
    phone.page.locator("[name='contracts.grosse.made']").fill("-1")
    phone.page.locator("[name='target']").fill("25")
    phone.page.locator("[name='games_to_win']").focus()
    judge.look("checked", once="#difference .notice")
    phone.page.locator(".action-bar button").click()
    judge.look("rules-refused", once="#refusal")
    for name in ("Tuesdays", "Finals"):
        create_house_rules(club=club, name=name, base="maine", difference={"target": 25})
    phone.open(rules)
    phone.find_button("Remove").first.click()
    judge.look("removed", once="#removed")
    judge.look_at(f"/club/{club.slug}/new")
    assert judge.found == {}


@pytest.mark.long
def test_first_run_page_has_no_axe_violations(phones: Phones) -> None:
    phone = phones()
    judge = Judge(phone)
    judge.look_at(f"/start/{first_run.get_first_run_secret()}")
    phone.page.locator("form:has([name=club_name]) button").click()
    judge.look("refused", once="#refusal")
    judge.look_at("/start/used")
    assert judge.found == {}


def iter_table_states(hall: Hall, phone: Phone) -> Iterator[str]:
    """Yield the name of each state of the table screen while the phone shows it."""
    phone.open(hall.table)
    yield "nothing-marked"
    phone.tap(phone.find_contract_key("B-petite"))
    yield "tricks"
    phone.tap(phone.find_result_key("B-petite-0"))
    phone.expect_sent_totals(0, 8)
    yield "marked"
    phone.open(f"{hall.table}#more")
    yield "more"
    phone.open(f"{hall.table}/hands")
    yield "hands"
    phone.open(f"{hall.table}/hands/1")
    yield "correcting"
    phone.open(hall.table)
    phone.mark("A-charlemagne-failed")
    expect(phone.sheet).to_be_visible()
    yield "read-aloud"
    phone.tap(phone.find_button("Yes, that’s right"))
    phone.tap(phone.page.locator("button[name=side]").first)
    expect(phone.page.locator(".confirmed")).to_be_visible()
    yield "game-over"
    mark(hall.match, "A 6 7", number=1)
    phone.open(hall.table)
    yield "two-marks"
    phone.open_updates()
    phone.tap(phone.page.locator(".marks button").first)
    expect(phone.page.locator(".marks")).to_be_hidden()
    call_desk(match_id=hall.match.pk, note="Renege?")
    play(hall.match, "B charlemagne made")
    phone.open(hall.table)
    yield "match-over-and-called"


def iter_desk_states(hall: Hall, phone: Phone) -> Iterator[str]:
    """Yield the name of each state of a match at the desk while the phone shows it."""
    phone.sign_in(hall.owner)
    call_desk(match_id=hall.match.pk, note="Renege?")
    phone.open(f"/match/{hall.match.pk}")
    yield "called"
    phone.mark("A-6-7")
    expect(phone.sheet).to_be_visible()
    yield "reason"
    phone.open(f"/match/{hall.match.pk}/hands")
    yield "history"
    phone.open(f"/match/{hall.match.pk}/sheet")
    yield "paper"
    phone.page.locator("[name=points_a]").fill("40")
    phone.page.locator("[name=points_b]").fill("40")
    phone.page.locator("form:has([name=points_a]) button.primary").click()
    expect(phone.page.get_by_role("alert")).to_be_visible()
    yield "paper-refused"


@pytest.mark.parametrize("states", [iter_table_states, iter_desk_states])
def test_every_table_state_has_no_axe_violations(
    hall: Hall, phones: Phones, states: Callable[[Hall, Phone], Iterator[str]]
) -> None:
    hall.build_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES, details=("declarer", "trump", "mode"))
    phone = phones()
    judge = Judge(phone)
    for state in states(hall, phone):
        judge.look(state)
    assert judge.found == {}
