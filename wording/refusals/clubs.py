"""What refusals about clubs and people say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CLUB_SENTENCES: dict[str, str | Promise] = {
    "form_refused": _("Nothing was changed. Correct the marked fields."),
    "link_used": _("This link has served already. Sign in with your name and password."),
    "name_required": _("Write the name."),
    "name_too_long": _("This name is too long: %(most)s characters at most."),
    "name_taken": _("Somebody signs in as “%(name)s” already. Add something to tell you apart."),
    "password_too_weak": _("Choose a password of 8 characters or more, not all digits and not a common one."),
    "club_name_required": _("Write the name of the club."),
    "no_such_club": _("This club is no longer there. Look at the first page."),
    "no_such_house_rules": _("These house rules are no longer there. Look at the list again."),
    "house_rules_name_taken": _("There are house rules named “%(name)s” already. Give these another name."),
    "house_rules_removed": _("These house rules were removed meanwhile. Choose others, or put them back."),
    "forced_bid_required": _("Write the least number that the dealer must bid."),
    "way_required": _("Keep one way of playing this contract at least."),
    "wrong_password": _("Name and password do not go together. Try again."),
}
