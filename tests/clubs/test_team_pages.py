"""The team of a club: its page, the links that are handed to somebody, and what is behind them."""

from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import pytest

from clubs.models import Account, Membership, Role
from clubs.queries import role_in
from clubs.services import leave_club
from tests.builders import PASSWORD, a_club, an_account
from tests.support.browser import Browser, Page
from tests.support.hall import post
from tests.support.office import Office
from tests.tournaments.events.test_the_cards import drawn, meant

pytestmark = pytest.mark.django_db

ANOTHER = "une autre phrase"


class Team(Office):
    """A club, its owner's browser, and a helper."""

    def __init__(self) -> None:
        super().__init__()
        self.helper = an_account("Noëlla Guy")
        self.member = Membership.objects.create(club=self.club, account=self.helper, role=Role.DESK)

    @cached_property
    def director(self) -> Browser:
        account = an_account("Rita Roy")
        Membership.objects.create(club=self.club, account=account, role=Role.DIRECTOR)
        return Browser(account=account)

    @property
    def page(self) -> str:
        return f"/club/{self.club.slug}/team"

    def at_member(self) -> Page:
        return self.browser.open(f"{self.page}/{self.member.pk}")

    def make_link(self, role: str = Role.DIRECTOR, note: str = "Rita") -> Page:
        page = self.browser.open(self.page)
        return self.browser.send(page, page.form(having="note"), note=note, role=role)


def path_in(page: Page) -> str:
    """Return where the link on the page leads."""
    return urlsplit(page.one("textarea", id="address").text).path


def role_of(team: Team, account: Account) -> Role | None:
    return role_in(account, team.club.pk)


def join(phone: Browser, page: Page, *, name: str = "Rita Roy", password: str = PASSWORD) -> Page:
    """With a name and a password."""
    return phone.send(page, page.form(having="name"), ("deed", "join"), name=name, password=password)


class TestThePage:
    def test_says_who_has_which_role_since_when(self) -> None:
        team = Team()
        page = team.browser.open(team.page)
        assert f"{team.owner.name} (you)" in page.text
        assert "desk helper, since" in page.text
        assert page.link("Noëlla Guy") == f"{team.page}/{team.member.pk}"

    def test_is_in_the_menu_of_owners_only(self) -> None:
        team = Team()
        assert team.browser.open(f"/club/{team.club.slug}").link("Team") == team.page
        helper = Browser(account=team.helper)
        assert team.page not in helper.open(f"/club/{team.club.slug}").html
        assert helper.open(team.page).status == 403
        assert "Only an owner of the club can do this. Ask the owner." in helper.open(team.page).text

    def test_changes_a_role_and_undoes_it_from_the_notice(self) -> None:
        team = Team()
        page = team.at_member()
        assert page.chosen("role") == ["desk"]
        page = team.browser.send(page, page.form(having="role"), role="director")
        assert page.one("div", role="status").text.startswith("Noëlla Guy: now director, was desk helper")
        assert role_of(team, team.helper) == Role.DIRECTOR
        page = team.browser.send(page, page.form("/undo"))
        assert page.path == team.page
        assert role_of(team, team.helper) == Role.DESK

    def test_takes_somebody_out_and_undoes_it(self) -> None:
        team = Team()
        page = team.at_member()
        page = team.browser.send(page, page.form("/remove"))
        assert "Removed from the team: Noëlla Guy, desk helper" in page.text
        assert role_of(team, team.helper) is None
        team.browser.send(page, page.form("/undo"))
        assert role_of(team, team.helper) == Role.DESK

    def test_keeps_the_last_owner(self) -> None:
        team = Team()
        own = f"{team.page}/{Membership.objects.get(account=team.owner).pk}"
        page = team.browser.open(own)
        for refused in (
            team.browser.send(page, page.form(having="role"), role="desk"),
            team.browser.send(page, page.form("/remove")),
        ):
            assert refused.status == 409
            assert refused.alert == "A club needs an owner. Make someone else an owner first."
        assert role_of(team, team.owner) == Role.OWNER

    def test_knows_nobody_of_another_club(self) -> None:
        team = Team()
        other = Team.__new__(Team)
        Office.__init__(other)
        stranger = Membership.objects.get(club=other.club)
        assert team.browser.open(f"{team.page}/{stranger.pk}").status == 404


