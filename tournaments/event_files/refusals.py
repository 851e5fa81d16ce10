"""Refusals about event files, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "not_an_event_file": _("Not a Charlemagne event file. Choose another."),
    "event_file_too_large": _("File too large: at most %(most)s MB. Choose another."),
    "event_file_broken": _("File damaged or cut off at line %(line)s. Use another copy."),
    "event_file_version": _(
        "This program reads format %(known)s, not %(version)s. Use the Charlemagne that made this file."
    ),
    "event_file_part_missing": _("“%(part)s” is missing. Use another copy."),
    "part_unknown": _("“%(part)s” does not belong here. Use another copy."),
    "part_twice": _("“%(part)s” is duplicated in this file. Use another copy."),
    "part_wrong": _("“%(value)s” is not valid for “%(part)s”. Use another copy."),
    "part_not_whole": _("“%(value)s” is not a whole number. Use another copy."),
    "namesakes_untold": _("Old file: two people are named “%(name)s”. Export it again with a newer Charlemagne."),
    "event_file_differs": _("Recalculated, this file gives other results. Nothing was imported."),
    "event_file_unsound": _("“%(part)s” is inconsistent. Nothing was imported. Use another copy."),
    "not_a_log": _("No club results log at %(place)s. Check the address."),
    "no_answer_there": _("No answer from %(place)s. Check the address and network."),
    "choose_who": _("Choose whether %(name)s is already in the club."),
    "same_person_twice": _("%(name)s is chosen twice. Choose someone else, or someone new."),
    "record_not_plain": _("Invalid hand data. Use another copy of the file."),
}
