"""Account page: name, language, password and club membership."""

from typing import Any

import pytest

from clubs.models import Account, Club, Membership, Role
from clubs.queries import query_clubs
from clubs.services import accounts
from clubs.services.accounts import add_club
from tests.builders import PASSWORD, build_account, build_club, get_refusal_code
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.django_db

OTHER_PASSWORD = "une autre phrase"


def change(browser: Browser, **typed: Any) -> Page:
    page = browser.open("/account")
    return browser.send(page, page.find_form("/account", control_name="name"), **typed)


def change_password(browser: Browser, current: str, password: str) -> Page:
    page = browser.open("/account")
    return browser.send(page, page.find_form("/account/password"), current=current, password=password)


class TestAccountPage:
    @pytest.mark.snapshot
    def test_account_page_changes_name_and_language(self) -> None:
        account = build_account("Denise Roy")
        page = change(Browser(account=account), name="Denise Guy", language="fr")
        assert page.find_one("html").attrs["lang"] == "fr-CA"
        assert Account.objects.get(pk=account.pk).name == "Denise Guy"
        assert "Enregistré." in page.text

    @pytest.mark.parametrize("name", ["", "Édith Roy"])
    def test_account_page_reports_invalid_name_at_its_field(self, name: str) -> None:
        build_account("edith roy")
        page = change(Browser(account=build_account("Denise Roy")), name=name)
        assert page.status == 422
        assert page.get_field_error("name")
        assert page.find_field("name").value == name

    def test_account_page_reports_unknown_language_at_its_choices(self) -> None:
        page = change(Browser(account=build_account("Denise Roy")), name="Denise Guy", language="tlh")
        assert page.status == 422
        assert page.get_group_error("language")
        assert page.find_field("name").value == "Denise Guy"

    @pytest.mark.slow
    def test_password_change_ends_other_sessions(self) -> None:
        account = build_account()
        here, elsewhere = Browser(account=account), Browser(account=account)
        page = change_password(here, PASSWORD, OTHER_PASSWORD)
        assert "Password changed." in page.text
        assert here.open("/account").path == "/account"
        assert elsewhere.open("/account").path == "/sign-in"

    @pytest.mark.long
    def test_password_change_rejects_wrong_or_weak_password(self) -> None:
        browser = Browser(account=build_account())
        page = change_password(browser, "wrong", OTHER_PASSWORD)
        assert (page.status, page.get_field_error("current")) == (422, "Wrong password. Try again.")
        page = change_password(browser, PASSWORD, "1234")
        assert (page.status, bool(page.get_field_error("password"))) == (422, True)

    @pytest.mark.long
    def test_account_page_throttles_password_guesses_by_address(self) -> None:
        account = build_account()
        guesser = Browser(account=account, address="192.0.2.66")
        for _ in range(5):
            change_password(guesser, "wrong", OTHER_PASSWORD)
        assert change_password(guesser, PASSWORD, OTHER_PASSWORD).status == 429
        assert change_password(Browser(account=account), PASSWORD, OTHER_PASSWORD).status == 200

    def test_account_page_requires_sign_in(self) -> None:
        assert Browser().open("/account").path == "/sign-in"


class TestAccountClubs:
    def test_member_leaves_a_club_from_the_account_page(self) -> None:
        account = build_account()
        club = build_club("Âge d’or", owner=build_account())
        Membership.objects.create(club=club, account=account, role=Role.DESK)
        browser = Browser(account=account)
        page = browser.open("/account")
        assert "desk helper" in page.text
        assert page.find_link("Âge d’or") == f"/club/{club.slug}"
        page = browser.send(page, page.find_form(f"/leave/{club.slug}"))
        assert "You have left the club." in page.text
        assert not query_clubs(account)

    def test_last_owner_cannot_leave_the_club(self) -> None:
        account = build_account()
        club = build_club(owner=account)
        browser = Browser(account=account)
        page = browser.open("/account")
        page = browser.send(page, page.find_form(f"/leave/{club.slug}"))
        assert page.status == 409
        assert page.alert == "A club needs an owner. Make someone else an owner first."

    @pytest.mark.long
    def test_menu_links_other_clubs_only_when_several_exist(self) -> None:
        account = build_account()
        club = build_club("Âge d’or", owner=account)
        browser = Browser(account=account)
        assert "My other clubs" not in browser.open(f"/club/{club.slug}").text
        other = build_club("Les Atouts", owner=account)
        page = browser.open(browser.open(f"/club/{club.slug}").find_link("My other clubs"))
        assert page.find_link("Les Atouts") == f"/club/{other.slug}"


class TestNewClub:
    def submit_club(self, browser: Browser, **typed: Any) -> Page:
        page = browser.open("/account/clubs/new")
        return browser.send(page, page.find_form(control_name="club_name"), **typed)

    @pytest.mark.long
    def test_owner_adds_a_second_separate_club(self) -> None:
        owner = build_account()
        browser, first = Browser(account=owner), build_club(owner=owner)
        assert browser.open("/account").find_link("New club") == "/account/clubs/new"
        page = self.submit_club(
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
        assert list(query_clubs(owner)) == [first, added]
        assert "Âge d’or de Shippagan" in browser.open(f"/club/{added.slug}/history").text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_resubmitted_form_creates_one_club(self) -> None:
        owner = build_account()
        browser, _ = Browser(account=owner), build_club(owner=owner)
        page = browser.open("/account/clubs/new")
        for _ in range(2):
            again = browser.send(page, page.find_form(control_name="club_name"), club_name="Matane")
        assert Club.objects.filter(name="Matane").count() == 1
        assert again.path == f"/club/{Club.objects.get(name='Matane').slug}"

    @pytest.mark.parametrize(
        ("name", "message"),
        [(" ", "Enter the club’s name."), ("A" * 81, "Name too long: at most 80 characters.")],
    )
    def test_invalid_club_name_is_reported_at_its_field(self, name: str, message: str) -> None:
        owner = build_account()
        build_club(owner=owner)
        page = self.submit_club(Browser(account=owner), club_name=name, ruleset="maine")
        assert (page.status, page.get_field_error("club_name")) == (422, message)
        assert page.list_checked_values("ruleset") == ["maine"]

    def test_only_owners_of_the_first_club_add_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(accounts, "MAX_CLUBS_ADDED", 2)
        operator, owner = build_account(), build_account()
        build_club(owner=operator)
        build_club(owner=owner)
        for account, names in ((operator, ("Matane", "Rimouski", "Amqui")), (owner, ("Gaspé", "Carleton"))):
            for name in names:
                assert self.submit_club(Browser(account=account), club_name=name).status == 200
        page = self.submit_club(Browser(account=owner), club_name="Percé")
        assert page.alert == "You can add 2 clubs at most. For more, ask the server’s operator."
        assert not Club.objects.filter(name="Percé").exists()

    def test_non_owner_cannot_add_a_club(self) -> None:
        helper, club = build_account(), build_club(owner=build_account())
        Membership.objects.create(club=club, account=helper, role=Role.DIRECTOR)
        browser = Browser(account=helper)
        assert "New club" not in browser.open("/account").text
        assert browser.open("/account/clubs/new").status == 403
        answers = {"name": "Matane", "language": "fr", "time_zone": "America/Montreal", "ruleset": "maine"}
        assert get_refusal_code(add_club, account_id=helper.pk, **answers) == "owner_only"
