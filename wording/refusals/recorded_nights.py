"""What refusals about recorded nights say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

RECORDED_NIGHT_SENTENCES: dict[str, str | Promise] = {
    "night_refused": _("Nothing was imported. Correct these lines, then try again."),
    "no_such_folder": _("There is no folder %(folder)s."),
    "file_missing": _("The file %(file)s is missing."),
    "file_twice": _("The file %(file)s is in the zip twice. Keep one of them."),
    "file_too_large": _("The file %(file)s is too large."),
    "files_too_large": _("These files are too large: %(most)s MB at most. A night has less than one."),
    "not_a_zip": _("This zip file cannot be opened. Choose the night’s four files instead."),
    "files_required": _("Choose the night’s files: night.json, entries.csv, tables.csv and hands.csv."),
    "not_utf8": _("A letter here is not UTF-8. Save the file as CSV UTF-8, then try again."),
    "not_json": _("This is not JSON."),
    "malformed_csv": _("This line cannot be read: look at its quotation marks."),
    "number_expected": _("Write a number from 1 to %(most)s here, in digits."),
    "column_missing": _("The column is missing. Name it in the first line."),
    "column_twice": _("The column is there twice. Keep one of them."),
    "entry_twice": _("Entry %(entry)s is there twice."),
    "no_such_entry": _("There is no entry %(entry)s in entries.csv."),
    "seated_twice": _("Entry %(entry)s sits twice in round %(round)s."),
    "table_twice": _("Table %(table)s is there twice in round %(round)s."),
    "no_such_table": _("Table %(table)s of round %(round)s is not in tables.csv."),
    "round_missing": _("Round %(round)s is missing."),
    "match_not_over": _("The hands do not end the match, and a later round was played."),
}
