"""Sentences of refusals about hands imported from a sheet, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HAND_SHEET_SENTENCES: dict[str, str | Promise] = {
    "sheet_without_hands": _("This file contains no hands."),
    "no_match_at_table": _("No match at table %(table)s in round %(round)s. Correct one of them."),
    "hand_twice": _("This hand is already on line %(first)s. Remove one of the two."),
    "hand_differs": _("Another hand is there already. Correct it at its table or remove this line."),
    "formula_without_value": _(
        "Line %(line)s, column %(column)s: the formula has no value. Save the file again in your spreadsheet."
    ),
}
