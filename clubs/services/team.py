"""The team of a club: invitations, roles, and leaving."""

from dataclasses import dataclass, replace

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import NOTE_LENGTH, Account, Club, ClubAction, Invitation, Membership, Role
from clubs.policy import ROLE_PERMISSIONS
from clubs.queries import list_team, owns_all_clubs_of, query_club_invitations, query_open_invitations
from errors import Refusal, get_or_refuse
from web.link_secrets import LINK_LIFETIME, generate_secret, hash_secret
from web.names import clean_text

from .accounts import build_account, check_password, list_guessable_names, save_new_account
from .changes import ClubChange, get_row, lock_club, validate_role


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationSecret:
    """An invitation with the secret of its link, which is shown only this once; "" for a repeated request."""

    invitation: Invitation
    secret: str


@transaction.atomic
def invite(*, club_id: int, role: str, note: str, by: Actor = NOBODY) -> InvitationSecret:
    """Create a link to a role; ``note`` says for whom. Safe to repeat with the same key.

    Refuses: no_such_choice, note_required, note_too_long.
    """
    role = validate_role(role)
    note = clean_text(note)
    if not note:
        raise Refusal("note_required", field="note")
    if len(note) > NOTE_LENGTH:
        raise Refusal("note_too_long", field="note", most=NOTE_LENGTH)
    change = ClubChange(club_id, "invite", by)
    if change.is_repeat:
        return _get_earlier_invitation(change)
    invitation_secret = _save_with_secret(Invitation(club=change.club, role=role, note=note), by)
    change.record(name=note, role=role)
    return invitation_secret


@transaction.atomic
def create_password_link(*, club_id: int, membership_id: int, by: Actor) -> InvitationSecret:
    """Create a link with which a member of the team chooses a new password. Earlier ones become invalid.

    The actor must own every club in which the member has a role. Safe to repeat with the same key. Refuses:
    no_such_member, member_of_other_clubs.
    """
    change = ClubChange(club_id, "hand_new_password", by)
    if change.is_repeat:
        return _get_earlier_invitation(change)
    member = get_member(change, membership_id)
    if not owns_all_clubs_of(by.account, member.account):
        raise Refusal("member_of_other_clubs", name=member.account.name)
    query_club_invitations(change.club).filter(account=member.account).update(revoked_at=timezone.now())
    name = member.account.name
    invitation_secret = _save_with_secret(Invitation(club=change.club, account=member.account, note=name), by)
    change.record(name=name)
    return invitation_secret


@transaction.atomic
def create_owner_password_links(*, club_id: int) -> list[InvitationSecret]:
    """Create a link to a new password for each owner who has none, by name. It serves the operator after a
    club came without passwords. An account that is in another club's team, or has a passkey, gets no link."""
    invitation_secret = []
    for owner in list_team(lock_club(club_id)):
        account = owner.account
        can_sign_in = account.has_usable_password() or account.passkeys.exists()
        if owner.role == Role.OWNER and not can_sign_in and account.memberships.count() == 1:
            change = ClubChange(club_id, "hand_new_password")
            invitation = Invitation(club=change.club, account=owner.account, note=owner.account.name)
            invitation_secret.append(_save_with_secret(invitation, Actor(account=owner.account)))
            change.record(name=owner.account.name)
    return invitation_secret


@transaction.atomic
def renew_invitation(*, club_id: int, invitation_id: int, by: Actor = NOBODY) -> InvitationSecret:
    """Replace a lost link by another one, valid for two weeks from now.

    Safe to repeat with the same key. Refuses: no_such_invitation.
    """
    change = ClubChange(club_id, "renew_invitation", by)
    if change.is_repeat:
        return _get_earlier_invitation(change)
    invitation = get_row(query_club_invitations(change.club), invitation_id, refusal_code="no_such_invitation")
    invitation_secret = _save_with_secret(invitation, by)
    change.record(name=invitation.note)
    return invitation_secret


