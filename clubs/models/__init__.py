"""Clubs, who runs them, how they sign in, who plays, which evenings come again, and what was done."""

from .accounts import Account, Membership, Role
from .clubs import Club, HouseRules
from .dues import Dues, DuesPeriod
from .history import ORIGIN_LENGTH, ClubAction
from .invitations import NOTE_LENGTH, Invitation
from .nights import PLACE_LENGTH, ChangedDate, Pattern, RecurringNight, UsualNight
from .people import Family, Person
from .signing_in import LinkPurpose, MailedLink, Passkey, Tries

__all__ = [
    "NOTE_LENGTH",
    "ORIGIN_LENGTH",
    "PLACE_LENGTH",
    "Account",
    "ChangedDate",
    "Club",
    "ClubAction",
    "Dues",
    "DuesPeriod",
    "Family",
    "HouseRules",
    "Invitation",
    "LinkPurpose",
    "MailedLink",
    "Membership",
    "Passkey",
    "Pattern",
    "Person",
    "RecurringNight",
    "Role",
    "Tries",
    "UsualNight",
]
