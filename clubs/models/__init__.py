"""Clubs, who runs them, who plays in them, which evenings come again, and what was done to them."""

from .accounts import Account, Membership, Role
from .clubs import Club, HouseRules, PublicNames
from .history import ORIGIN_LENGTH, ClubAction
from .incidents import TOLD_LENGTH, Incident, Risk
from .invitations import NOTE_LENGTH, Invitation
from .nights import PLACE_LENGTH, ChangedDate, Pattern, RecurringNight, UsualNight
from .people import Family, Person

__all__ = [
    "NOTE_LENGTH",
    "ORIGIN_LENGTH",
    "PLACE_LENGTH",
    "TOLD_LENGTH",
    "Account",
    "ChangedDate",
    "Club",
    "ClubAction",
    "Family",
    "HouseRules",
    "Incident",
    "Invitation",
    "Membership",
    "Pattern",
    "Person",
    "PublicNames",
    "RecurringNight",
    "Risk",
    "Role",
    "UsualNight",
]
