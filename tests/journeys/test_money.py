"""A night with a fee, on real screens: payments at the door, prizes and attendance."""

import pytest
from playwright.sync_api import expect

from clubs.models import Family, Person
from tests.builders import build_club, build_event, compute_standings, play_round, start_next_round
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phone, Phones
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event, Prize

PAIRS = 6


@pytest.fixture
def night(hall: Hall) -> Event:
    """A night with six pairs checked in; three of the twelve players are a family, and one is a guest."""
    club = build_club(owner=hall.owner)
    event = build_event(0, club=club, tables=3)
    entries = {number: NAMES[2 * number - 2 : 2 * number] for number in range(1, PAIRS + 1)}
    add_entries(event_id=event.pk, entries=entries)
    family = Family.objects.create(club=club, name="Famille Roy")
    Person.objects.filter(club=club, name__in=(NAMES[0], NAMES[4], NAMES[7])).update(family=family)
    Person.objects.filter(club=club, name=NAMES[3]).update(is_guest=True)
    for number in entries:
        mark_present(event_id=event.pk, number=number, is_present=True)
    return event


def open_desk_page(hall: Hall, phone: Phone, event: Event, page: str) -> None:
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/{page}")


def expect_totals(phone: Phone, total: str, more: str) -> None:
    expect(phone.page.locator("#totals h2")).to_have_text(total)
    expect(phone.page.locator("#totals p")).to_contain_text(more)


def test_a_family_pays_with_a_tap_and_an_amount_is_corrected(hall: Hall, phones: Phones, night: Event) -> None:
    phone = phones()
    open_desk_page(hall, phone, night, "fees")
    phone.tap(phone.link("Set a fee"))
    phone.page.get_by_label("Member fee, in dollars").fill("5")
    phone.page.get_by_label("Guest fee, in dollars").fill("eight")
    phone.tap(phone.find_button("^Save$"))
    expect(phone.page.locator("#id_guest_fee")).to_be_focused()
    phone.page.get_by_label("Guest fee, in dollars").fill("8,50 $")
    phone.tap(phone.find_button("^Save$"))
    expect_totals(phone, "$0 of $63.50 paid", "$63.50 owed")
    phone.tap(phone.find_button("Famille Roy"))
    expect_totals(phone, "$15 of $63.50 paid", "3 of 12 paid")
    expect(phone.page.locator("#owing")).to_have_text("9")
    phone.take_picture("family")
    phone.tap(phone.find_button(NAMES[3]))
    expect_totals(phone, "$23.50 of $63.50 paid", "4 of 12")
    phone.tap(phone.find_button("Undo"))
    expect_totals(phone, "$15 of $63.50 paid", "3 of 12")
    phone.tap(phone.link(f"Change amount: {NAMES[3]}"))
    phone.page.get_by_label("Amount paid ($)").fill("4.25")
    phone.tap(phone.find_button("Save amounts"))
    expect_totals(phone, "$19.25 of $63.50 paid", "$44.25 owed")
    phone.page.locator("#id_search").press_sequentially("ouel")
    expect(phone.page.locator("#lists .box")).to_have_count(1)
    expect(phone.page.locator("#lists .box")).to_contain_text("$4.25 paid, $4.25 to pay")
    phone.open(f"/e/{night.short}/desk/entries/check-in")
    expect(phone.page.locator("#entry-1")).to_contain_text("$5 to pay")
    phone.take_picture("check-in")


def test_prize_is_awarded_with_a_tap_and_attendance_counted(hall: Hall, phones: Phones, night: Event) -> None:
    start_event(event_id=night.pk)
    start_next_round(night)
    play_round(night)
    compute_standings(night)
    phone = phones()
    open_desk_page(hall, phone, night, "prizes")
    phone.tap(phone.find_button("1st prize").first)
    prize = Prize.objects.get()
    expect(phone.page.get_by_role("heading", name="1 prize given")).to_be_visible()
    phone.take_picture("prizes")
    phone.tap(phone.link("1st prize"))
    phone.page.get_by_label("Value, in dollars").fill("20")
    phone.tap(phone.page.get_by_text("Show on public page"))
    phone.tap(phone.find_button("^Save$"))
    expect(phone.page.get_by_text("1st prize, $20")).to_be_visible()
    phone.open(f"/e/{night.short}")
    expect(phone.page.locator(".prizes")).to_contain_text(prize.winner_1.get_public_name(night.club))
    expect(phone.page.locator(".prizes")).not_to_contain_text("$20")
    phone.open(f"/club/{night.club.slug}/attendance")
    phone.tap(phone.page.get_by_role("group").filter(has_text=NAMES[0]).locator("summary"))
    expect(phone.page.get_by_role("listitem").filter(has_text=night.name)).to_be_visible()
    phone.tap(phone.link("By night"))
    expect(phone.page.get_by_text("11 members, 1 guest, 12 newcomers")).to_be_visible()
