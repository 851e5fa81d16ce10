"""Files of lists in words: what their columns are called, and refusals about workbooks."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules import Refusal

SHEET_SENTENCES: dict[str, str | Promise] = {
    "several_sheets": _("This file has several tabs: %(names)s. Choose one."),
    "sheet_too_long": _("This tab has more than %(most)s lines. Keep only the list."),
    "list_too_long": _("This list has %(lines)s lines; the limit is %(most)s. Split it."),
    "old_workbook": _("Old or locked Excel file. Save it as .xlsx without a password, or CSV."),
    "not_a_workbook": _("%(file)s cannot be read. Save it as .xlsx, .ods or CSV."),
    "workbooks_wait": _("The server is busy. Send the file again in a minute."),
    "workbook_too_large": _("%(file)s is too large. Keep only the tab with the list."),
}

COLUMNS: Mapping[str, str | Promise] = {
    "name": pgettext_lazy("a column of a file", "Name"),
    "contact": pgettext_lazy("a column of a file", "Contact"),
    "family": pgettext_lazy("a column of a file", "Family"),
    "labels": pgettext_lazy("a column of a file", "Groups"),
    "player_1": pgettext_lazy("a column of a file", "Player 1"),
    "player_2": pgettext_lazy("a column of a file", "Player 2"),
    "section": pgettext_lazy("a column of a file", "Section"),
    "team": pgettext_lazy("a column of a file", "Team"),
    "rating": pgettext_lazy("a column of a file", "Rating"),
    "apart": pgettext_lazy("a column of a file", "Keep apart from"),
    "round": pgettext_lazy("a column of a file", "Round"),
    "table": pgettext_lazy("a column of a file", "Table"),
    "hand": pgettext_lazy("a column of a file", "Hand"),
    "side": pgettext_lazy("a column of a file", "Side"),
    "contract": pgettext_lazy("a column of a file", "Contract"),
    "tricks": pgettext_lazy("a column of a file", "Tricks"),
}
"""What a file may call each column, in the reader's language."""


def column_name(refusal: Refusal) -> str:
    """The column that a refusal is about, as the file calls it; or as it may, where it is missing."""
    heading, name = refusal.details.get("heading"), refusal.field or ""
    return str(heading or COLUMNS.get(name, name))
