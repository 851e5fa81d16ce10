"""Passwords that somebody who knows the club tries first."""

import pytest

from clubs.password_words import is_guessable
from clubs.services import create_account, weakness_of
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
def test_a_word_that_everybody_tries_is_none(password: str) -> None:
    assert weakness_of(password, *NAMES)


@pytest.mark.parametrize(
    "password", ["trente-deux points", "le joker de mamie", "edith joue au moulin", "Nz7-pkwq-2h"]
)
def test_words_beside_which_others_stand_are_one(password: str) -> None:
    assert not weakness_of(password, *NAMES)


def test_short_parts_of_names_do_not_count() -> None:
    assert not is_guessable("lala land ole", ("La Ola",))


@pytest.mark.django_db
def test_an_account_has_none_of_its_own_name() -> None:
    with pytest.raises(Refusal) as refused:
        create_account(name="Ghislaine Thériault", password="theriault1955", language="fr")
    assert refused.value.code == "password_of_names"


@pytest.mark.slow
@pytest.mark.django_db
def test_nor_of_its_club_when_it_is_changed() -> None:
    hall = Hall(pairs=2)
    club = hall.event.club
    club.name = "Les Valets Masqués"
    club.save()
    page = hall.desk.open("/account")
    said = hall.desk.send(
        page, page.form("account/password"), current="trente-deux points", password="valetsmasques"
    )
    assert said.status == 422
    assert "only your name or the club’s" in said.text
