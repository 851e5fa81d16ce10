"""Guessable passwords: common ones, and the names of the account or its club."""

import pytest

from clubs.models import Club
from clubs.password_words import is_guessable
from clubs.services.accounts import create_account, find_password_weakness
from errors import Refusal
from tests.support.browser import Page
from tests.support.hall import Hall

NAMES = ("Édith Saint-Pierre", "Les Joyeux Atouts")


@pytest.mark.parametrize(
    "password",
    [
        *("charlemagne", "Charlemagne1", "charlemagne!", "motdepasse", "Mot de passe 2026", "azerty123"),
        *(
            "édith2024",
            "SaintPierre!",
            "Edith Saint-Pierre",
            "les joyeux atouts",
            "joyeux99",
            "atoutatout",
            "coeur pique trefle",
        ),
    ],
)
def test_common_passwords_are_weak(password: str) -> None:
    assert find_password_weakness(password, *NAMES)


@pytest.mark.parametrize("password", ["trente-deux points", "le joker de mamie", "edith joue au moulin", "Nz7-pkwq-2h"])
def test_password_with_unrelated_words_is_accepted(password: str) -> None:
    assert not find_password_weakness(password, *NAMES)


def test_short_name_parts_are_ignored() -> None:
    assert not is_guessable("lala land ole", ("La Ola",))


@pytest.mark.django_db
def test_password_cannot_be_the_account_name() -> None:
    with pytest.raises(Refusal) as refused:
        create_account(name="Ghislaine Thériault", password="theriault1955", language="fr")
    assert refused.value.code == "password_of_names"


@pytest.mark.slow
@pytest.mark.django_db
def test_new_password_cannot_be_the_name_of_the_accounts_club() -> None:
    hall = Hall(pairs=2)
    club = hall.event.club
    club.name = "Les Valets Masqués"
    club.save()
    Club.objects.create(name="Les Reines Noires", slug="reines")

    def change_password(password: str) -> Page:
        page = hall.desk.open("/account")
        form = page.find_form("account/password")
        return hall.desk.send(page, form, current="trente-deux points", password=password)

    answer = change_password("valetsmasques")
    assert answer.status == 422
    assert "only your name or the club’s" in answer.text
    assert change_password("reinesnoires").status != 422
