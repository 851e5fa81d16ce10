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
from .club_file import take_club_file
from .clubs import create_club, unused_slug
from .dues import PeriodDetails, ask_dues, change_dues, pay_dues, record_dues
from .house_rules import change_house_rules, create_house_rules, put_back_house_rules, remove_house_rules
from .invitations import (
    Handed,
    accept_invitation,
    choose_new_password,
    hand_new_password,
    hand_owners_passwords,
    invite,
    join_with_new_account,
    open_invitation,
    renew_invitation,
    revoke_invitation,
)
from .mailed_links import (
    ask_address,
    ask_sign_in_link,
    confirm_address,
    forget_address,
    open_link,
    open_with_link,
)
from .passkeys import add_passkey, open_with_passkey, remove_passkey, rename_passkey
from .people import (
    PersonDetails,
    add_person,
    change_person,
    check_not_anonymized,
    find_or_add_people,
)
from .people_lists import bring_in_people, checked_list, import_people
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
from .tries import begin_try, end_try, mail_tries, password_tries, tries_from
from .usual_nights import keep_usual_night, remove_usual_night, rename_usual_night

__all__ = [
    "ClubChange",
    "Handed",
    "IncidentDetails",
    "NightDetails",
    "PeriodDetails",
    "PersonDetails",
    "PrivacySettings",
    "accept_invitation",
    "add_incident",
    "add_passkey",
    "add_person",
    "add_recurring_night",
    "ask_address",
    "ask_dues",
    "ask_sign_in_link",
    "begin_try",
    "bring_in_people",
    "cancel_date",
    "change_account",
    "change_dues",
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
    "confirm_address",
    "create_account",
    "create_club",
    "create_house_rules",
    "end_try",
    "find_or_add_people",
    "forget_address",
    "hand_new_password",
    "hand_owners_passwords",
    "import_people",
    "invite",
    "is_weak",
    "join_with_new_account",
    "keep_person",
    "keep_usual_night",
    "leave_club",
    "mail_tries",
    "make_owner",
    "move_date",
    "open_invitation",
    "open_link",
    "open_with_link",
    "open_with_passkey",
    "password_tries",
    "pay_dues",
    "put_back_house_rules",
    "record_dues",
    "remove_house_rules",
    "remove_member",
    "remove_passkey",
    "remove_recurring_night",
    "remove_usual_night",
    "rename_passkey",
    "rename_usual_night",
    "renew_invitation",
    "restore_date",
    "revoke_invitation",
    "start_club",
    "take_club_file",
    "tries_from",
    "undo_club_action",
    "unused_slug",
]
