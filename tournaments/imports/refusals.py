"""Refusals about imported nights and lists of hands, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "sheet_empty": _("No entries in this file. Write one per line, below the column names."),
    "file_required": _("Choose a file first."),
    "night_refused": _("Nothing was imported. Correct these lines and try again."),
    "no_such_folder": _("The folder %(folder)s does not exist."),
    "file_missing": _("The file %(file)s is missing."),
    "file_twice": _("The zip contains %(file)s twice. Keep one."),
    "file_too_large": Answer(_("The file %(file)s is too large. Split it into smaller files."), 413),
    "files_too_large": Answer(_("Files too large: %(most)s MB at most."), 413),
    "not_a_zip": _("Unreadable zip. Choose the night’s four files instead."),
    "files_required": _("Choose night.json, entries.csv, tables.csv and hands.csv."),
    "not_utf8": _("Not UTF-8. Save the file as CSV UTF-8."),
    "not_json": Answer(_("This is not JSON."), 400),
    "malformed_csv": _("This line cannot be read. Check its quotation marks."),
    "number_expected": _("Enter a number from 1 to %(most)s."),
    "column_missing": _("This column is missing. Choose it among the columns, or add it to the first line."),
    "column_twice": _("This column appears twice. Keep one."),
    "entry_twice": _("Entry %(entry)s appears twice. Keep one."),
    "no_such_entry": _("Entry %(entry)s is not in entries.csv."),
    "seated_twice": _("Entry %(entry)s is seated twice in round %(round)s."),
    "table_twice": _("Table %(table)s appears twice in round %(round)s."),
    "no_such_table": _("Table %(table)s of round %(round)s is not in tables.csv."),
    "round_missing": _("Round %(round)s is missing."),
    "match_not_over": _("Unfinished match in an earlier round. Complete its hands."),
    "sheet_without_hands": _("This file contains no hands."),
    "no_match_at_table": _("No match at table %(table)s in round %(round)s. Correct one of them."),
    "hand_twice": _("This hand is already on line %(first)s. Remove one of the two."),
    "hand_differs": _("Another hand is there already. Correct it at its table or remove this line."),
    "formula_without_value": _(
        "Line %(line)s, column %(column)s: the formula has no value. Save the file again in your spreadsheet."
    ),
}
