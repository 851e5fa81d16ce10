"""Passwords: which are accepted, and what the page does with them."""

from datetime import timedelta

import pytest
from django.conf import global_settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, identify_hasher, make_password
from django.test import override_settings
from django.utils import timezone

from clubs.models import Account
from tests.builders import PASSWORD
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

LONG = "le joker de mamie " * 240
TAKEN = {
    "of sixty-four letters": LONG[:64],
    "of four thousand letters": LONG[:4_000],
    "of small letters only": "trente deux points au moulin",
    "of any letters there are": "Żółw 🂡 mâche — 日本語 \\ % ' \"",
    "with spaces around it": "  le joker de mamie  ",
}


def sign_in(password: str) -> Page:
    browser = Browser()
    page = browser.open("/sign-in?next=/account")
    return browser.send(page, page.form("/sign-in"), name=Account.objects.get().name, password=password)


def choose(hall: Hall, password: str) -> Page:
    page = hall.desk.open("/account")
    return hall.desk.send(page, page.form("account/password"), current=PASSWORD, password=password)


@pytest.mark.slow
@pytest.mark.parametrize("password", TAKEN.values(), ids=list(TAKEN))
def test_is_taken_as_it_was_typed_and_to_its_last_letter(password: str) -> None:
    choose(Hall(pairs=2), password)
    assert sign_in(password).path == "/account"
    for other in (password[:-1], password.upper(), password.strip() + "."):
        assert sign_in(other).status == 422


def test_is_masked_and_may_be_pasted_or_filled_in_by_a_manager() -> None:
    hall = Hall(pairs=2)
    fields = [Browser().open("/sign-in").field("password")]
    fields.append(hall.desk.open("/account").field("password"))
    assert [field.attrs["type"] for field in fields] == ["password", "password"]
    assert [field.attrs["autocomplete"] for field in fields] == ["current-password", "new-password"]
    assert not [
        name for field in fields for name in field.attrs if name.startswith("on") or name == "readonly"
    ]
    assert all(int(field.attrs.get("maxlength", "4096")) >= 64 for field in fields)


def test_of_years_ago_is_good_still() -> None:
    Hall(pairs=2)
    Account.objects.update(created_at=timezone.now() - timedelta(days=10 * 365))
    assert sign_in(PASSWORD).path == "/account"


@pytest.mark.slow
def test_is_kept_by_a_slow_derivation_with_a_salt_each() -> None:
    with override_settings(PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS):
        kept, again = make_password(PASSWORD), make_password(PASSWORD)
        assert identify_hasher(kept).algorithm == "pbkdf2_sha256"
        assert kept != again
        assert int(PBKDF2PasswordHasher().decode(kept)["iterations"]) >= 600_000
