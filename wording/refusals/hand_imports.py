"""What is said of hands that are brought in as a sheet."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HAND_SHEET_SENTENCES: dict[str, str | Promise] = {
    "sheet_without_hands": _("There is no hand in this file."),
    "no_match_at_table": _(
        "Nobody plays at table %(table)s in round %(round)s. Correct the round or the table."
    ),
    "hand_twice": _("This hand stands on line %(first)s already. Keep one of the two."),
    "hand_differs": _("Another hand is recorded there. Correct it at its table, or take this line out."),
    "formula_without_value": _(
        "The formula on line %(line)s, column %(column)s, has no value. Open the file in the spreadsheet, "
        "save it again, then choose it here."
    ),
}
