"""What is known of clubs and of who may do what."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from .models import Account, Club, HouseRules, Membership, Role

_MAY_DIRECT = (Role.OWNER, Role.DIRECTOR)


def clubs_of(account: Account | AnonymousUser) -> QuerySet[Club]:
    """The clubs that this account has a role in; none for somebody who is not signed in."""
    if not isinstance(account, Account):
        return Club.objects.none()
    return Club.objects.filter(memberships__account=account).order_by("name")


def may_direct(account: Account | AnonymousUser, club_id: int) -> bool:
    """Whether this account draws, corrects and rules in the club."""
    if not isinstance(account, Account):
        return False
    return Membership.objects.filter(account=account, club_id=club_id, role__in=_MAY_DIRECT).exists()


def house_rules_of(club: Club) -> QuerySet[HouseRules]:
    """The club's own ways of playing, by name. One query."""
    return club.house_rules.filter(is_removed=False)


def removed_house_rules_of(club: Club) -> QuerySet[HouseRules]:
    """Those that could be put back. One query."""
    return club.house_rules.filter(is_removed=True)
