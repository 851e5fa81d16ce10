"""Signing in without a password on a real screen: with a passkey, or by a link in an e-mail."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings
from playwright.sync_api import Browser, expect

from clubs.models import Account, Club
from tests.builders import PASSWORD, build_club
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tests.support.mailbox import MAIL_SETTINGS, find_link, list_messages


@pytest.fixture
def here(browser: Browser, server: Server, tmp_path: Path) -> Iterator[Phones]:
    """Yield screens that call the server localhost, where browsers allow passkeys without HTTPS."""
    screens = Phones(browser, f"http://localhost:{server.port}", tmp_path)
    with override_settings(**MAIL_SETTINGS):
        yield screens
        screens.close()


@pytest.fixture
def club(hall: Hall) -> Club:
    return build_club("Les Joyeux Atouts de Saint-Pacôme", owner=hall.owner)


def add_authenticator(phone: Phone) -> Phone:
    """Add a virtual authenticator that stores passkeys and confirms every request."""
    device = phone.page.context.new_cdp_session(phone.page)
    device.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return phone


def sign_in_to_the_account(phone: Phone, account: Account) -> None:
    phone.open("/sign-in?next=/account")
    phone.page.get_by_label("Your name").fill(account.name)
    phone.page.get_by_label("Password").fill(PASSWORD)
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", name="Sign-in methods")).to_be_visible()


def test_a_passkey_is_added_used_and_removed(hall: Hall, here: Phones, club: Club) -> None:
    phone = add_authenticator(here())
    sign_in_to_the_account(phone, hall.owner)
    phone.page.get_by_label("Passkey name").fill("My phone")
    phone.take_picture("account")
    phone.tap(phone.find_button("Add a passkey"))
    expect(phone.page.get_by_role("status")).to_contain_text("Passkey added.")
    phone.take_picture("added")
    phone.tap(phone.find_button("Add a passkey"))
    expect(phone.page.get_by_text("This device already has one of your passkeys.")).to_be_visible()
    phone.take_picture("known")
    phone.tap(phone.find_button("Sign out"))

    phone.open("/sign-in")
    phone.take_picture("sign-in")
    phone.tap(phone.find_button("Sign in with a passkey"))
    expect(phone.page).to_have_url(f"{here._url}/club/{club.slug}")

    phone.open("/account")
    phone.tap(phone.link("My phone"))
    phone.take_picture("passkey")
    phone.tap(phone.find_button("Remove"))
    expect(phone.link("My phone")).to_have_count(0)
    phone.tap(phone.find_button("Sign out"))
    phone.open("/sign-in")
    phone.tap(phone.find_button("Sign in with a passkey"))
    expect(phone.page.get_by_role("alert").first).to_contain_text("This passkey no longer works here.")
    phone.take_picture("refused")


def test_sign_in_falls_back_to_the_password_without_a_passkey(
    hall: Hall, here: Phones, phones: Phones, club: Club
) -> None:
    phone = add_authenticator(here())
    phone.open("/sign-in")
    phone.tap(phone.find_button("Sign in with a passkey"))
    expect(phone.page.get_by_text("The passkey did not work. Try again, or use your password.")).to_be_visible()
    sign_in_to_the_account(phone, hall.owner)
    by_number = phones()
    sign_in_to_the_account(by_number, hall.owner)
    by_number.open("/sign-in")
    expect(by_number.page.locator("[data-passkey]")).to_have_count(0)


@pytest.mark.long("sends forms that need no browser: tests/clubs/test_mailed_links.py")
def test_mailed_link_opens_the_desk_after_a_lost_password(hall: Hall, here: Phones, club: Club) -> None:
    phone = here(locale="fr-CA")
    hall.owner.email, hall.owner.language = "rita@example.org", "fr"
    hall.owner.save()
    phone.open("/sign-in")
    phone.take_picture("sign-in")
    phone.tap(phone.page.get_by_text("Recevoir un lien par courriel"))
    phone.page.get_by_label("Adresse de courriel").fill("rita@example.org")
    phone.take_picture("ask")
    phone.tap(phone.find_button("Envoyer le lien"))
    expect(phone.page.get_by_role("status")).to_contain_text("un lien est en route")
    phone.take_picture("asked")
    (mail,) = list_messages()
    phone.open(find_link(mail))
    phone.take_picture("link")
    phone.tap(phone.find_button("Se connecter"))
    expect(phone.page).to_have_url(f"{here._url}/club/{club.slug}")
    for pixels in (16, 32):
        phone.set_text_size(pixels)
        for name, path in {"account": "/account", "sign-in": "/sign-in", "over": find_link(mail)}.items():
            phone.open(path)
            phone.take_picture(f"{name}-{pixels}")
            is_nothing_cut_off_sideways(phone)
            assert find_violations(phone) == []
    phone.set_text_size(16)
    phone.open("/account")
    phone.page.get_by_label("Nouveau mot de passe").fill("une autre phrase")
    phone.tap(phone.find_button("Changer le mot de passe"))
    expect(phone.page.get_by_role("status")).to_contain_text("Mot de passe changé.")
