"""The team of a club on real screens: somebody is invited, joins on a phone, has another role, and goes."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from clubs.models import Account, Club, Membership, Role
from clubs.queries import role_in
from tests.builders import PASSWORD, a_club, an_account
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways


@pytest.fixture
def club(hall: Hall) -> Club:
    club = a_club("Les Joyeux Atouts de Saint-Pacôme", owner=hall.owner)
    for name, role in (("Huguette Morin", Role.DIRECTOR), ("Marie-Paule Saint-Pierre-Desrosiers", Role.DESK)):
        Membership.objects.create(club=club, account=an_account(name), role=role)
    return club


def at_the_team(hall: Hall, club: Club, phone: Phone) -> Phone:
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/team")
    return phone


def a_role(phone: Phone, name: str) -> Locator:
    return phone.page.locator(".choice").filter(has=phone.page.locator("b", has_text=name))


def handed(phone: Phone) -> str:
    """Return where the link leads; in the hall it has the laptop's address on the network."""
    return urlsplit(phone.page.locator("#address").input_value()).path


@pytest.mark.parametrize(
    "screen", ["phone", pytest.param("laptop", marks=pytest.mark.long("the same way as on a phone"))]
)
def test_somebody_is_invited_and_joins_on_a_phone(
    hall: Hall, phones: Phones, club: Club, screen: str
) -> None:
    owner = at_the_team(hall, club, phones() if screen == "phone" else phones.laptop())
    owner.picture("team")
    owner.page.get_by_label("For whom").fill("Rita")
    owner.tap(a_role(owner, "Director"))
    owner.tap(owner.button("Create link"))
    expect(owner.page.locator("svg.qr")).to_be_visible()
    owner.tap(owner.button("Copy link"))
    expect(owner.button("Copied")).to_be_visible()
    owner.picture("link")
    address = handed(owner)

    rita = phones("rita")
    rita.open(address)
    rita.picture("invited")
    rita.page.get_by_label("Your name").fill("Rita Plourde")
    rita.page.get_by_label("Password").fill(PASSWORD)
    rita.page.keyboard.press("Enter")
    expect(rita.page.get_by_text("Signed in as Rita Plourde")).to_be_visible()
    rita.picture("joined")
    assert role_in(Account.objects.get(name="Rita Plourde"), club.pk) == Role.DIRECTOR

    late = phones("late")
    late.open(address)
    expect(late.page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    late.picture("used")
    owner.tap(owner.link("Back to the team"))
    expect(owner.link("Rita Plourde")).to_be_visible()


@pytest.mark.long("its forms are sent without a browser by tests/clubs/test_team_pages.py")
def test_a_role_is_changed_and_taken_away_and_both_are_undone(hall: Hall, phones: Phones, club: Club) -> None:
    phone = at_the_team(hall, club, phones())
    account = Account.objects.get(name="Huguette Morin")
    phone.tap(phone.link("Huguette Morin"))
    phone.picture("member")
    phone.tap(a_role(phone, "Owner"))
    phone.tap(phone.button("Change role"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Huguette Morin: now owner, was director")
    phone.picture("changed")
    phone.tap(phone.button("Undo"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Undid")
    assert role_in(account, club.pk) == Role.DIRECTOR
    phone.tap(phone.link("Huguette Morin"))
    phone.tap(phone.button("Remove from the team"))
    expect(phone.link("Huguette Morin")).to_have_count(0)
    phone.tap(phone.button("Undo"))
    expect(phone.link("Huguette Morin")).to_have_count(1)


@pytest.mark.long("its forms are sent without a browser by tests/clubs/test_team_pages.py")
def test_a_lost_password_is_chosen_anew(hall: Hall, phones: Phones, club: Club) -> None:
    phone = at_the_team(hall, club, phones(java_script_enabled=False))
    phone.tap(phone.link("Huguette Morin"))
    phone.tap(phone.button("Create a password link"))
    expect(phone.button("Copy link")).to_have_count(0)
    address = handed(phone)
    hers = phones("hers", java_script_enabled=False)
    hers.open(address)
    hers.picture("new-password")
    hers.page.get_by_label("New password").fill("une autre phrase")
    hers.tap(hers.button("Save password"))
    hers.picture("home")
    expect(hers.link("My account")).to_be_visible()
    hers.tap(hers.link("My account"))
    hers.picture("account")


def test_its_pages_are_whole_in_large_letters_and_in_french(hall: Hall, phones: Phones, club: Club) -> None:
    phone = at_the_team(hall, club, phones(locale="fr-CA"))
    phone.opens_more()
    phone.tap(phone.button("Français"))
    pk = Membership.objects.get(club=club, role=Role.DESK).pk
    for pixels in (16, 32):
        phone.reads_text_of(pixels)
        for name, path in {
            "team": f"/club/{club.slug}/team",
            "member": f"/club/{club.slug}/team/{pk}",
            "account": "/account",
        }.items():
            phone.open(path)
            phone.picture(f"{name}-{pixels}")
            is_nothing_cut_off_sideways(phone)
            assert violations(phone) == []
    phone.reads_text_of(16)
    phone.open(f"/club/{club.slug}/team")
    phone.page.get_by_label("Pour qui").fill("Rita")
    phone.tap(phone.button("Créer le lien"))
    phone.picture("link")
    is_nothing_cut_off_sideways(phone)
    assert violations(phone) == []


@pytest.mark.long("tests/tournaments/events/test_the_helper.py reads that page")
def test_a_helper_sees_a_desk_without_the_directors_buttons(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(pairs=4)
    helper = an_account("Noëlla Guy")
    Membership.objects.create(club=event.club, account=helper, role=Role.DESK)
    phone = phones("helper")
    phone.sign_in(helper)
    phone.open(f"/e/{event.short}/desk")
    phone.picture("desk")
    expect(phone.button("Close round")).to_have_count(0)
    phone.tap(phone.link("^Table 1"))
    phone.picture("table")
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
    phone.open(f"/e/{event.short}/desk/settings")
    expect(phone.page.get_by_role("heading", name="Access denied")).to_be_visible()
    phone.picture("refused")
