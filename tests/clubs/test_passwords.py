"""Password policy: exact match, paste allowed, no expiry, salted hashes."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import global_settings
from django.contrib.auth.hashers import MD5PasswordHasher, PBKDF2PasswordHasher, identify_hasher, make_password
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Account
from clubs.services import team
from tests.builders import PASSWORD
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

LONG = "le joker de mamie " * 240
ACCEPTED_PASSWORDS = {
    "of sixty-four letters": LONG[:64],
    "of four thousand letters": LONG[:4_000],
    "of small letters only": "trente deux points au moulin",
    "of any letters there are": "Żółw 🂡 mâche — 日本語 \\ % ' \"",
    "with spaces around it": "  le joker de mamie  ",
}


def sign_in(password: str) -> Page:
    browser = Browser()
    page = browser.open("/sign-in?next=/account")
    return browser.send(page, page.find_form("/sign-in"), name=Account.objects.get().name, password=password)


def choose(hall: Hall, password: str) -> Page:
    page = hall.desk.open("/account")
    return hall.desk.send(page, page.find_form("account/password"), current=PASSWORD, password=password)


@pytest.mark.long
@pytest.mark.parametrize("password", ACCEPTED_PASSWORDS.values(), ids=list(ACCEPTED_PASSWORDS))
def test_password_must_match_exactly(password: str) -> None:
    choose(Hall(pairs=2), password)
    assert sign_in(password).path == "/account"
    for other in (password[:-1], password.upper(), password.strip() + "."):
        assert sign_in(other).status == 422


@pytest.mark.slow
def test_password_fields_support_paste_and_managers() -> None:
    hall = Hall(pairs=2)
    fields = [Browser().open("/sign-in").find_field("password")]
    fields.append(hall.desk.open("/account").find_field("password"))
    assert [field.attrs["type"] for field in fields] == ["password", "password"]
    assert [field.attrs["autocomplete"] for field in fields] == ["current-password", "new-password"]
    assert not [name for field in fields for name in field.attrs if name.startswith("on") or name == "readonly"]
    assert all(int(field.attrs.get("maxlength", "4096")) >= 64 for field in fields)


def test_passwords_do_not_expire_with_age() -> None:
    Hall(pairs=2)
    Account.objects.update(created_at=timezone.now() - timedelta(days=10 * 365))
    assert sign_in(PASSWORD).path == "/account"


@pytest.mark.long
def test_passwords_are_hashed_with_salt_and_many_iterations() -> None:
    with override_settings(PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS):
        password_hash, again = make_password(PASSWORD), make_password(PASSWORD)
        assert identify_hasher(password_hash).algorithm == "pbkdf2_sha256"
        assert password_hash != again
        assert int(PBKDF2PasswordHasher().decode(password_hash)["iterations"]) >= 600_000


def test_no_transaction_waits_for_a_password_to_be_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(pairs=2)
    digest, hashed = MD5PasswordHasher.encode, []

    def encode(hasher: MD5PasswordHasher, password: str, *more: str) -> str:
        assert not connection.savepoint_ids, "phones would wait for this hash"
        hashed.append(password)
        return digest(hasher, password, *more)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    assert choose(hall, "trente deux points au moulin").path == "/account"
    club, owner = hall.event.club, Account.objects.get()
    by = Actor(key=uuid4())
    values = {"name": "Rita Roy", "password": PASSWORD, "language": "fr"}
    secret = team.invite(club_id=club.pk, role="owner", note="Rita").secret
    rita, _ = team.join_with_new_account(secret=secret, **values, by=by)
    team.join_with_new_account(secret=secret, **values, by=by)  # the same form again
    member = club.memberships.get(account=rita)
    link = team.create_password_link(club_id=club.pk, membership_id=member.pk, by=Actor(account=owner, key=uuid4()))
    by = Actor(key=uuid4())
    for _ in range(2):
        assert team.choose_new_password(secret=link.secret, password="quarante points", by=by) == rita
    assert hashed
