"""The only owner has forgotten the password: whoever sits at the computer gives another one."""

from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command

from clubs.services import begin_try, password_tries
from errors import Refusal
from tests.builders import PASSWORD, an_account

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "une autre phrase"


def change_password(*name: str, typed: tuple[str, str] = (NEW_PASSWORD, NEW_PASSWORD)) -> None:
    with patch("config.management.commands.changepassword.getpass", side_effect=typed):
        call_command("changepassword", *name)


@pytest.mark.parametrize("name", [["Hélène Côté"], ["helene cote"], ["HÉLÈNE", "CÔTÉ"]])
def test_finds_the_name_as_it_is_typed_even_without_quotes(name: list[str]) -> None:
    account = an_account("Hélène Côté")
    change_password(*name)
    account.refresh_from_db()
    assert account.check_password(NEW_PASSWORD)


def test_whoever_guessed_too_often_before_signs_in_at_once() -> None:
    an_account("Hélène Côté")
    tries = password_tries(name="Hélène Côté", address="192.0.2.1")
    for _ in range(5):
        begin_try(tries)
    with pytest.raises(Refusal, match="too_many_tries"):
        begin_try(tries)
    change_password("Hélène Côté")
    begin_try(tries)


@pytest.mark.parametrize("name", [["Rita"], []])
def test_says_which_names_there_are_where_none_fits(name: list[str]) -> None:
    an_account("Hélène Côté")
    an_account("Denise Roy")
    with pytest.raises(CommandError, match="Accounts: Denise Roy, Hélène Côté"):
        change_password(*name)


def test_says_that_nobody_has_an_account_where_that_is_so() -> None:
    with pytest.raises(CommandError, match="Check the data folder"):
        change_password("Rita")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            ("charlemagne", "charlemagne"),
            "Choose at least 8 characters, not all digits and not a common password",
        ),
        (
            ("helene cote", "helene cote"),
            "The password has only your name or the club’s",
        ),
        ((NEW_PASSWORD, "une autre phrse"), "The passwords do not match"),
    ],
)
def test_keeps_the_password_where_the_new_one_is_weak_or_typed_in_two_ways(
    typed: tuple[str, str], said: str
) -> None:
    account = an_account("Hélène Côté")
    with pytest.raises(CommandError, match=said):
        change_password("Hélène Côté", typed=typed)
    account.refresh_from_db()
    assert account.check_password(PASSWORD)
