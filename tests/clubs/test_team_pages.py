"""Team page of a club: roles, invitation links and password links."""

from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import pytest

from clubs.models import Account, Membership, Role
from clubs.queries import find_account_role
from clubs.services.team import leave_club
from tests.builders import PASSWORD, build_account, build_club
from tests.support.browser import Browser, Page
from tests.support.hall import post_form
from tests.support.office import Office
from tests.tournaments.events.test_table_cards import list_expected_modules, parse_qr_modules

pytestmark = pytest.mark.django_db

OTHER_PASSWORD = "une autre phrase"


class Team(Office):
    """A club with its owner's browser, a desk helper and a director."""

    def __init__(self) -> None:
        super().__init__()
        self.helper = build_account("Noëlla Guy")
        self.member = Membership.objects.create(club=self.club, account=self.helper, role=Role.DESK)

    @cached_property
    def director(self) -> Browser:
        account = build_account("Rita Roy")
        Membership.objects.create(club=self.club, account=account, role=Role.DIRECTOR)
        return Browser(account=account)

    @property
    def page(self) -> str:
        return f"/club/{self.club.slug}/team"

    def open_member(self) -> Page:
        return self.browser.open(f"{self.page}/{self.member.pk}")

    def make_link(self, role: str = Role.DIRECTOR, note: str = "Rita") -> Page:
        page = self.browser.open(self.page)
        return self.browser.send(page, page.find_form(control_name="note"), note=note, role=role)


def get_link_path(page: Page) -> str:
    """Return the path of the link shown on the page."""
    return urlsplit(page.find_one("textarea", id="address").text).path


def get_role(team: Team, account: Account) -> Role | None:
    return find_account_role(account, team.club.pk)


def join(phone: Browser, page: Page, *, name: str = "Rita Roy", password: str = PASSWORD) -> Page:
    """Join with a new account."""
    return phone.send(page, page.find_form(control_name="name"), ("choice", "join"), name=name, password=password)


class TestTeamPage:
    def test_team_page_lists_members_with_roles_and_dates(self) -> None:
        team = Team()
        page = team.browser.open(team.page)
        assert f"{team.owner.name} (you)" in page.text
        assert "desk helper, since" in page.text
        assert page.find_link("Noëlla Guy") == f"{team.page}/{team.member.pk}"

    def test_team_page_is_for_owners_only(self) -> None:
        team = Team()
        assert team.browser.open(f"/club/{team.club.slug}").find_link("Team") == team.page
        helper = Browser(account=team.helper)
        assert team.page not in helper.open(f"/club/{team.club.slug}").html
        assert helper.open(team.page).status == 403
        assert "Only an owner of the club can do this. Ask the owner." in helper.open(team.page).text

    def test_team_page_changes_and_undoes_a_role(self) -> None:
        team = Team()
        page = team.open_member()
        assert page.list_checked_values("role") == ["desk"]
        page = team.browser.send(page, page.find_form(control_name="role"), role="director")
        assert page.find_one("div", role="status").text.startswith("Noëlla Guy: now director, was desk helper")
        assert get_role(team, team.helper) == Role.DIRECTOR
        page = team.browser.send(page, page.find_form("/undo"))
        assert page.path == team.page
        assert get_role(team, team.helper) == Role.DESK

    def test_team_page_removes_and_restores_a_member(self) -> None:
        team = Team()
        page = team.open_member()
        page = team.browser.send(page, page.find_form("/remove"))
        assert "Removed from the team: Noëlla Guy, desk helper" in page.text
        assert get_role(team, team.helper) is None
        team.browser.send(page, page.find_form("/undo"))
        assert get_role(team, team.helper) == Role.DESK

    def test_team_page_keeps_the_last_owner(self) -> None:
        team = Team()
        own = f"{team.page}/{Membership.objects.get(account=team.owner).pk}"
        page = team.browser.open(own)
        for refused in (
            team.browser.send(page, page.find_form(control_name="role"), role="desk"),
            team.browser.send(page, page.find_form("/remove")),
        ):
            assert refused.status == 409
            assert refused.alert == "A club needs an owner. Make someone else an owner first."
        assert get_role(team, team.owner) == Role.OWNER

    def test_member_of_another_club_has_no_page(self) -> None:
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


