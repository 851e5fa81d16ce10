"""People, accounts, clubs and roles."""

from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from pytest_django import Settings

from clubs import first_run
from clubs.models import Account, Club, Membership, Person, Role
from clubs.queries import ClubMembership, find_account_role, find_club_membership, query_clubs
from clubs.services.accounts import create_account, make_owner, start_club
from clubs.services.clubs import create_club
from clubs.services.people import find_or_add_people
from tests.builders import PASSWORD, build_account, build_club, build_event, get_refusal, get_refusal_code
from tournaments.events.queries import find_event_with_role, find_public_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret(settings: Settings, tmp_path: Path) -> str:
    """The one-time secret of a new installation."""
    settings.DATA_DIR = tmp_path
    found = first_run.get_first_run_secret()
    assert found is not None
    return found


def start_first_club(secret: str, **changed: str) -> tuple[Account, Club]:
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


@pytest.mark.postgresql("unique constraints")
class TestFirstRun:
    def test_first_run_creates_an_account_that_owns_the_club(self, secret: str) -> None:
        account, club = start_first_club(secret, ruleset="maine")
        assert Membership.objects.get(account=account, club=club).role == Role.OWNER
        assert (club.name, club.language, club.usual_ruleset) == ("Les Joyeux Atouts", "fr", "maine")

    def test_first_run_secret_expires_after_use(self, secret: str) -> None:
        assert first_run.get_first_run_secret() == secret
        start_first_club(secret)
        assert first_run.get_first_run_secret() is None
        assert not first_run.is_first_run_secret(secret)

    def test_first_run_works_only_once(self, secret: str) -> None:
        start_first_club(secret)
        assert get_refusal_code(start_first_club, secret, name="Somebody Else") == "link_used"
        assert Account.objects.count() == 1

    @pytest.mark.parametrize("wrong", ["", "x", "é"])
    def test_wrong_secret_is_refused(self, secret: str, wrong: str) -> None:
        assert get_refusal_code(start_first_club, wrong) == "link_used"

    def test_first_owner_takes_over_imported_clubs(self, secret: str) -> None:
        imported = build_club("My club")
        account, club = start_first_club(secret)
        assert set(query_clubs(account)) == {imported, club}

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
    def test_invalid_input_keeps_the_secret_valid(
        self, secret: str, changed: dict[str, str], code: str, field: str
    ) -> None:
        refusal = get_refusal(start_first_club, secret, **changed)
        assert (refusal.code, refusal.field) == (code, field)
        assert not Account.objects.exists()
        assert not Club.objects.exists()
        assert first_run.is_first_run_secret(secret)


class TestAccount:
    def test_account_signs_in_with_any_spelling_of_its_name(self) -> None:
        account = create_account(name="Édith Roy", password=PASSWORD, language="fr")
        assert Account.objects.get_by_natural_key(" edith  ROY ") == account
        assert authenticate(username="edith roy", password=PASSWORD) == account
        assert authenticate(username="Edith Roy", password="wrong") is None

    def test_stored_password_is_not_readable(self) -> None:
        assert PASSWORD not in build_account().password

    def test_account_name_must_be_unique(self) -> None:
        create_account(name="Édith Roy", password=PASSWORD, language="fr")
        refusal = get_refusal(create_account, name="edith roy", password=PASSWORD, language="fr")
        assert (refusal.code, refusal.field) == ("name_taken", "name")

    def test_unknown_account_name_is_not_found(self) -> None:
        with pytest.raises(ObjectDoesNotExist):
            Account.objects.get_by_natural_key("nobody")


