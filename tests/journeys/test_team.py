"""The team of a club on real screens: an invited person joins on a phone, changes role and is removed."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from clubs.models import Account, Club, Membership, Role
from clubs.queries import find_account_role
from tests.builders import PASSWORD, build_account, build_club
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones


@pytest.fixture
def club(hall: Hall) -> Club:
    club = build_club("Les Joyeux Atouts de Saint-Pacôme", owner=hall.owner)
    for name, role in (("Huguette Morin", Role.DIRECTOR), ("Marie-Paule Saint-Pierre-Desrosiers", Role.DESK)):
        Membership.objects.create(club=club, account=build_account(name), role=role)
    return club


def open_team_page(hall: Hall, club: Club, phone: Phone) -> Phone:
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/team")
    return phone


def find_role(phone: Phone, name: str) -> Locator:
    return phone.page.locator(".choice").filter(has=phone.page.locator("b", has_text=name))


def get_handed_path(phone: Phone) -> str:
    """Return the path of the link, whose host is the laptop's address on the hall's network."""
    return urlsplit(phone.page.locator("#address").input_value()).path


@pytest.mark.parametrize("screen", ["phone", pytest.param("laptop", marks=pytest.mark.long("the same as on a phone"))])
def test_invited_person_joins_the_team_on_a_phone(hall: Hall, phones: Phones, club: Club, screen: str) -> None:
    owner = open_team_page(hall, club, phones() if screen == "phone" else phones.open_laptop())
    owner.take_picture("team")
    owner.page.get_by_label("For whom").fill("Rita")
    owner.tap(find_role(owner, "Director"))
    owner.tap(owner.find_button("Create link"))
    expect(owner.page.locator("svg.qr")).to_be_visible()
    owner.tap(owner.find_button("Copy link"))
    expect(owner.find_button("Copied")).to_be_visible()
    owner.take_picture("link")
    address = get_handed_path(owner)

    rita = phones("rita")
    rita.open(address)
    rita.take_picture("invited")
    rita.page.get_by_label("Your name").fill("Rita Plourde")
    rita.page.get_by_label("Password").fill(PASSWORD)
    rita.page.keyboard.press("Enter")
    expect(rita.page.get_by_text("Signed in as Rita Plourde")).to_be_visible()
    rita.take_picture("joined")
    assert find_account_role(Account.objects.get(name="Rita Plourde"), club.pk) == Role.DIRECTOR

    late = phones("late")
    late.open(address)
    expect(late.page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    late.take_picture("used")
    owner.tap(owner.link("Back to the team"))
    expect(owner.link("Rita Plourde")).to_be_visible()


@pytest.mark.long("sends forms that need no browser: tests/clubs/test_team_pages.py")
def test_role_change_and_removal_are_undone(hall: Hall, phones: Phones, club: Club) -> None:
    phone = open_team_page(hall, club, phones())
    account = Account.objects.get(name="Huguette Morin")
    phone.tap(phone.link("Huguette Morin"))
    phone.take_picture("member")
    phone.tap(find_role(phone, "Owner"))
    phone.tap(phone.find_button("Change role"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Huguette Morin: now owner, was director")
    phone.take_picture("changed")
    phone.tap(phone.find_button("Undo"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Undid")
    assert find_account_role(account, club.pk) == Role.DIRECTOR
    phone.tap(phone.link("Huguette Morin"))
    phone.tap(phone.find_button("Remove from the team"))
    expect(phone.link("Huguette Morin")).to_have_count(0)
    phone.tap(phone.find_button("Undo"))
    expect(phone.link("Huguette Morin")).to_have_count(1)


@pytest.mark.long("sends forms that need no browser: tests/clubs/test_team_pages.py")
def test_lost_password_is_replaced_through_a_link(hall: Hall, phones: Phones, club: Club) -> None:
    phone = open_team_page(hall, club, phones(java_script_enabled=False))
    phone.tap(phone.link("Huguette Morin"))
    phone.tap(phone.find_button("Create a password link"))
    expect(phone.find_button("Copy link")).to_have_count(0)
    address = get_handed_path(phone)
    hers = phones("hers", java_script_enabled=False)
    hers.open(address)
    hers.take_picture("new-password")
    hers.page.get_by_label("New password").fill("une autre phrase")
    hers.tap(hers.find_button("Save password"))
    hers.take_picture("home")
    expect(hers.link("My account")).to_be_visible()
    hers.tap(hers.link("My account"))
    hers.take_picture("account")


@pytest.mark.long("tests/tournaments/events/test_desk_helper.py reads that page")
def test_desk_helper_sees_the_desk_without_director_buttons(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    helper = build_account("Noëlla Guy")
    Membership.objects.create(club=event.club, account=helper, role=Role.DESK)
    phone = phones("helper")
    phone.sign_in(helper)
    phone.open(f"/e/{event.short}/desk")
    phone.take_picture("desk")
    expect(phone.find_button("Close round")).to_have_count(0)
    phone.tap(phone.link("^Table 1"))
    phone.take_picture("table")
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
    phone.open(f"/e/{event.short}/desk/settings")
    expect(phone.page.get_by_role("heading", name="Access denied")).to_be_visible()
    phone.take_picture("refused")
