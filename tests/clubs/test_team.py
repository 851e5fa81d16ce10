"""Roles, invitations and password links in a club, which always keeps an owner."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import authenticate
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Account, Club, Invitation, Membership, Role
from clubs.queries import find_account_role, list_team, query_club_invitations
from clubs.services.accounts import change_account, change_password, make_owner
from clubs.services.team import (
    accept_invitation,
    change_role,
    choose_new_password,
    create_password_link,
    find_open_invitation,
    invite,
    join_with_new_account,
    leave_club,
    remove_member,
    renew_invitation,
    revoke_invitation,
)
from clubs.services.undo import undo_club_action
from tests.builders import PASSWORD, build_account, build_club, get_refusal, get_refusal_code

pytestmark = pytest.mark.django_db


class Team:
    """A club with its owner, and methods to add members."""

    def __init__(self) -> None:
        self.owner = build_account()
        self.club: Club = build_club(owner=self.owner)
        self.by = Actor(account=self.owner)

    def add_member(self, role: Role = Role.DESK, account: Account | None = None) -> Membership:
        account = account or build_account()
        return Membership.objects.create(club=self.club, account=account, role=role)

    def create_invitation(self, role: str = Role.DESK) -> str:
        return invite(club_id=self.club.pk, role=role, note="Noëlla", by=self.by).secret

    def undo_last(self) -> None:
        undo_club_action(club_id=self.club.pk, action_id=self.club.actions.latest("pk").pk)

    def get_owner_membership_id(self) -> int:
        return Membership.objects.get(club=self.club, account=self.owner).pk


@pytest.fixture
def team() -> Team:
    return Team()


def expire_invitation(secret: str) -> None:
    invitation = find_open_invitation(secret)
    assert invitation is not None
    invitation.lasts_until = timezone.now() - timedelta(seconds=1)
    invitation.save()


class TestRole:
    def test_undo_restores_the_previous_role(self, team: Team) -> None:
        helper = team.add_member()
        since = helper.since
        change_role(club_id=team.club.pk, membership_id=helper.pk, role=Role.DIRECTOR, by=team.by)
        helper.refresh_from_db()
        assert (helper.role, helper.since > since) == (Role.DIRECTOR, True)
        team.undo_last()
        helper.refresh_from_db()
        assert (helper.role, helper.since) == (Role.DESK, since)

    def test_unchanged_role_leaves_no_history(self, team: Team) -> None:
        helper = team.add_member()
        change_role(club_id=team.club.pk, membership_id=helper.pk, role=Role.DESK, by=team.by)
        assert not team.club.actions.exists()

    def test_undo_restores_a_removed_role(self, team: Team) -> None:
        helper = team.add_member()
        remove_member(club_id=team.club.pk, membership_id=helper.pk, by=team.by)
        assert find_account_role(helper.account, team.club.pk) is None
        team.undo_last()
        assert find_account_role(helper.account, team.club.pk) == Role.DESK

    def test_member_can_leave_the_club(self, team: Team) -> None:
        helper = team.add_member()
        for _ in range(2):
            leave_club(club_id=team.club.pk, account=helper.account)
        assert find_account_role(helper.account, team.club.pk) is None
        assert team.club.actions.count() == 1

    def test_last_owner_keeps_the_role(self, team: Team) -> None:
        pk, club = team.get_owner_membership_id(), team.club.pk
        team.add_member(Role.DIRECTOR)
        assert get_refusal_code(change_role, club_id=club, membership_id=pk, role=Role.DIRECTOR) == "last_owner"
        assert get_refusal_code(remove_member, club_id=club, membership_id=pk) == "last_owner"
        assert get_refusal_code(leave_club, club_id=club, account=team.owner) == "last_owner"
        assert find_account_role(team.owner, club) == Role.OWNER

    def test_undo_cannot_remove_the_last_owner(self, team: Team) -> None:
        other = team.add_member()
        change_role(club_id=team.club.pk, membership_id=other.pk, role=Role.OWNER)
        made = team.club.actions.latest("pk")
        leave_club(club_id=team.club.pk, account=team.owner)
        assert get_refusal_code(undo_club_action, club_id=team.club.pk, action_id=made.pk) == "last_owner"

    def test_resubmitted_form_changes_the_role_once(self, team: Team) -> None:
        helper, by = team.add_member(), Actor(account=team.owner, key=uuid4())
        for _ in range(2):
            change_role(club_id=team.club.pk, membership_id=helper.pk, role=Role.DIRECTOR, by=by)
            remove_member(club_id=team.club.pk, membership_id=helper.pk, by=by)
        assert team.club.actions.count() == 1

    def test_unknown_member_or_role_is_refused(self, team: Team) -> None:
        stranger = Team().get_owner_membership_id()
        target = {"club_id": team.club.pk, "membership_id": stranger}
        assert get_refusal_code(change_role, **target, role=Role.DESK) == "no_such_member"
        assert get_refusal_code(remove_member, **target) == "no_such_member"
        assert get_refusal_code(change_role, **target, role="king") == "no_such_choice"

    def test_team_list_shows_owners_first(self, team: Team) -> None:
        team.add_member(Role.DESK), team.add_member(Role.DIRECTOR)
        assert [member.role for member in list_team(team.club)] == [Role.OWNER, Role.DIRECTOR, Role.DESK]


class TestInvitation:
    def test_database_stores_only_an_invitation_digest(self, team: Team) -> None:
        secret = team.create_invitation()
        invitation = Invitation.objects.get()
        assert find_open_invitation(secret) == invitation
        assert secret not in str(Invitation.objects.values()) + str(team.club.actions.values())
        assert find_open_invitation(invitation.digest) is None

    def test_invitation_grants_the_role_once(self, team: Team) -> None:
        secret, somebody, other = team.create_invitation(Role.DIRECTOR), build_account(), build_account()
        assert accept_invitation(secret=secret, account=somebody) == team.club
        assert find_account_role(somebody, team.club.pk) == Role.DIRECTOR
        assert get_refusal_code(accept_invitation, secret=secret, account=other) == "invitation_over"
        assert find_account_role(other, team.club.pk) is None

    def test_invitation_creates_a_new_account_with_the_role(self, team: Team) -> None:
        account, club = join_with_new_account(
            secret=team.create_invitation(), name="Noëlla Guy", password=PASSWORD, language="fr"
        )
        assert (club, find_account_role(account, club.pk)) == (team.club, Role.DESK)
        assert authenticate(username="noella guy", password=PASSWORD) == account

    def test_resubmitted_form_accepts_the_invitation_once(self, team: Team) -> None:
        secret, account, by = team.create_invitation(), build_account(), Actor(key=uuid4())
        clubs = [accept_invitation(secret=secret, account=account, by=by) for _ in range(2)]
        assert clubs == [team.club, team.club]
        account_values = {"secret": team.create_invitation(), "name": "Anne A", "password": PASSWORD, "language": "fr"}
        by = Actor(key=uuid4())
        assert join_with_new_account(**account_values, by=by) == join_with_new_account(**account_values, by=by)
        refused = account_values | {"password": "une autre phrase"}
        assert get_refusal_code(join_with_new_account, **refused, by=by) == "invitation_over"

    def test_taken_name_keeps_the_invitation_valid(self, team: Team) -> None:
        secret = team.create_invitation()
        account_values = {"name": team.owner.name, "password": PASSWORD, "language": "fr"}
        assert get_refusal_code(join_with_new_account, secret=secret, **account_values) == "name_taken"
        assert find_open_invitation(secret) is not None

    def test_invitation_never_lowers_a_role(self, team: Team) -> None:
        helper = team.add_member(Role.DESK)
        accept_invitation(secret=team.create_invitation(Role.DIRECTOR), account=helper.account)
        assert find_account_role(helper.account, team.club.pk) == Role.DIRECTOR
        for account in (helper.account, team.owner):
            secret = team.create_invitation(Role.DESK)
            assert get_refusal_code(accept_invitation, secret=secret, account=account) == "already_in_club"
            assert find_open_invitation(secret) is not None

    @pytest.mark.parametrize("how", ["old", "revoked", "renewed"])
    def test_expired_revoked_or_renewed_link_is_refused(self, team: Team, how: str) -> None:
        secret, account = team.create_invitation(), build_account()
        (invitation,) = query_club_invitations(team.club)
        target: dict[str, Any] = {"club_id": team.club.pk, "invitation_id": invitation.pk}
        new_secret = None
        if how == "old":
            expire_invitation(secret)
        elif how == "revoked":
            revoke_invitation(**target)
        else:
            new_secret = renew_invitation(**target).secret
        assert get_refusal_code(accept_invitation, secret=secret, account=account) == "invitation_over"
        if new_secret:
            assert accept_invitation(secret=new_secret, account=account) == team.club

    @pytest.mark.parametrize("how", ["taken out", "lowered"])
    def test_invitation_of_a_former_owner_is_refused(self, team: Team, how: str) -> None:
        secret = team.create_invitation(Role.OWNER)
        team.add_member(Role.OWNER)
        where: dict[str, Any] = {"club_id": team.club.pk, "membership_id": team.get_owner_membership_id()}
        if how == "taken out":
            remove_member(**where)
        else:
            change_role(**where, role=Role.DIRECTOR)
        assert get_refusal_code(accept_invitation, secret=secret, account=team.owner) == "invitation_over"
        assert not query_club_invitations(team.club).exists()

    def test_expired_invitation_can_be_renewed(self, team: Team) -> None:
        secret = team.create_invitation()
        expire_invitation(secret)
        (invitation,) = query_club_invitations(team.club)
        new_secret = renew_invitation(club_id=team.club.pk, invitation_id=invitation.pk).secret
        assert find_open_invitation(new_secret) == invitation

    def test_invitation_link_is_shown_only_once(self, team: Team) -> None:
        by = Actor(account=team.owner, key=uuid4())
        first, again = (invite(club_id=team.club.pk, role=Role.DESK, note="N", by=by) for _ in range(2))
        assert first.invitation == again.invitation
        assert (bool(first.secret), again.secret) == (True, "")

    def test_invitation_requires_a_note_and_valid_role(self, team: Team) -> None:
        assert get_refusal_code(invite, club_id=team.club.pk, role="king", note="N") == "no_such_choice"
        assert get_refusal(invite, club_id=team.club.pk, role="desk", note=" ").field == "note"
        assert get_refusal_code(invite, club_id=team.club.pk, role="desk", note="x" * 81) == "note_too_long"

    def test_another_club_cannot_change_the_invitation(self, team: Team) -> None:
        team.create_invitation()
        target = {"club_id": Team().club.pk, "invitation_id": Invitation.objects.get().pk}
        assert get_refusal_code(revoke_invitation, **target) == "no_such_invitation"
        assert get_refusal_code(renew_invitation, **target) == "no_such_invitation"

    def test_undo_removes_an_accepted_role(self, team: Team) -> None:
        somebody = build_account()
        accept_invitation(secret=team.create_invitation(), account=somebody)
        team.undo_last()
        assert find_account_role(somebody, team.club.pk) is None


class TestPasswordLink:
    def issue_password_link(self, team: Team, helper: Membership) -> str:
        return create_password_link(club_id=team.club.pk, membership_id=helper.pk, by=team.by).secret

    def test_password_link_sets_a_new_password_once(self, team: Team) -> None:
        helper = team.add_member()
        secret = self.issue_password_link(team, helper)
        assert choose_new_password(secret=secret, password="une autre phrase") == helper.account
        assert authenticate(username=helper.account.name, password="une autre phrase") == helper.account
        assert authenticate(username=helper.account.name, password=PASSWORD) is None
        assert get_refusal_code(choose_new_password, secret=secret, password=PASSWORD) == "invitation_over"

    def test_weak_password_keeps_the_link_valid(self, team: Team) -> None:
        secret = self.issue_password_link(team, team.add_member())
        assert get_refusal_code(choose_new_password, secret=secret, password="1234") == "password_too_weak"
        assert find_open_invitation(secret) is not None

    def test_resubmitted_form_sets_the_password_once(self, team: Team) -> None:
        helper, by = team.add_member(), Actor(key=uuid4())
        credentials = {"secret": self.issue_password_link(team, helper), "password": "une autre phrase"}
        assert [choose_new_password(**credentials, by=by) for _ in range(2)] == [helper.account] * 2

    def test_new_password_link_invalidates_the_previous_one(self, team: Team) -> None:
        helper = team.add_member()
        first, second = self.issue_password_link(team, helper), self.issue_password_link(team, helper)
        assert find_open_invitation(first) is None
        assert find_open_invitation(second) is not None

    def test_password_link_is_refused_for_members_of_other_clubs(self, team: Team) -> None:
        helper, elsewhere = team.add_member(), Team()
        secret = self.issue_password_link(team, helper)
        elsewhere.add_member(Role.DESK, helper.account)
        assert find_open_invitation(secret) is None
        target = {"club_id": team.club.pk, "membership_id": helper.pk, "by": team.by}
        assert get_refusal_code(create_password_link, **target) == "member_of_other_clubs"
        make_owner(club=elsewhere.club, account=team.owner)
        assert find_open_invitation(self.issue_password_link(team, helper)) is not None

    def test_removed_member_invalidates_the_password_link(self, team: Team) -> None:
        helper = team.add_member()
        secret = self.issue_password_link(team, helper)
        remove_member(club_id=team.club.pk, membership_id=helper.pk)
        assert find_open_invitation(secret) is None

    def test_password_link_grants_no_role(self, team: Team) -> None:
        secret = self.issue_password_link(team, team.add_member())
        assert get_refusal_code(accept_invitation, secret=secret, account=build_account()) == "invitation_over"
        assert (
            get_refusal_code(choose_new_password, secret=team.create_invitation(), password=PASSWORD)
            == "invitation_over"
        )


class TestAccountChange:
    def test_account_changes_its_name_and_language(self) -> None:
        account = build_account("Denise Roy")
        for _ in range(2):
            change_account(account_id=account.pk, name=" Denise  Roy-Guy ", language="fr")
        assert authenticate(username="denise roy-guy", password=PASSWORD) == account

    def test_account_cannot_take_a_used_name(self) -> None:
        account = build_account("Denise Roy")
        build_account("Édith Roy")
        assert get_refusal_code(change_account, account_id=account.pk, name="edith ROY", language="fr") == "name_taken"

    def test_password_change_requires_the_current_password(self) -> None:
        account = build_account()
        wrong = get_refusal(change_password, account_id=account.pk, current="x", password="une autre phrase")
        assert (wrong.code, wrong.field) == ("current_password_wrong", "current")
        weak = get_refusal(change_password, account_id=account.pk, current=PASSWORD, password="1234")
        assert (weak.code, weak.field) == ("password_too_weak", "password")
        change_password(account_id=account.pk, current=PASSWORD, password="une autre phrase")
        assert authenticate(username=account.name, password="une autre phrase") == account
