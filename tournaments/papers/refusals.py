"""Refusals about papers, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "not_table_numbers": _("“%(value)s” is not a list of tables. Enter one like 1, 4-6."),
    "nothing_to_print": _("Nothing to print yet. Draw a round or choose another list."),
    "too_many_copies": _("Print 1 to %(most)s copies at a time."),
    "tables_not_in_round": _("These tables are not in round %(round)s. Check the numbers."),
}
