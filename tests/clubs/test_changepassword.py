"""Command ``changepassword``: it resets a forgotten password at the computer that runs the server."""

from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command

from clubs.services.login_throttle import begin_attempt, build_password_counters
from errors import Refusal
from tests.builders import PASSWORD, build_account

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "une autre phrase"


def change_password(*name: str, typed: tuple[str, str] = (NEW_PASSWORD, NEW_PASSWORD)) -> None:
    with patch("config.management.commands.changepassword.getpass", side_effect=typed):
        call_command("changepassword", *name)


@pytest.mark.parametrize("name", [["Hélène Côté"], ["helene cote"], ["HÉLÈNE", "CÔTÉ"]])
def test_command_finds_the_account_by_any_spelling(name: list[str]) -> None:
    account = build_account("Hélène Côté")
    change_password(*name)
    account.refresh_from_db()
    assert account.check_password(NEW_PASSWORD)


def test_password_reset_clears_the_sign_in_throttle() -> None:
    build_account("Hélène Côté")
    tries = build_password_counters(name="Hélène Côté", address="192.0.2.1")
    for _ in range(5):
        begin_attempt(tries)
    with pytest.raises(Refusal, match="too_many_tries"):
        begin_attempt(tries)
    change_password("Hélène Côté")
    begin_attempt(tries)


@pytest.mark.parametrize("name", [["Rita"], []])
def test_unknown_name_lists_the_existing_accounts(name: list[str]) -> None:
    build_account("Hélène Côté")
    build_account("Denise Roy")
    with pytest.raises(CommandError, match="Accounts: Denise Roy, Hélène Côté"):
        change_password(*name)


def test_installation_without_accounts_is_reported() -> None:
    with pytest.raises(CommandError, match="Check the data folder"):
        change_password("Rita")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ("charlemagne", "charlemagne"),
            "Choose at least 8 characters, not only digits, names or common words",
        ),
        (
            ("helene cote", "helene cote"),
            "The password has only your name or the club’s",
        ),
        ((NEW_PASSWORD, "une autre phrse"), "The passwords do not match"),
    ],
)
def test_weak_or_mistyped_password_changes_nothing(typed: tuple[str, str], message: str) -> None:
    account = build_account("Hélène Côté")
    with pytest.raises(CommandError, match=message):
        change_password("Hélène Côté", typed=typed)
    account.refresh_from_db()
    assert account.check_password(PASSWORD)