class TestUndoPermissions:
    def open_history_after(self, team: Team, browser: Browser, form: Any) -> tuple[Page, str]:
        """Return the history as a director sees it after the form was sent, and the address of its undo."""
        address, action, typed = form(team)
        page = browser.open(address)
        done = browser.send(
            page, page.find_form(action) if action else page.find_form(control_name=next(iter(typed))), **typed
        )
        assert done.status == 200
        return (
            team.director.open(f"/club/{team.club.slug}/history"),
            f"/club/{team.club.slug}/history/{team.club.actions.latest('pk').pk}/undo",
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("form", OWNERS_FORMS.values(), ids=OWNERS_FORMS)
    def test_director_cannot_undo_owner_actions(self, form: Any) -> None:
        team = Team()
        history, undo = self.open_history_after(team, team.browser, form)
        assert undo not in history.html
        assert "A club owner can undo this." in history.text
        assert post_form(team.director, undo, {}).status == 403
        assert post_form(team.browser, undo, {}).status == 200
        redo = f"/club/{team.club.slug}/history/{team.club.actions.latest('pk').pk}/undo"
        assert redo != undo
        assert post_form(team.director, redo, {}).status == 403

    @pytest.mark.long
    @pytest.mark.parametrize("form", DIRECTORS_FORMS.values(), ids=DIRECTORS_FORMS)
    def test_director_can_undo_director_actions_of_an_owner(self, form: Any) -> None:
        team = Team()
        history, undo = self.open_history_after(team, team.browser, form)
        assert undo in history.html
        assert post_form(team.director, undo, {}).status == 200

    @pytest.mark.long
    def test_unclassified_change_can_be_undone_by_owners_only(self) -> None:
        team = Team()
        leave_club(club_id=team.club.pk, account=team.helper)
        undo = f"/club/{team.club.slug}/history/{team.club.actions.latest('pk').pk}/undo"
        assert post_form(team.director, undo, {}).status == 403
        assert post_form(team.browser, undo, {}).status == 200


class TestInvitationLink:
    def test_invitation_link_is_shown_once_with_its_qr_code(self) -> None:
        team = Team()
        page = team.make_link()
        address = page.find_one("textarea", id="address").text
        assert address.startswith("http://testserver/invitation/")
        assert parse_qr_modules(page.find_one("svg", class_="qr")) == list_expected_modules(address)
        again = team.browser.open(team.page)
        assert "Rita" in again.text
        assert address.rpartition("/")[2] not in again.html

    def test_invitation_link_uses_the_network_address(self, settings: object) -> None:
        team = Team()
        team.browser.client.defaults["HTTP_HOST"] = "localhost:8000"
        settings.PHONE_URL = "tests.support.hall.find_network_address"  # type: ignore[attr-defined]
        address = team.make_link().find_one("textarea", id="address").text
        assert address.startswith("http://192.0.2.40:8000/invitation/")

    @pytest.mark.slow
    def test_double_click_creates_one_invitation(self) -> None:
        team = Team()
        page = team.browser.open(team.page)
        form = page.find_form(control_name="note")
        for _ in range(2):
            page_after = team.browser.send(page, form, note="Rita", role="desk")
        assert page_after.path == team.page
        assert team.club.invitations.count() == 1

    def test_invitation_form_requires_a_note(self) -> None:
        page = Team().make_link(note=" ")
        assert page.status == 422
        assert page.get_field_error("note") == "Enter who the link is for."
        assert page.text.count("Enter who the link is for") == 1

    @pytest.mark.long
    def test_invited_person_joins_with_a_new_account(self) -> None:
        team, phone = Team(), Browser()
        page = phone.open(get_link_path(team.make_link()))
        assert f"{team.club.name} invites you as director" in page.text
        page = join(phone, page)
        assert page.path == f"/club/{team.club.slug}"
        assert get_role(team, Account.objects.get(name="Rita Roy")) == Role.DIRECTOR

    @pytest.mark.parametrize(("field", "typed"), [("name", ""), ("name", "x" * 81), ("password", "1234")])
    def test_join_form_reports_invalid_fields(self, field: str, typed: str) -> None:
        team, phone = Team(), Browser()
        page = phone.open(get_link_path(team.make_link()))
        page = join(phone, page, **{field: typed})
        assert page.status == 422
        assert page.get_field_error(field)
        assert not Account.objects.filter(name="Rita Roy").exists()

    @pytest.mark.slow
    def test_signed_in_account_accepts_the_invitation(self) -> None:
        team, rita = Team(), build_account("Rita Roy")
        phone = Browser(account=rita)
        page = phone.open(get_link_path(team.make_link()))
        assert "You are signed in as Rita Roy" in page.text
        page = phone.send(page, page.find_form(control_name="choice"), ("choice", "accept"))
        assert page.path == f"/club/{team.club.slug}"
        assert get_role(team, rita) == Role.DIRECTOR

    @pytest.mark.long
    def test_invited_person_can_sign_in_first(self) -> None:
        team, phone = Team(), Browser()
        build_account("Rita Roy")
        path = get_link_path(team.make_link())
        page = phone.open(phone.open(path).find_link("I already have an account"))
        page = phone.send(page, page.find_form("/sign-in"), name="Rita Roy", password=PASSWORD)
        assert page.path == path
        assert "You are signed in as Rita Roy" in page.text

    @pytest.mark.long
    def test_invitation_remains_valid_after_being_viewed(self) -> None:
        team = Team()
        path = get_link_path(team.make_link())
        Browser().open(path)
        page = team.browser.open(path)
        page = team.browser.send(page, page.find_form(control_name="choice"), ("choice", "accept"))
        assert page.status == 409
        assert get_role(team, team.owner) == Role.OWNER
        assert Browser().open(path).status == 200

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_withdrawn_invitation_link_no_longer_works(self) -> None:
        team = Team()
        path = get_link_path(team.make_link())
        page = team.browser.open(team.page)
        page = team.browser.send(page, page.find_form("/revoke"))
        assert "Invitation withdrawn: Rita" in page.text
        assert "Unused links" not in page.text
        page = Browser().open(path)
        assert page.status == 410
        assert "This link no longer works" in page.text
        assert page.find_link("Sign in") == "/sign-in"

    @pytest.mark.slow
    def test_renewed_invitation_replaces_the_old_link(self) -> None:
        team = Team()
        first = get_link_path(team.make_link())
        page = team.browser.open(team.page)
        second = get_link_path(team.browser.send(page, page.find_form("/renew")))
        assert Browser().open(first).status == 410
        assert Browser().open(second).status == 200

    @pytest.mark.parametrize("path", ["/invitation/x", "/invitation/é", f"/invitation/{'x' * 2000}"])
    def test_guessed_invitation_link_is_refused(self, path: str) -> None:
        assert Browser().open(path).status == 410
        assert post_form(Browser(), path, {"choice": "join", "name": "A", "password": PASSWORD}).status == 410


class TestPasswordLink:
    @pytest.mark.long
    def test_password_link_sets_password_and_ends_other_sessions(self) -> None:
        team, phone = Team(), Browser()
        before = Browser(account=team.helper)
        page = team.open_member()
        path = get_link_path(team.browser.send(page, page.find_form("/password")))
        page = phone.open(path)
        assert "New password for Noëlla Guy" in page.text
        page = phone.send(page, page.find_form(control_name="password"), ("choice", "choose"), password=OTHER_PASSWORD)
        assert page.path == "/"
        assert phone.open(f"/club/{team.club.slug}").status == 200
        assert before.open(f"/club/{team.club.slug}").path == "/sign-in"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_password_link_refuses_a_weak_password(self) -> None:
        team, phone = Team(), Browser()
        page = team.open_member()
        page = phone.open(get_link_path(team.browser.send(page, page.find_form("/password"))))
        page = phone.send(page, page.find_form(control_name="password"), ("choice", "choose"), password="1234")
        assert page.status == 422
        assert page.get_field_error("password")

    def test_password_link_refuses_members_of_other_clubs(self) -> None:
        team = Team()
        build_club(owner=team.helper)
        page = team.open_member()
        page = team.browser.send(page, page.find_form("/password"))
        assert page.status == 409
        assert "Noëlla Guy has a role in another club. Ask the person who runs the server." in page.alert
