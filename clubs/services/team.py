"""Changes of a club's team: roles, and members who leave. A club always has an owner."""

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Account, Membership

from .changes import ClubChange
from .validators import get_row, validate_role


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