@transaction.atomic
def revoke_invitation(*, club_id: int, invitation_id: int, by: Actor = NOBODY) -> None:
    """Revoke an invitation's link. Safe to repeat with the same key. Refuses: no_such_invitation."""
    change = ClubChange(club_id, "revoke_invitation", by)
    if not change.is_repeat:
        invitation = get_row(query_club_invitations(change.club), invitation_id, refusal_code="no_such_invitation")
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        change.record(name=invitation.note)


@transaction.atomic
def accept_invitation(*, secret: str, account: Account, by: Actor = NOBODY) -> Club:
    """Accept an invitation: the account gets the role, and the link is used up. Safe to repeat
    with the same key.

    Refuses: invitation_over, already_in_club for a role without more permissions than the present one.
    """
    _lock_club_of(secret)
    earlier = _find_earlier_action("join", by)
    if earlier is not None and earlier.account == account:
        return earlier.club
    invitation = get_valid_invitation(secret, is_for_role=True)
    change = ClubChange(invitation.club_id, "join", replace(by, account=account))
    member = change.club.memberships.filter(account=account).first()
    if member is None:
        change.add(Membership(club=change.club, account=account, role=invitation.role))
    elif ROLE_PERMISSIONS[Role(member.role)] < ROLE_PERMISSIONS[Role(invitation.role)]:
        change.update(member, role=invitation.role, since=timezone.now())
    else:
        raise Refusal("already_in_club", club=change.club.name)
    _mark_used(invitation)
    change.record(name=account.name, role=invitation.role)
    return change.club


def join_with_new_account(
    *, secret: str, name: str, password: str, language: str, by: Actor = NOBODY
) -> tuple[Account, Club]:
    """Accept an invitation with a new account. Safe to repeat with the same key.

    Refuses: invitation_over, what ``create_account`` refuses.
    """
    _check_link(secret, "join", by, is_for_role=True)
    account = build_account(name=name, password=password, language=language)
    with transaction.atomic():
        _lock_club_of(secret)
        earlier = _find_earlier_action("join", by)
        if earlier is None:
            get_valid_invitation(secret, is_for_role=True)
            save_new_account(account)
            return account, accept_invitation(secret=secret, account=account, by=by)
    return _get_earlier_account(earlier, password), earlier.club


def choose_new_password(*, secret: str, password: str, by: Actor = NOBODY) -> Account:
    """Set a new password with a link, which is then used up; the account's sessions end. Safe to repeat with
    the same key.

    Refuses: invitation_over, password_too_weak, password_of_names.
    """
    account = _check_link(secret, "choose_new_password", by, is_for_role=False)
    assert account is not None
    check_password(password, *list_guessable_names(account))
    hashed = make_password(password)
    with transaction.atomic():
        _lock_club_of(secret)
        earlier = _find_earlier_action("choose_new_password", by)
        if earlier is None:
            invitation = get_valid_invitation(secret, is_for_role=False)
            change = ClubChange(invitation.club_id, "choose_new_password", replace(by, account=account))
            account.password = hashed
            account.save(update_fields=["password"])
            _mark_used(invitation)
            change.record(name=account.name)
            return account
    return _get_earlier_account(earlier, password)


def _check_link(secret: str, kind: str, by: Actor, *, is_for_role: bool) -> Account | None:
    """Check that the link works, or that the same form has already used it, and return the account that the
    link is for. Refuses: invitation_over."""
    invitation = find_open_invitation(secret)
    if invitation is None and (earlier := _find_earlier_action(kind, by)) is not None:
        return earlier.account
    return _check_invitation(invitation, is_for_role=is_for_role).account


def _get_earlier_account(earlier: ClubAction, password: str) -> Account:
    """Return the account of what the same form has already done with this password. Refuses: invitation_over."""
    if earlier.account is None or not earlier.account.check_password(password):
        raise Refusal("invitation_over")
    return earlier.account


def get_valid_invitation(secret: str, *, is_for_role: bool) -> Invitation:
    """Return the valid invitation with this secret. Refuses: invitation_over."""
    return _check_invitation(find_open_invitation(secret), is_for_role=is_for_role)


