"""Sentences of refusals about clubs and people, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CLUB_SENTENCES: dict[str, str | Promise] = {
    "club_disk_full": _(
        "The club’s disk space (%(most)s MB) is full. Wait until old files expire, or ask the operator."
    ),
    "form_refused": _("Nothing was saved. Correct the marked fields."),
    "link_used": _("Link already used. Sign in with your name and password."),
    "name_required": _("Enter a name."),
    "name_too_long": _("Name too long: at most %(most)s characters."),
    "name_taken": _("“%(name)s” is taken. Add something to it."),
    "password_of_names": _("The password has only your name or the club’s. Add other words."),
    "password_too_weak": _("Choose at least 8 characters, not all digits and not a common password."),
    "club_name_required": _("Enter the club’s name."),
    "no_such_club": _("This club no longer exists. Go to the home page."),
    "no_such_house_rules": _("These house rules no longer exist. Check the list."),
    "house_rules_name_taken": _("House rules “%(name)s” already exist. Choose another name."),
    "house_rules_removed": _("House rules removed. Choose others, or restore them."),
    "forced_bid_required": _("Enter the dealer’s minimum bid."),
    "way_required": _("Choose at least one way to play."),
    "wrong_password": _("Wrong name or password. Try again."),
}
