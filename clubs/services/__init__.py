"""Every change of people and clubs goes through here."""

from .accounts import change_account, change_password, create_account, is_weak, make_owner, start_club
from .calendar import (
    NightDetails,
    add_recurring_night,
    cancel_date,
    change_recurring_night,
    move_date,
    remove_recurring_night,
    restore_date,
)
from .changes import ClubChange, undo_club_action
from .clubs import create_club, unused_slug
from .house_rules import change_house_rules, create_house_rules, put_back_house_rules, remove_house_rules
from .invitations import (
    Handed,
    accept_invitation,
    choose_new_password,
    hand_new_password,
    invite,
    join_with_new_account,
    open_invitation,
    renew_invitation,
    revoke_invitation,
)
from .people import (
    PersonDetails,
    add_person,
    change_person,
    check_not_anonymized,
    checked_list,
    find_or_add_people,
    import_people,
)
from .privacy import (
    IncidentDetails,
    PrivacySettings,
    add_incident,
    change_incident,
    change_privacy,
    close_incident,
    keep_person,
)
from .team import change_role, leave_club, remove_member
from .usual_nights import keep_usual_night, remove_usual_night, rename_usual_night

__all__ = [
    "ClubChange",
    "Handed",
    "IncidentDetails",
    "NightDetails",
    "PersonDetails",
    "PrivacySettings",
    "accept_invitation",
    "add_incident",
    "add_person",
    "add_recurring_night",
    "cancel_date",
    "change_account",
    "change_house_rules",
    "change_incident",
    "change_password",
    "change_person",
    "change_privacy",
    "change_recurring_night",
    "change_role",
    "check_not_anonymized",
    "checked_list",
    "choose_new_password",
    "close_incident",
    "create_account",
    "create_club",
    "create_house_rules",
    "find_or_add_people",
    "hand_new_password",
    "import_people",
    "invite",
    "is_weak",
    "join_with_new_account",
    "keep_person",
    "keep_usual_night",
    "leave_club",
    "make_owner",
    "move_date",
    "open_invitation",
    "put_back_house_rules",
    "remove_house_rules",
    "remove_member",
    "remove_recurring_night",
    "remove_usual_night",
    "rename_usual_night",
    "renew_invitation",
    "restore_date",
    "revoke_invitation",
    "start_club",
    "undo_club_action",
    "unused_slug",
]