def _check_invitation(invitation: Invitation | None, *, is_for_role: bool) -> Invitation:
    """Return the invitation if it is open and of this kind. Refuses: invitation_over."""
    if invitation is None or (invitation.account is None) is not is_for_role:
        raise Refusal("invitation_over")
    return invitation


def find_open_invitation(secret: str) -> Invitation | None:
    """Return the valid invitation with this secret; None for any other text. Two queries at most."""
    found = (
        query_open_invitations()
        .select_related("club", "account", "made_by")
        .filter(digest=hash_secret(secret), lasts_until__gt=timezone.now())
        .first()
    )
    if found is None or found.account is None or owns_all_clubs_of(found.made_by, found.account):
        return found
    return None


def _save_with_secret(invitation: Invitation, by: Actor) -> InvitationSecret:
    """Save the invitation with a new secret, valid from now."""
    secret = generate_secret()
    invitation.digest = hash_secret(secret)
    invitation.made_at = timezone.now()
    invitation.lasts_until = invitation.made_at + LINK_LIFETIME
    invitation.made_by = by.account
    invitation.key = by.key
    invitation.save()
    return InvitationSecret(invitation=invitation, secret=secret)


def _get_earlier_invitation(change: ClubChange) -> InvitationSecret:
    """Return the invitation of an earlier request with this key, without its secret.

    Refuses: no_such_invitation, if it was renewed or used since.
    """
    invitation_secret = get_or_refuse(change.club.invitations.filter(key=change.by.key).first(), "no_such_invitation")
    return InvitationSecret(invitation=invitation_secret, secret="")


def _lock_club_of(secret: str) -> None:
    """Lock the club of the invitation, so that concurrent uses of a link wait."""
    found = Invitation.objects.filter(digest=hash_secret(secret)).first()
    if found is not None:
        lock_club(found.club_id)


def _find_earlier_action(kind: str, by: Actor) -> ClubAction | None:
    """Return what the same form has already done, if anything."""
    if by.key is None:
        return None
    return ClubAction.objects.select_related("club", "account").filter(key=by.key, kind=kind).first()


def _mark_used(invitation: Invitation) -> None:
    invitation.used_at = timezone.now()
    invitation.save(update_fields=["used_at"])


@transaction.atomic
def change_role(*, club_id: int, membership_id: int, role: str, by: Actor = NOBODY) -> None:
    """Change a member's role. Safe to repeat.

    Refuses: no_such_member, no_such_choice, last_owner.
    """
    role = validate_role(role)
    change = ClubChange(club_id, "change_role", by)
    if change.is_repeat:
        return
    member = get_member(change, membership_id)
    if member.role != role:
        old_role = member.role
        change.update(member, role=role, since=timezone.now())
        change.record(name=member.account.name, was=old_role, role=role)


@transaction.atomic
def remove_member(*, club_id: int, membership_id: int, by: Actor = NOBODY) -> None:
    """Remove a member from the team. Safe to repeat with the same key.

    Refuses: no_such_member, last_owner.
    """
    change = ClubChange(club_id, "remove_member", by)
    if not change.is_repeat:
        _remove_membership(change, get_member(change, membership_id))


@transaction.atomic
def leave_club(*, club_id: int, account: Account, by: Actor = NOBODY) -> None:
    """Give up one's own role in the club. Safe to repeat. Refuses: last_owner."""
    change = ClubChange(club_id, "leave_club", by)
    member = change.club.memberships.select_related("account").filter(account=account).first()
    if member is not None:
        _remove_membership(change, member)


def _remove_membership(change: ClubChange, member: Membership) -> None:
    """Remove the role, and revoke open links to a new password for that account."""
    change.club.invitations.filter(account=member.account, used_at=None).update(revoked_at=timezone.now())
    change.remove(member)
    change.record(name=member.account.name, role=member.role)


def get_member(change: ClubChange, membership_id: int) -> Membership:
    """Return the member with this id. Refuses: no_such_member."""
    members = change.club.memberships.select_related("account")
    return get_row(members, membership_id, refusal_code="no_such_member")
