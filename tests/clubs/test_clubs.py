"""People, accounts, clubs and roles."""

from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from pytest_django import Settings

from clubs import first_run
from clubs.models import Account, Club, Membership, Person, Role
from clubs.queries import ClubPlace, clubs_of, place_in, role_in
from clubs.services import create_account, create_club, find_or_add_people, make_owner, start_club
from tests.builders import PASSWORD, a_club, an_account, an_event, code_of, refusal_of
from tournaments.events.queries import event_at_desk, public_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret(settings: Settings, tmp_path: Path) -> str:
    """The one-time secret of a new installation."""
    settings.DATA_DIR = tmp_path
    found = first_run.secret()
    assert found is not None
    return found


def first_club(secret: str, **changed: str) -> tuple[Account, Club]:
    settings = {
        "secret": secret,
        "name": "Denise Roy",
        "password": PASSWORD,
        "club_name": "Les Joyeux Atouts",
        "language": "fr",
        "time_zone": "America/Montreal",
        "ruleset": "canadian",
    }
    return start_club(**(settings | changed))


@pytest.mark.postgresql("a row there may be one of")
class TestTheFirstRun:
    def test_makes_an_account_and_a_club_that_it_owns(self, secret: str) -> None:
        account, club = first_club(secret, ruleset="maine")
        assert Membership.objects.get(account=account, club=club).role == Role.OWNER
        assert (club.name, club.language, club.usual_ruleset) == ("Les Joyeux Atouts", "fr", "maine")

    def test_keeps_its_secret_until_then_and_has_none_afterwards(self, secret: str) -> None:
        assert first_run.secret() == secret
        first_club(secret)
        assert first_run.secret() is None
        assert not first_run.opens_with(secret)

    def test_happens_once(self, secret: str) -> None:
        first_club(secret)
        assert code_of(first_club, secret, name="Somebody Else") == "link_used"
        assert Account.objects.count() == 1

    @pytest.mark.parametrize("wrong", ["", "x", "é"])
    def test_opens_with_nothing_else(self, secret: str, wrong: str) -> None:
        assert code_of(first_club, wrong) == "link_used"

    def test_takes_over_the_clubs_that_were_imported_before_it(self, secret: str) -> None:
        imported = a_club("My club")
        account, club = first_club(secret)
        assert set(clubs_of(account)) == {imported, club}

    @pytest.mark.parametrize(
        ("changed", "code", "field"),
        [
            ({"name": " "}, "name_required", "name"),
            ({"name": "x" * 81}, "name_too_long", "name"),
            ({"password": "1234"}, "password_too_weak", "password"),
            ({"password": ""}, "password_too_weak", "password"),
            ({"password": "123456789"}, "password_too_weak", "password"),
            ({"password": "password1"}, "password_too_weak", "password"),
            ({"club_name": " "}, "club_name_required", "club_name"),
            ({"ruleset": "whist"}, "no_such_ruleset", "ruleset"),
        ],
    )
    def test_with_bad_input_leaves_nothing_and_the_link_still_good(
        self, secret: str, changed: dict[str, str], code: str, field: str
    ) -> None:
        refusal = refusal_of(first_club, secret, **changed)
        assert (refusal.code, refusal.field) == (code, field)
        assert not Account.objects.exists()
        assert not Club.objects.exists()
        assert first_run.opens_with(secret)


class TestAnAccount:
    def test_signs_in_with_its_name_as_people_write_it(self) -> None:
        account = create_account(name="Édith Roy", password=PASSWORD, language="fr")
        assert Account.objects.get_by_natural_key(" edith  ROY ") == account
        assert authenticate(username="edith roy", password=PASSWORD) == account
        assert authenticate(username="Edith Roy", password="wrong") is None

    def test_keeps_no_password_that_can_be_read(self) -> None:
        assert PASSWORD not in an_account().password

    def test_has_a_name_that_nobody_else_signs_in_with(self) -> None:
        create_account(name="Édith Roy", password=PASSWORD, language="fr")
        refusal = refusal_of(create_account, name="edith roy", password=PASSWORD, language="fr")
        assert (refusal.code, refusal.field) == ("name_taken", "name")

    def test_that_nobody_has_is_not_found(self) -> None:
        with pytest.raises(ObjectDoesNotExist):
            Account.objects.get_by_natural_key("nobody")


