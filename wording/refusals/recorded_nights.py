"""Sentences of refusals about recorded nights, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

RECORDED_NIGHT_SENTENCES: dict[str, str | Promise] = {
    "night_refused": _("Nothing was imported. Correct these lines and try again."),
    "no_such_folder": _("The folder %(folder)s does not exist."),
    "file_missing": _("The file %(file)s is missing."),
    "file_twice": _("The zip contains %(file)s twice. Keep one."),
    "file_too_large": _("The file %(file)s is too large."),
    "files_too_large": _("Files too large: %(most)s MB at most."),
    "not_a_zip": _("Unreadable zip. Choose the night’s four files instead."),
    "files_required": _("Choose night.json, entries.csv, tables.csv and hands.csv."),
    "not_utf8": _("Not UTF-8. Save the file as CSV UTF-8."),
    "not_json": _("This is not JSON."),
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
}
