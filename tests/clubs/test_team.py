"""Roles, invitations and lost passwords in a club, which always has an owner."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import authenticate
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Account, Club, Invitation, Membership, Role
from clubs.queries import members_of, open_invitations_of, role_in
from clubs.services import (
    accept_invitation,
    change_account,
    change_password,
    change_role,
    choose_new_password,
    hand_new_password,
    invite,
    join_with_new_account,
    leave_club,
    make_owner,
    open_invitation,
    remove_member,
    renew_invitation,
    revoke_invitation,
    undo_club_action,
)
from tests.builders import PASSWORD, a_club, an_account, code_of, refusal_of

pytestmark = pytest.mark.django_db


class Team:
    """A club, its owner, and whoever is given a role."""

    def __init__(self) -> None:
        self.owner = an_account()
        self.club: Club = a_club(owner=self.owner)
        self.by = Actor(account=self.owner)

    def somebody(self, role: Role = Role.DESK, account: Account | None = None) -> Membership:
        account = account or an_account()
        return Membership.objects.create(club=self.club, account=account, role=role)

    def invited(self, role: str = Role.DESK) -> str:
        return invite(club_id=self.club.pk, role=role, note="Noëlla", by=self.by).secret

    def undo_last(self) -> None:
        undo_club_action(club_id=self.club.pk, action_id=self.club.actions.latest("pk").pk)

    def owners_membership(self) -> int:
        return Membership.objects.get(club=self.club, account=self.owner).pk


@pytest.fixture
def team() -> Team:
    return Team()


def grown_old(secret: str) -> None:
    """Two weeks go by."""
    invitation = open_invitation(secret)
    assert invitation is not None
    invitation.lasts_until = timezone.now() - timedelta(seconds=1)
    invitation.save()


class TestARole:
    def test_is_changed_and_the_change_undone(self, team: Team) -> None:
        helper = team.somebody()
        since = helper.since
        change_role(club_id=team.club.pk, membership_id=helper.pk, role=Role.DIRECTOR, by=team.by)
        helper.refresh_from_db()
        assert (helper.role, helper.since > since) == (Role.DIRECTOR, True)
        team.undo_last()
        helper.refresh_from_db()
        assert (helper.role, helper.since) == (Role.DESK, since)

    def test_that_stays_the_same_leaves_no_line_in_the_history(self, team: Team) -> None:
        helper = team.somebody()
        change_role(club_id=team.club.pk, membership_id=helper.pk, role=Role.DESK, by=team.by)
        assert not team.club.actions.exists()

    def test_is_taken_away_and_given_back(self, team: Team) -> None:
        helper = team.somebody()
        remove_member(club_id=team.club.pk, membership_id=helper.pk, by=team.by)
        assert role_in(helper.account, team.club.pk) is None
        team.undo_last()
        assert role_in(helper.account, team.club.pk) == Role.DESK

    def test_is_given_up_by_whoever_has_it(self, team: Team) -> None:
        helper = team.somebody()
        for _ in range(2):
            leave_club(club_id=team.club.pk, account=helper.account)
        assert role_in(helper.account, team.club.pk) is None
        assert team.club.actions.count() == 1

    def test_of_the_last_owner_stays(self, team: Team) -> None:
        pk, club = team.owners_membership(), team.club.pk
        team.somebody(Role.DIRECTOR)
        assert code_of(change_role, club_id=club, membership_id=pk, role=Role.DIRECTOR) == "last_owner"
        assert code_of(remove_member, club_id=club, membership_id=pk) == "last_owner"
        assert code_of(leave_club, club_id=club, account=team.owner) == "last_owner"
        assert role_in(team.owner, club) == Role.OWNER

    def test_of_the_last_owner_stays_when_something_is_undone(self, team: Team) -> None:
        other = team.somebody()
        change_role(club_id=team.club.pk, membership_id=other.pk, role=Role.OWNER)
        made = team.club.actions.latest("pk")
        leave_club(club_id=team.club.pk, account=team.owner)
        assert code_of(undo_club_action, club_id=team.club.pk, action_id=made.pk) == "last_owner"

    def test_is_changed_once_by_one_form(self, team: Team) -> None:
        helper, by = team.somebody(), Actor(account=team.owner, key=uuid4())
        for _ in range(2):
            change_role(club_id=team.club.pk, membership_id=helper.pk, role=Role.DIRECTOR, by=by)
            remove_member(club_id=team.club.pk, membership_id=helper.pk, by=by)
        assert team.club.actions.count() == 1

    def test_is_one_that_there_is_of_somebody_who_has_one_here(self, team: Team) -> None:
        stranger = Team().owners_membership()
        asked = {"club_id": team.club.pk, "membership_id": stranger}
        assert code_of(change_role, **asked, role=Role.DESK) == "no_such_member"
        assert code_of(remove_member, **asked) == "no_such_member"
        assert code_of(change_role, **asked, role="king") == "no_such_choice"

    def test_stands_in_the_list_owners_first(self, team: Team) -> None:
        team.somebody(Role.DESK), team.somebody(Role.DIRECTOR)
        assert [member.role for member in members_of(team.club)] == [Role.OWNER, Role.DIRECTOR, Role.DESK]


class TestAnInvitation:
    def test_is_known_by_a_digest_only(self, team: Team) -> None:
        secret = team.invited()
        kept = Invitation.objects.get()
        assert open_invitation(secret) == kept
        assert secret not in str(Invitation.objects.values()) + str(team.club.actions.values())
        assert open_invitation(kept.digest) is None

    def test_gives_the_role_once(self, team: Team) -> None:
        secret, somebody, other = team.invited(Role.DIRECTOR), an_account(), an_account()
        assert accept_invitation(secret=secret, account=somebody) == team.club
        assert role_in(somebody, team.club.pk) == Role.DIRECTOR
        assert code_of(accept_invitation, secret=secret, account=other) == "invitation_over"
        assert role_in(other, team.club.pk) is None

    def test_gives_it_with_a_new_account(self, team: Team) -> None:
        account, club = join_with_new_account(
            secret=team.invited(), name="Noëlla Guy", password=PASSWORD, language="fr"
        )
        assert (club, role_in(account, club.pk)) == (team.club, Role.DESK)
        assert authenticate(username="noella guy", password=PASSWORD) == account

    def test_is_accepted_once_by_a_form_that_is_sent_twice(self, team: Team) -> None:
        secret, account, by = team.invited(), an_account(), Actor(key=uuid4())
        clubs = [accept_invitation(secret=secret, account=account, by=by) for _ in range(2)]
        assert clubs == [team.club, team.club]
        said = {"secret": team.invited(), "name": "Anne A", "password": PASSWORD, "language": "fr"}
        by = Actor(key=uuid4())
        assert join_with_new_account(**said, by=by) == join_with_new_account(**said, by=by)
        refused = said | {"password": "une autre phrase"}
        assert code_of(join_with_new_account, **refused, by=by) == "invitation_over"

    def test_with_a_name_that_is_taken_is_still_good(self, team: Team) -> None:
        secret = team.invited()
        said = {"name": team.owner.name, "password": PASSWORD, "language": "fr"}
        assert code_of(join_with_new_account, secret=secret, **said) == "name_taken"
        assert open_invitation(secret) is not None

    def test_raises_a_role_and_lowers_none(self, team: Team) -> None:
        helper = team.somebody(Role.DESK)
        accept_invitation(secret=team.invited(Role.DIRECTOR), account=helper.account)
        assert role_in(helper.account, team.club.pk) == Role.DIRECTOR
        for account in (helper.account, team.owner):
            secret = team.invited(Role.DESK)
            assert code_of(accept_invitation, secret=secret, account=account) == "already_in_club"
            assert open_invitation(secret) is not None

    @pytest.mark.parametrize("how", ["old", "revoked", "renewed"])
    def test_that_is_old_taken_back_or_made_anew_opens_nothing(self, team: Team, how: str) -> None:
        secret, account = team.invited(), an_account()
        (invitation,) = open_invitations_of(team.club)
        asked: dict[str, Any] = {"club_id": team.club.pk, "invitation_id": invitation.pk}
        anew = None
        if how == "old":
            grown_old(secret)
        elif how == "revoked":
            revoke_invitation(**asked)
        else:
            anew = renew_invitation(**asked).secret
        assert code_of(accept_invitation, secret=secret, account=account) == "invitation_over"
        if anew:
            assert accept_invitation(secret=anew, account=account) == team.club

    @pytest.mark.parametrize("how", ["taken out", "lowered"])
    def test_of_an_owner_who_is_one_no_more_opens_nothing(self, team: Team, how: str) -> None:
        secret = team.invited(Role.OWNER)
        team.somebody(Role.OWNER)
        where: dict[str, Any] = {"club_id": team.club.pk, "membership_id": team.owners_membership()}
        if how == "taken out":
            remove_member(**where)
        else:
            change_role(**where, role=Role.DIRECTOR)
        assert code_of(accept_invitation, secret=secret, account=team.owner) == "invitation_over"
        assert not open_invitations_of(team.club).exists()

    def test_that_grew_old_is_made_anew(self, team: Team) -> None:
        secret = team.invited()
        grown_old(secret)
        (invitation,) = open_invitations_of(team.club)
        anew = renew_invitation(club_id=team.club.pk, invitation_id=invitation.pk).secret
        assert open_invitation(anew) == invitation

    def test_is_made_once_by_one_form_and_its_link_is_told_once(self, team: Team) -> None:
        by = Actor(account=team.owner, key=uuid4())
        first, again = (invite(club_id=team.club.pk, role=Role.DESK, note="N", by=by) for _ in range(2))
        assert first.invitation == again.invitation
        assert (bool(first.secret), again.secret) == (True, "")

    def test_is_for_somebody_and_a_role_that_there_is(self, team: Team) -> None:
        assert code_of(invite, club_id=team.club.pk, role="king", note="N") == "no_such_choice"
        assert refusal_of(invite, club_id=team.club.pk, role="desk", note=" ").field == "note"
        assert code_of(invite, club_id=team.club.pk, role="desk", note="x" * 81) == "note_too_long"

    def test_of_another_club_is_nobody_elses_to_change(self, team: Team) -> None:
        team.invited()
        asked = {"club_id": Team().club.pk, "invitation_id": Invitation.objects.get().pk}
        assert code_of(revoke_invitation, **asked) == "no_such_invitation"
        assert code_of(renew_invitation, **asked) == "no_such_invitation"

    def test_that_was_accepted_is_undone_as_a_role(self, team: Team) -> None:
        somebody = an_account()
        accept_invitation(secret=team.invited(), account=somebody)
        team.undo_last()
        assert role_in(somebody, team.club.pk) is None


class TestALostPassword:
    def handed(self, team: Team, helper: Membership) -> str:
        return hand_new_password(club_id=team.club.pk, membership_id=helper.pk, by=team.by).secret

    def test_is_replaced_by_whoever_opens_the_link(self, team: Team) -> None:
        helper = team.somebody()
        secret = self.handed(team, helper)
        assert choose_new_password(secret=secret, password="une autre phrase") == helper.account
        assert authenticate(username=helper.account.name, password="une autre phrase") == helper.account
        assert authenticate(username=helper.account.name, password=PASSWORD) is None
        assert code_of(choose_new_password, secret=secret, password=PASSWORD) == "invitation_over"

    def test_is_not_replaced_by_a_weak_one(self, team: Team) -> None:
        secret = self.handed(team, team.somebody())
        assert code_of(choose_new_password, secret=secret, password="1234") == "password_too_weak"
        assert open_invitation(secret) is not None

    def test_is_replaced_once_by_a_form_that_is_sent_twice(self, team: Team) -> None:
        helper, by = team.somebody(), Actor(key=uuid4())
        said = {"secret": self.handed(team, helper), "password": "une autre phrase"}
        assert [choose_new_password(**said, by=by) for _ in range(2)] == [helper.account] * 2

    def test_has_one_link_at_a_time(self, team: Team) -> None:
        helper = team.somebody()
        first, second = self.handed(team, helper), self.handed(team, helper)
        assert open_invitation(first) is None
        assert open_invitation(second) is not None

    def test_of_somebody_with_a_role_elsewhere_is_not_this_clubs_to_replace(self, team: Team) -> None:
        helper, elsewhere = team.somebody(), Team()
        secret = self.handed(team, helper)
        elsewhere.somebody(Role.DESK, helper.account)
        assert open_invitation(secret) is None
        asked = {"club_id": team.club.pk, "membership_id": helper.pk, "by": team.by}
        assert code_of(hand_new_password, **asked) == "member_of_other_clubs"
        make_owner(club=elsewhere.club, account=team.owner)
        assert open_invitation(self.handed(team, helper)) is not None

    def test_of_somebody_who_has_gone_is_not_replaced_any_more(self, team: Team) -> None:
        helper = team.somebody()
        secret = self.handed(team, helper)
        remove_member(club_id=team.club.pk, membership_id=helper.pk)
        assert open_invitation(secret) is None

    def test_is_no_way_to_a_role_and_a_role_no_way_to_a_password(self, team: Team) -> None:
        secret = self.handed(team, team.somebody())
        assert code_of(accept_invitation, secret=secret, account=an_account()) == "invitation_over"
        assert code_of(choose_new_password, secret=team.invited(), password=PASSWORD) == "invitation_over"


class TestAnAccount:
    def test_changes_its_name_and_language(self) -> None:
        account = an_account("Denise Roy")
        for _ in range(2):
            change_account(account_id=account.pk, name=" Denise  Roy-Guy ", language="fr")
        assert authenticate(username="denise roy-guy", password=PASSWORD) == account

    def test_takes_nobody_elses_name(self) -> None:
        account = an_account("Denise Roy")
        an_account("Édith Roy")
        assert code_of(change_account, account_id=account.pk, name="edith ROY", language="fr") == "name_taken"

    def test_changes_its_password_if_it_knows_it(self) -> None:
        account = an_account()
        wrong = refusal_of(change_password, account_id=account.pk, current="x", password="une autre phrase")
        assert (wrong.code, wrong.field) == ("current_password_wrong", "current")
        weak = refusal_of(change_password, account_id=account.pk, current=PASSWORD, password="1234")
        assert (weak.code, weak.field) == ("password_too_weak", "password")
        change_password(account_id=account.pk, current=PASSWORD, password="une autre phrase")
        assert authenticate(username=account.name, password="une autre phrase") == account
