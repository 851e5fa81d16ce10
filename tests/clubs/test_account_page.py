"""One's own account: name, language, password, and the clubs."""

from typing import Any

import pytest

from clubs.models import Account, Club, Membership, Role
from clubs.queries import clubs_of
from clubs.services import add_club
from tests.builders import PASSWORD, a_club, an_account, code_of
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.django_db

ANOTHER = "une autre phrase"


def change(browser: Browser, **typed: Any) -> Page:
    page = browser.open("/account")
    return browser.send(page, page.form("/account", having="name"), **typed)


def change_password(browser: Browser, current: str, password: str) -> Page:
    page = browser.open("/account")
    return browser.send(page, page.form("/account/password"), current=current, password=password)


class TestTheAccount:
    @pytest.mark.snapshot
    def test_changes_its_name_and_is_shown_in_its_language(self) -> None:
        account = an_account("Denise Roy")
        page = change(Browser(account=account), name="Denise Guy", language="fr")
        assert page.one("html").attrs["lang"] == "fr-CA"
        assert Account.objects.get(pk=account.pk).name == "Denise Guy"
        assert "Enregistré." in page.text

    @pytest.mark.parametrize("name", ["", "Édith Roy"])
    def test_says_at_the_field_what_cannot_be(self, name: str) -> None:
        an_account("edith roy")
        page = change(Browser(account=an_account("Denise Roy")), name=name)
        assert page.status == 422
        assert page.said_at("name")
        assert page.field("name").value == name

    def test_changes_its_password_which_ends_its_other_sessions(self) -> None:
        account = an_account()
        here, elsewhere = Browser(account=account), Browser(account=account)
        page = change_password(here, PASSWORD, ANOTHER)
        assert "Password changed." in page.text
        assert here.open("/account").path == "/account"
        assert elsewhere.open("/account").path == "/sign-in"

    def test_keeps_its_password_for_who_does_not_know_it(self) -> None:
        browser = Browser(account=an_account())
        page = change_password(browser, "wrong", ANOTHER)
        assert (page.status, page.said_at("current")) == (422, "Wrong password. Try again.")
        page = change_password(browser, PASSWORD, "1234")
        assert (page.status, bool(page.said_at("password"))) == (422, True)

    @pytest.mark.slow
    def test_slows_down_whoever_guesses_its_password(self) -> None:
        account = an_account()
        guesser = Browser(account=account, address="192.0.2.66")
        for _ in range(5):
            change_password(guesser, "wrong", ANOTHER)
        assert change_password(guesser, PASSWORD, ANOTHER).status == 429
        assert change_password(Browser(account=account), PASSWORD, ANOTHER).status == 200

    def test_is_for_whoever_is_signed_in(self) -> None:
        assert Browser().open("/account").path == "/sign-in"


class TestItsClubs:
    def test_are_listed_with_the_role_and_can_be_left(self) -> None:
        account = an_account()
        club = a_club("Âge d’or", owner=an_account())
        Membership.objects.create(club=club, account=account, role=Role.DESK)
        browser = Browser(account=account)
        page = browser.open("/account")
        assert "desk helper" in page.text
        assert page.link("Âge d’or") == f"/club/{club.slug}"
        page = browser.send(page, page.form(f"/leave/{club.slug}"))
        assert "You have left the club." in page.text
        assert not clubs_of(account)

    def test_are_not_left_by_their_last_owner(self) -> None:
        account = an_account()
        club = a_club(owner=account)
        browser = Browser(account=account)
        page = browser.open("/account")
        page = browser.send(page, page.form(f"/leave/{club.slug}"))
        assert page.status == 409
        assert page.alert == "A club needs an owner. Make someone else an owner first."

    def test_are_offered_in_the_menu_where_there_are_several(self) -> None:
        account = an_account()
        club = a_club("Âge d’or", owner=account)
        browser = Browser(account=account)
        assert "My other clubs" not in browser.open(f"/club/{club.slug}").text
        other = a_club("Les Atouts", owner=account)
        page = browser.open(browser.open(f"/club/{club.slug}").link("My other clubs"))
        assert page.link("Les Atouts") == f"/club/{other.slug}"


class TestAnotherClub:
    def ask(self, browser: Browser, **typed: Any) -> Page:
        page = browser.open("/account/clubs/new")
        return browser.send(page, page.form(having="club_name"), **typed)

    @pytest.mark.slow
    def test_is_added_by_who_owns_one_and_is_apart_from_it(self) -> None:
        owner = an_account()
        browser, first = Browser(account=owner), a_club(owner=owner)
        assert browser.open("/account").link("New club") == "/account/clubs/new"
        page = self.ask(
            browser,
            club_name="Âge d’or de Shippagan",
            language="fr",
            time_zone="America/Moncton",
            ruleset="maine",
        )
        added = Club.objects.exclude(pk=first.pk).get()
        assert page.path == f"/club/{added.slug}"
        assert (added.name, added.language) == ("Âge d’or de Shippagan", "fr")
        assert (added.time_zone, added.usual_ruleset) == ("America/Moncton", "maine")
        assert list(clubs_of(owner)) == [first, added]
        assert "Âge d’or de Shippagan" in browser.open(f"/club/{added.slug}/history").text

    @pytest.mark.snapshot
    def test_is_one_however_often_its_form_is_sent(self) -> None:
        owner = an_account()
        browser, _ = Browser(account=owner), a_club(owner=owner)
        page = browser.open("/account/clubs/new")
        for _ in range(2):
            again = browser.send(page, page.form(having="club_name"), club_name="Matane")
        assert Club.objects.filter(name="Matane").count() == 1
        assert again.path == f"/club/{Club.objects.get(name='Matane').slug}"

    @pytest.mark.parametrize(
        ("name", "said"),
        [(" ", "Enter the club’s name."), ("A" * 81, "Name too long: at most 80 characters.")],
    )
    def test_says_at_the_field_what_its_name_cannot_be(self, name: str, said: str) -> None:
        owner = an_account()
        a_club(owner=owner)
        page = self.ask(Browser(account=owner), club_name=name, ruleset="maine")
        assert (page.status, page.said_at("club_name")) == (422, said)
        assert page.chosen("ruleset") == ["maine"]

    def test_is_not_for_who_owns_none(self) -> None:
        helper, club = an_account(), a_club(owner=an_account())
        Membership.objects.create(club=club, account=helper, role=Role.DIRECTOR)
        browser = Browser(account=helper)
        assert "New club" not in browser.open("/account").text
        assert browser.open("/account/clubs/new").status == 403
        answers = {"name": "Matane", "language": "fr", "time_zone": "America/Montreal", "ruleset": "maine"}
        assert code_of(add_club, account_id=helper.pk, **answers) == "owner_only"