OWNERS_FORMS = {
    "remove a member": lambda team: (f"{team.page}/{team.member.pk}", "/remove", {}),
    "ask for dues": lambda team: (
        f"/club/{team.club.slug}/dues/new",
        "",
        {"name": "2027", "amount": "20", "starts": "2027-01-01", "ends": "2027-12-31"},
    ),
    "open a season": lambda team: (
        f"/club/{team.club.slug}/seasons/new",
        "",
        {"name": "Autumn", "starts": "2026-09-01", "ends": "2027-06-30"},
    ),
}
DIRECTORS_FORMS = {
    "add a person": lambda team: (f"/club/{team.club.slug}/people/new", "", {"name": "Lise Roy"}),
}


class TestWhoMayUndo:
    def history_of(self, team: Team, browser: Browser, form: Any) -> tuple[Page, str]:
        """The history as a director sees it after that form was sent, and the address of its undo."""
        address, action, typed = form(team)
        page = browser.open(address)
        done = browser.send(
            page, page.form(action) if action else page.form(having=next(iter(typed))), **typed
        )
        assert done.status == 200
        return (
            team.director.open(f"/club/{team.club.slug}/history"),
            f"/club/{team.club.slug}/history/{team.club.actions.latest('pk').pk}/undo",
        )

    @pytest.mark.parametrize("form", OWNERS_FORMS.values(), ids=OWNERS_FORMS)
    def test_an_owners_change_and_its_undo_are_undone_by_owners_only(self, form: Any) -> None:
        team = Team()
        history, undo = self.history_of(team, team.browser, form)
        assert undo not in history.html
        assert "A club owner can undo this." in history.text
        assert post(team.director, undo, {}).status == 403
        assert post(team.browser, undo, {}).status == 200
        redo = f"/club/{team.club.slug}/history/{team.club.actions.latest('pk').pk}/undo"
        assert redo != undo
        assert post(team.director, redo, {}).status == 403

    @pytest.mark.parametrize("form", DIRECTORS_FORMS.values(), ids=DIRECTORS_FORMS)
    def test_a_directors_change_is_undone_by_directors_even_if_an_owner_made_it(self, form: Any) -> None:
        team = Team()
        history, undo = self.history_of(team, team.browser, form)
        assert undo in history.html
        assert post(team.director, undo, {}).status == 200

    def test_a_change_without_a_checked_permission_is_an_owners_to_undo(self) -> None:
        team = Team()
        leave_club(club_id=team.club.pk, account=team.helper)
        undo = f"/club/{team.club.slug}/history/{team.club.actions.latest('pk').pk}/undo"
        assert post(team.director, undo, {}).status == 403
        assert post(team.browser, undo, {}).status == 200


