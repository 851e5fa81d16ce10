"""Guessable passwords: common ones, and the names of the account or its club."""

import pytest

from clubs.password_words import is_guessable
from clubs.services.accounts import create_account, find_password_weakness
from errors import Refusal
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
def test_new_password_cannot_be_the_club_name() -> None:
    hall = Hall(pairs=2)
    club = hall.event.club
    club.name = "Les Valets Masqués"
    club.save()
    page = hall.desk.open("/account")
    answer = hall.desk.send(
        page, page.find_form("account/password"), current="trente-deux points", password="valetsmasques"
    )
    assert answer.status == 422
    assert "only your name or the club’s" in answer.text
