"""Authenticator app on a real screen: added, required at sign-in, and replaced by a recovery code."""

import re
import time

import pytest
from playwright.sync_api import expect

from clubs.models import Club
from clubs.totp import compute_digits, step_at
from tests.builders import PASSWORD, build_club
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways


@pytest.fixture
def club(hall: Hall) -> Club:
    hall.owner.language = "fr"
    hall.owner.save()
    return build_club("Les Joyeux Atouts de Saint-Pacôme", owner=hall.owner)


def is_fit_to_be_seen(phone: Phone, title: str) -> None:
    """Check that the screen fits at double and normal text size, and that axe finds no violations."""
    for pixels in (32, 16):
        phone.set_text_size(pixels)
        phone.take_picture(f"{title}-{pixels}")
        is_nothing_cut_off_sideways(phone, (title, pixels))
    assert find_violations(phone) == []


def type_password(phone: Phone, name: str) -> None:
    """Enter name and password, and submit them by keyboard."""
    phone.open("/sign-in?next=/account")
    phone.page.get_by_label("Votre nom").fill(name)
    phone.page.get_by_label("Mot de passe").fill(PASSWORD)
    phone.page.keyboard.press("Enter")


def test_authenticator_is_added_required_and_replaced_by_a_recovery_code(
    hall: Hall, phones: Phones, club: Club
) -> None:
    phone = phones(locale="fr-CA")
    type_password(phone, hall.owner.name)
    phone.tap(phone.link("Ajouter une application d’authentification"))
    secret = phone.page.locator("#secret").input_value().replace(" ", "")
    phone.page.get_by_label("Code à six chiffres").fill("12 34")
    phone.tap(phone.find_button("Ajouter l’application"))
    expect(phone.page.get_by_text("Ces chiffres ne sont pas les bons.")).to_be_visible()
    is_fit_to_be_seen(phone, "new")
    first = step_at(time.time())
    phone.page.keyboard.type(compute_digits(secret, first))
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("status")).to_contain_text("Application ajoutée.")
    codes = phone.page.locator(".codes li").all_text_contents()
    assert [bool(re.fullmatch(r"(\d{4} ){3}\d{4}", code)) for code in codes] == [True] * 10
    is_fit_to_be_seen(phone, "codes")
    phone.tap(phone.link("Je les ai notés"))
    phone.tap(phone.find_button("Se déconnecter"))

    type_password(phone, hall.owner.name)
    expect(phone.page.get_by_role("heading", name="Une dernière étape,")).to_be_visible()
    is_fit_to_be_seen(phone, "digits")
    expect(phone.page.get_by_label("Code à six chiffres")).to_be_focused()
    phone.page.keyboard.type(compute_digits(secret, max(first + 1, step_at(time.time()))))
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_text("il reste 10 codes de secours")).to_be_visible()
    phone.tap(phone.find_button("Se déconnecter"))

    type_password(phone, hall.owner.name)
    expect(phone.page.get_by_label("Code à six chiffres")).to_be_focused()
    phone.page.keyboard.type(codes[0])
    phone.page.keyboard.press("Enter")
    phone.tap(phone.link("il reste 9 codes de secours"))
    is_fit_to_be_seen(phone, "app")
    phone.tap(phone.find_button("Retirer"))
    expect(phone.link("Ajouter une application d’authentification")).to_be_visible()
