"""Two clubs on two phones: one invites, the other enters its people, and both see the standings."""

import re

import pytest
from playwright.sync_api import Locator, expect

from clubs.calendar import get_club_today
from clubs.models import Account, Club
from clubs.services.people import find_or_add_people
from tests.builders import build_account, build_club, build_event, compute_standings, matches_of, win
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phone, Phones
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.models import Event

OURS = "\n".join(f"{NAMES[place]} et {NAMES[place + 1]}" for place in range(0, 8, 2))
"""Four pairs of the host club; the guest club has the next eight names."""


class ClubMeeting:
    def __init__(self, hall: Hall) -> None:
        self.director: Account = build_account("Rita Plourde")
        self.host: Club = build_club("Les Joyeux Atouts de Rimouski", owner=hall.owner)
        self.guest: Club = build_club("Club de cartes de Saint-Ulric-de-Matane", owner=self.director)
        self.people = find_or_add_people(club=self.guest, full_names=NAMES[8:])
        self.event: Event = build_event(0, club=self.host, tables=4, draw_format="interclub")
        Event.objects.filter(pk=self.event.pk).update(held_on=get_club_today(self.host))
        add_entry_list(event_id=self.event.pk, text=OURS)


@pytest.fixture
def meeting(hall: Hall) -> ClubMeeting:
    return ClubMeeting(hall)


def find_box(phone: Phone, name: str) -> Locator:
    return phone.page.locator(".box button").filter(has_text=name)


def enter_pairs(phone: Phone, meeting: ClubMeeting) -> None:
    """Enter each pair with two taps, the last one after a search by name."""
    people = [person.name for person in meeting.people]
    for number, place in enumerate(range(0, 8, 2), start=1):
        phone.tap(find_box(phone, people[place]))
        expect(phone.page.get_by_text(f"Tap a partner for {people[place]}")).to_be_visible()
        if number == 4:
            phone.page.get_by_label("Search by name").fill(people[place + 1].split()[0][:3])
            expect(find_box(phone, people[place])).to_have_count(0)
        phone.tap(find_box(phone, people[place + 1]))
        expect(phone.page.locator("#ours ~ ul > li")).to_have_count(number)


def test_invited_club_enters_four_pairs_and_both_see_the_standings(
    hall: Hall, phones: Phones, meeting: ClubMeeting
) -> None:
    host, guest = phones("host"), phones("guest")
    host.sign_in_by_form(hall.owner)
    host.open(f"/e/{meeting.event.short}/desk/entries")
    host.open_more_menu()
    host.tap(host.link("Invited clubs"))
    host.page.get_by_label("Club name").fill("matane")
    host.page.keyboard.press("Enter")
    host.take_picture("found")
    host.tap(host.find_button("^Invite Club de cartes"))
    expect(host.page.get_by_text("no answer yet")).to_be_visible()

    guest.sign_in_by_form(meeting.director)
    guest.take_picture("invited")
    guest.tap(guest.find_button("Accept"))
    guest.take_picture("accepted")
    guest.tap(guest.link("Enter our people"))
    enter_pairs(guest, meeting)
    guest.take_picture("entered")
    guest.tap(guest.page.get_by_text("Change").first)
    guest.take_picture("change")

    host.open(f"/e/{meeting.event.short}/desk/interclub")
    expect(host.page.get_by_text("takes part", exact=True)).to_be_visible()
    host.tap(host.link("Entries"))
    expect(host.page.locator(".entries .chip", has_text="Saint-Ulric")).to_have_count(4)
    host.tap(host.find_button("Start: draw round 1"))
    host.tap(host.find_button("Publish round 1"))
    expect(host.page.get_by_role("heading", name=re.compile("Round 1: 0 of 4"))).to_be_visible()

    guest.page.reload()
    expect(guest.page.locator("b.chip", has_text="Table")).to_have_count(4)
    expect(guest.find_button("Remove")).to_have_count(0)
    guest.take_picture("tables")
    for match in matches_of(meeting.event):
        numbers = match.table.seatings.order_by("side").values_list("entry__team", flat=True)
        win(match, "A" if numbers[0] else "B")  # the visitors win everywhere
    compute_standings(meeting.event)
    guest.tap(guest.page.locator("#main").get_by_role("link", name="Public page"))
    clubs = guest.page.locator("section", has=guest.page.locator("#clubs-title")).locator("li summary")
    expect(clubs.first).to_contain_text(meeting.guest.name)
    guest.tap(clubs.first)
    expect(guest.page.locator("[open] .counted-rounds li")).to_have_count(5)  # the meeting, and its four tables
    guest.take_picture("by-club")
    guest.open(f"/c/{meeting.guest.slug}/calendar")
    expect(guest.link(meeting.event.name)).to_be_visible()
    guest.take_picture("calendar")