class TestALink:
    def test_is_shown_once_with_a_square_that_leads_to_it(self) -> None:
        team = Team()
        page = team.make_link()
        address = page.one("textarea", id="address").text
        assert address.startswith("http://testserver/invitation/")
        assert drawn(page.one("svg", class_="qr")) == meant(address)
        again = team.browser.open(team.page)
        assert "Rita" in again.text
        assert address.rpartition("/")[2] not in again.html

    def test_leads_to_this_computer_on_the_network(self, settings: object) -> None:
        team = Team()
        team.browser.client.defaults["HTTP_HOST"] = "localhost:8000"
        settings.PHONE_URL = "tests.support.hall.on_the_network"  # type: ignore[attr-defined]
        address = team.make_link().one("textarea", id="address").text
        assert address.startswith("http://192.0.2.40:8000/invitation/")

    def test_sent_by_a_second_click_is_not_made_twice(self) -> None:
        team = Team()
        page = team.browser.open(team.page)
        form = page.form(having="note")
        for _ in range(2):
            page_after = team.browser.send(page, form, note="Rita", role="desk")
        assert page_after.path == team.page
        assert team.club.invitations.count() == 1

    def test_is_for_somebody(self) -> None:
        page = Team().make_link(note=" ")
        assert page.status == 422
        assert page.said_at("note") == "Enter who the link is for."
        assert page.text.count("Enter who the link is for") == 1

    @pytest.mark.slow
    def test_lets_somebody_join_with_a_name_and_a_password(self) -> None:
        team, phone = Team(), Browser()
        page = phone.open(path_in(team.make_link()))
        assert f"{team.club.name} invites you as director" in page.text
        page = join(phone, page)
        assert page.path == f"/club/{team.club.slug}"
        assert role_of(team, Account.objects.get(name="Rita Roy")) == Role.DIRECTOR

    @pytest.mark.parametrize(("field", "typed"), [("name", ""), ("name", "x" * 81), ("password", "1234")])
    def test_asks_again_for_what_cannot_be(self, field: str, typed: str) -> None:
        team, phone = Team(), Browser()
        page = phone.open(path_in(team.make_link()))
        page = join(phone, page, **{field: typed})
        assert page.status == 422
        assert page.said_at(field)
        assert not Account.objects.filter(name="Rita Roy").exists()

    def test_lets_somebody_who_is_signed_in_accept_it(self) -> None:
        team, rita = Team(), an_account("Rita Roy")
        phone = Browser(account=rita)
        page = phone.open(path_in(team.make_link()))
        assert "You are signed in as Rita Roy" in page.text
        page = phone.send(page, page.form(having="deed"), ("deed", "accept"))
        assert page.path == f"/club/{team.club.slug}"
        assert role_of(team, rita) == Role.DIRECTOR

    def test_lets_somebody_sign_in_first(self) -> None:
        team, phone = Team(), Browser()
        an_account("Rita Roy")
        path = path_in(team.make_link())
        page = phone.open(phone.open(path).link("I already have an account"))
        page = phone.send(page, page.form("/sign-in"), name="Rita Roy", password=PASSWORD)
        assert page.path == path
        assert "You are signed in as Rita Roy" in page.text

    def test_is_not_used_up_by_looking_at_it_or_by_its_own_maker(self) -> None:
        team = Team()
        path = path_in(team.make_link())
        Browser().open(path)
        page = team.browser.open(path)
        page = team.browser.send(page, page.form(having="deed"), ("deed", "accept"))
        assert page.status == 409
        assert role_of(team, team.owner) == Role.OWNER
        assert Browser().open(path).status == 200

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_that_was_taken_back_says_so(self) -> None:
        team = Team()
        path = path_in(team.make_link())
        page = team.browser.open(team.page)
        page = team.browser.send(page, page.form("/revoke"))
        assert "Invitation withdrawn: Rita" in page.text
        assert "Unused links" not in page.text
        page = Browser().open(path)
        assert page.status == 410
        assert "This link no longer works" in page.text
        assert page.link("Sign in") == "/sign-in"

    def test_is_made_anew(self) -> None:
        team = Team()
        first = path_in(team.make_link())
        page = team.browser.open(team.page)
        second = path_in(team.browser.send(page, page.form("/renew")))
        assert Browser().open(first).status == 410
        assert Browser().open(second).status == 200

    @pytest.mark.parametrize("path", ["/invitation/x", "/invitation/é", f"/invitation/{'x' * 2000}"])
    def test_that_was_guessed_opens_nothing(self, path: str) -> None:
        assert Browser().open(path).status == 410
        assert post(Browser(), path, {"deed": "join", "name": "A", "password": PASSWORD}).status == 410


class TestALostPassword:
    @pytest.mark.slow
    def test_is_chosen_anew_behind_a_link(self) -> None:
        team, phone = Team(), Browser()
        before = Browser(account=team.helper)
        page = team.at_member()
        path = path_in(team.browser.send(page, page.form("/password")))
        page = phone.open(path)
        assert "New password for Noëlla Guy" in page.text
        page = phone.send(page, page.form(having="password"), ("deed", "choose"), password=ANOTHER)
        assert page.path == "/"
        assert phone.open(f"/club/{team.club.slug}").status == 200
        assert before.open(f"/club/{team.club.slug}").path == "/sign-in"

    @pytest.mark.snapshot
    def test_too_weak_is_asked_again(self) -> None:
        team, phone = Team(), Browser()
        page = team.at_member()
        page = phone.open(path_in(team.browser.send(page, page.form("/password"))))
        page = phone.send(page, page.form(having="password"), ("deed", "choose"), password="1234")
        assert page.status == 422
        assert page.said_at("password")

    def test_of_somebody_with_a_role_elsewhere_is_refused_in_words(self) -> None:
        team = Team()
        a_club(owner=team.helper)
        page = team.at_member()
        page = team.browser.send(page, page.form("/password"))
        assert page.status == 409
        assert "Noëlla Guy has a role in another club. Ask the person who runs the server." in page.alert
