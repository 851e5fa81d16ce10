"""Clubs, who runs them, how they sign in, who plays, which evenings come again, and what was done."""

from .accounts import Account, Membership, Role
from .clubs import Club, HouseRules, PublicNames, club_topic
from .dues import Dues, DuesPeriod
from .history import ORIGIN_LENGTH, ClubAction, HistoryRow
from .incidents import TOLD_LENGTH, Incident, Risk
from .invitations import NOTE_LENGTH, Invitation
from .nights import PLACE_LENGTH, ChangedDate, Pattern, RecurringNight, UsualNight
from .people import Family, Person
from .signing_in import LinkPurpose, MailedLink, Passkey, Tries

__all__ = [
    "NOTE_LENGTH",
    "ORIGIN_LENGTH",
    "PLACE_LENGTH",
    "TOLD_LENGTH",
    "Account",
    "ChangedDate",
    "Club",
    "ClubAction",
    "Dues",
    "DuesPeriod",
    "Family",
    "HistoryRow",
    "HouseRules",
    "Incident",
    "Invitation",
    "LinkPurpose",
    "MailedLink",
    "Membership",
    "Passkey",
    "Pattern",
    "Person",
    "PublicNames",
    "RecurringNight",
    "Risk",
    "Role",
    "Tries",
    "UsualNight",
    "club_topic",
]