@pytest.mark.postgresql("roles are looked up")
class TestAClub:
    def test_has_a_short_name_for_addresses(self) -> None:
        assert [create_club(name="Âge d’or de Rimouski").slug for _ in range(3)] == [
            "age-dor-de-rimouski",
            "age-dor-de-rimouski-2",
            "age-dor-de-rimouski-3",
        ]

    def test_has_one_that_ends_with_a_word_where_the_name_is_too_long(self) -> None:
        long = "Vieux amis du Charlemagne de la salle paroissiale de Notre-Dame"
        assert create_club(name=long).slug == "vieux-amis-du-charlemagne-de-la-salle-paroissiale"

    def test_is_owned_by_whoever_is_made_its_owner(self) -> None:
        club, account = a_club(), an_account()
        Membership.objects.create(club=club, account=account, role=Role.DESK)
        make_owner(club=club, account=account)
        make_owner(club=club, account=account)
        assert [member.role for member in club.memberships.all()] == [Role.OWNER]

    def test_is_seen_by_those_who_have_a_role_in_it(self) -> None:
        mine, theirs = an_account(), an_account()
        club = a_club(owner=mine)
        a_club(owner=theirs)
        assert list(clubs_of(mine)) == [club]
        assert list(clubs_of(AnonymousUser())) == []

    @pytest.mark.parametrize("role", Role)
    def test_knows_what_an_account_is_in_it(self, role: Role) -> None:
        club, account = a_club(), an_account()
        Membership.objects.create(club=club, account=account, role=role)
        assert role_in(account, club.pk) is role
        assert place_in(account, club.slug) == ClubPlace(club=club, role=role, has_other_clubs=False)
        other = a_club()
        assert role_in(account, other.pk) is None
        assert place_in(account, other.slug) is None

    def test_shows_its_events_to_nobody_of_another_club(self) -> None:
        mine, theirs = an_account(), an_account()
        event = an_event(club=a_club(owner=mine))
        a_club(owner=theirs)
        assert event_at_desk(mine, event.short) == (event, Role.OWNER)
        assert event_at_desk(theirs, event.short) is None
        assert event_at_desk(mine, "no-such-event") is None
        assert public_event(event.short) == event
        assert public_event("no-such-event") is None


class TestPeople:
    def test_are_known_again_by_their_names(self) -> None:
        club = a_club()
        (first,) = find_or_add_people(club=club, full_names=["Édith Roy"])
        again, other = find_or_add_people(club=club, full_names=[" edith ROY", "Lise Roy"])
        assert (again, other.name) == (first, "Lise Roy")
        assert Person.objects.count() == 2

    def test_of_another_club_are_other_people(self) -> None:
        for club in (a_club(), a_club()):
            find_or_add_people(club=club, full_names=["Édith Roy"])
        assert Person.objects.count() == 2

    def test_of_one_name_are_as_many_as_the_list_has_and_the_same_next_time(self) -> None:
        club = a_club()
        first = find_or_add_people(club=club, full_names=["Paul Roy", "Paul Roy"])
        assert len({person.pk for person in first}) == 2
        again = find_or_add_people(club=club, full_names=["Paul Roy", "Lise Roy", "Paul Roy"])
        assert [again[0], again[2]] == first

    def test_come_back_in_the_order_of_the_list(self) -> None:
        names = ["Zoé Roy", "Anne Roy", "Marc Roy"]
        people = find_or_add_people(club=a_club(), full_names=names)
        assert [person.name for person in people] == names
        assert all(person.pk for person in people)

    @pytest.mark.parametrize(("name", "code"), [("", "name_required"), ("x" * 81, "name_too_long")])
    def test_without_a_right_name_are_refused_and_nobody_is_added(self, name: str, code: str) -> None:
        assert code_of(find_or_add_people, club=a_club(), full_names=["Anne Roy", name]) == code
        assert not Person.objects.exists()

    def test_show_the_public_their_first_name_unless_they_agreed_to_more(self) -> None:
        club = a_club()
        (person,) = find_or_add_people(club=club, full_names=["Jeannine Roy"])
        assert person.name_in_public(club) == "Jeannine\u00a0R."
        person.shows_full_name = True
        assert person.name_in_public(club) == "Jeannine Roy"


@pytest.mark.django_db
def test_a_name_with_a_ligature_is_in_its_address_by_its_letters() -> None:
    assert a_club("Club du Sacré-Cœur").slug == "club-du-sacre-coeur"
