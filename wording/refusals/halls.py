"""From code to sentence: refusals about what is printed for the hall."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HALL_SENTENCES: dict[str, str | Promise] = {
    "not_table_numbers": _("“%(value)s” is no list of tables. Write it like 1, 4-6."),
    "nobody_in_the_hat": _("Nobody is left to draw. Check in those who are here first."),
    "prize_too_long": _("Write %(most)s characters at most."),
    "nothing_to_print": _("There is nothing to print of this yet. Draw a round first, or take another list."),
    "too_many_copies": _("From 1 to %(most)s copies can be printed at a time."),
    "tables_not_in_round": _("Round %(round)s has no table of these numbers. Look at them again."),
}