@pytest.mark.postgresql("lookups of roles")
class TestClub:
    def test_clubs_of_one_name_get_numbered_slugs(self) -> None:
        assert [create_club(name="Âge d’or de Rimouski").slug for _ in range(3)] == [
            "age-dor-de-rimouski",
            "age-dor-de-rimouski-2",
            "age-dor-de-rimouski-3",
        ]

    def test_long_club_slug_ends_with_a_whole_word(self) -> None:
        long = "Vieux amis du Charlemagne de la salle paroissiale de Notre-Dame"
        assert create_club(name=long).slug == "vieux-amis-du-charlemagne-de-la-salle-paroissiale"

    def test_make_owner_promotes_an_existing_member(self) -> None:
        club, account = build_club(), build_account()
        Membership.objects.create(club=club, account=account, role=Role.DESK)
        make_owner(club=club, account=account)
        make_owner(club=club, account=account)
        assert [member.role for member in club.memberships.all()] == [Role.OWNER]

    def test_account_sees_only_its_own_clubs(self) -> None:
        mine, theirs = build_account(), build_account()
        club = build_club(owner=mine)
        build_club(owner=theirs)
        assert list(query_clubs(mine)) == [club]
        assert list(query_clubs(AnonymousUser())) == []

    @pytest.mark.parametrize("role", Role)
    def test_club_membership_reports_the_account_role(self, role: Role) -> None:
        club, account = build_club(), build_account()
        Membership.objects.create(club=club, account=account, role=role)
        assert find_account_role(account, club.pk) is role
        assert find_club_membership(account, club.slug) == ClubMembership(club=club, role=role, has_other_clubs=False)
        other = build_club()
        assert find_account_role(account, other.pk) is None
        assert find_club_membership(account, other.slug) is None

    def test_event_is_found_only_by_members_of_its_club(self) -> None:
        mine, theirs = build_account(), build_account()
        event = build_event(club=build_club(owner=mine))
        build_club(owner=theirs)
        assert find_event_with_role(mine, event.short) == (event, Role.OWNER)
        assert find_event_with_role(theirs, event.short) is None
        assert find_event_with_role(mine, "no-such-event") is None
        assert find_public_event(event.short) == event
        assert find_public_event("no-such-event") is None


class TestPeople:
    def test_person_is_recognized_by_any_spelling(self) -> None:
        club = build_club()
        (first,) = find_or_add_people(club=club, full_names=["Édith Roy"])
        again, other = find_or_add_people(club=club, full_names=[" edith ROY", "Lise Roy"])
        assert (again, other.name) == (first, "Lise Roy")
        assert Person.objects.count() == 2

    def test_people_of_two_clubs_are_distinct(self) -> None:
        for club in (build_club(), build_club()):
            find_or_add_people(club=club, full_names=["Édith Roy"])
        assert Person.objects.count() == 2

    def test_repeated_list_reuses_its_namesakes(self) -> None:
        club = build_club()
        first = find_or_add_people(club=club, full_names=["Paul Roy", "Paul Roy"])
        assert len({person.pk for person in first}) == 2
        again = find_or_add_people(club=club, full_names=["Paul Roy", "Lise Roy", "Paul Roy"])
        assert [again[0], again[2]] == first

    def test_people_are_returned_in_list_order(self) -> None:
        names = ["Zoé Roy", "Anne Roy", "Marc Roy"]
        people = find_or_add_people(club=build_club(), full_names=names)
        assert [person.name for person in people] == names
        assert all(person.pk for person in people)

    @pytest.mark.parametrize(("name", "code"), [("", "name_required"), ("x" * 81, "name_too_long")])
    def test_invalid_name_adds_no_one_from_the_list(self, name: str, code: str) -> None:
        assert get_refusal_code(find_or_add_people, club=build_club(), full_names=["Anne Roy", name]) == code
        assert not Person.objects.exists()

    def test_public_name_hides_the_surname_without_consent(self) -> None:
        club = build_club()
        (person,) = find_or_add_people(club=club, full_names=["Jeannine Roy"])
        assert person.get_public_name(club) == "Jeannine\u00a0R."
        person.shows_full_name = True
        assert person.get_public_name(club) == "Jeannine Roy"


@pytest.mark.django_db
def test_club_slug_spells_out_ligatures() -> None:
    assert build_club("Club du Sacré-Cœur").slug == "club-du-sacre-coeur"
