"""What is said of an installation: how it is, and what to do where it is not well."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from clubs.day_words import day_written
from rules import Refusal
from wording.sentences import sentence
from wording.sizes import size_in_words

FINDINGS: dict[str, str | Promise] = {
    "versions": _("Charlemagne %(version)s, Python %(python)s."),
    "disk": _("%(free)s are free on the disk."),
    "disk_low": _("Only %(free)s are free on the disk. Free some space before the next night."),
    "clock": _("The clock: %(now)s"),
    "clock_wrong": _("The clock is wrong, set it: %(now)s"),
    "clock_behind": _(
        "Some of what was written lately is dated %(last)s, which is yet to come: the clock was wrong then, "
        "or is wrong now. Look at it before the next night."
    ),
    "permissions": _("Nobody else of this computer reads the data."),
    "open_to_others": _("Others of this computer can read %(path)s. Close it: chmod -R go= %(folder)s"),
    "not_running": _("The program is not running."),
    "address": _("The program answers at %(address)s"),
    "address_silent": _(
        "The program does not answer at %(address)s (%(reason)s). Stop it and start it again; if the "
        "network has changed, its new address is on the first lines."
    ),
    "address_fails": _(
        "The program answers at %(address)s that it fails (%(status)s). Look at what it says in its terminal."
    ),
    "any_host": _("The server answers to any name. Say in CHARLEMAGNE_HOSTS by which names it is reached."),
    "broker": _("Redis answers."),
    "broker_away": _(
        "Redis does not answer (%(reason)s). Start it, or look at CHARLEMAGNE_BROKER_URL: until then, "
        "standings wait."
    ),
    "database": _("The database is whole."),
    "database_damaged": _(
        "The database is damaged (%(reason)s). Stop the program and start it again: it says how to "
        "restore the last backup."
    ),
    "key": _("Key and database belong together."),
    "key_of_another": _(
        "The database was used with another key than the one in %(folder)s. Put its secret.key back."
    ),
    "contacts_open": _("Contact data stand in the database as they were typed."),
    "contacts_sealed": _("Contact data are sealed in the database with the installation’s key."),
    "contacts_mixed": _(
        "Some contact data are sealed and some are not (rows to write: %(count)s). Run charlemagne "
        "seal_contacts once more, or charlemagne seal_contacts --open."
    ),
    "contacts_locked": _(
        "Contact data were sealed with another key, and cannot be read (rows: %(count)s). Put that "
        "secret.key back and start once with --new-key, or restore a backup."
    ),
    "nothing_begun": _("No club has been begun here yet."),
    "steps": _("The database is of this version."),
    "not_up_to_date": _(
        "The database is of an older version (steps to take: %(count)s). The next start copies it, then "
        "brings it up to date."
    ),
    "data_of_newer_program": _(
        "The database is of a newer Charlemagne (%(step)s), which this one cannot read. Start the newer one."
    ),
    "indexes": _("Its indexes are all there."),
    "index_missing": _(
        "The index %(name)s is missing or not whole, so that pages are slow. Restore a backup into a new "
        "folder."
    ),
    "jobs": _("No work has been waiting for long."),
    "jobs_wait": _(
        "Work has been waiting for more than an hour (%(count)s). Stop the program and start it again."
    ),
    "copies_off": _("Automatic backups are switched off (CHARLEMAGNE_BACKUPS)."),
    "copy": _("The last automatic backup: %(at)s"),
    "copy_old": _("No automatic backup since %(at)s: leave the program running for some minutes."),
    "no_copy_yet": _("The first automatic backup is made a minute after the start."),
    "copy_failed": _("The last automatic backup failed. %(why)s"),
    "second_folder": _("Backups are copied to %(folder)s, too."),
    "second_folder_closed": _(
        "Backups cannot be written to %(folder)s, too: it is not there, or not open to this program. Plug "
        "the stick in, or look at the folder."
    ),
    "no_second_folder": _(
        "All backups are on this disk. Start with --backup-to FOLDER to have them on a stick or in a "
        "synced folder, too."
    ),
    "restored": _("The last backup was restored, to try: %(path)s"),
    "restore_failed": _(
        "The last backup could not be restored: %(path)s (%(reason)s). Make one by hand, and try that."
    ),
}

SIZES = frozenset({"free"})
"""What they name in bytes."""


def finding_in_words(code: str, details: Mapping[str, Any]) -> str:
    """The sentence about it, and what to do where something is wrong."""
    return str(FINDINGS[code]) % {name: _in_words(name, value) for name, value in details.items()}


def _in_words(name: str, value: Any) -> str:
    if name in SIZES:
        return size_in_words(value)
    if isinstance(value, Refusal):
        return sentence(value)
    if isinstance(value, datetime):
        return day_written(localtime(value), "DATETIME_FORMAT")
    return str(value)
