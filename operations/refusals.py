"""Refusals about backups and outages, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "file_exists": _("%(path)s already exists. Choose another name."),
    "file_not_writable": _("Cannot write %(path)s. Choose another folder."),
    "no_such_file": _("File not found: %(path)s."),
    "not_a_backup": _("%(path)s is not a complete Charlemagne backup. Copy it again, or choose another."),
    "backup_too_new": _("Backup from a newer Charlemagne: update, then restore."),
    "stored_by_newer_program": Answer(_("Data from a newer Charlemagne: update, then try again."), 409),
    "backup_damaged": _("This backup is damaged (%(part)s). Choose another."),
    "not_a_club_file": _("This file is not a club’s export. Choose a file from “Export the club”."),
    "club_file_required": _("Export the club first: its last export is older than its last changes."),
    "club_file_not_saved": _("Download the file, then check the box."),
    "club_already_here": Answer(_("%(club)s is already in this installation. Nothing was imported."), 409),
    "backup_disk_full": _("Disk full: no new backup in %(folder)s. Free up 100 MB."),
    "backup_not_written": _("Backup to %(folder)s failed (%(reason)s)."),
    "second_folder_missing": _("Second backup folder not found: %(folder)s. Check the USB stick or folder."),
    "second_folder_not_written": _(
        "Backup to the second folder, %(folder)s, failed (%(reason)s). Check the USB stick or folder."
    ),
    "wrong_passphrase": _("Wrong passphrase for %(path)s, or damaged file."),
    "not_empty": _("This folder already has a club. Choose an empty one: --data FOLDER."),
    "database_away": Answer(_("The database is not responding. Wait a moment."), 503),
    "database_busy": Answer(_("The database is busy. Wait a moment."), 503),
    "database_damaged": Answer(
        _(
            "The database is damaged: nothing can be recorded. Ask the organizer to restart the "
            "program and follow its instructions."
        ),
        503,
    ),
    "disk_full": Answer(
        _("The club computer’s disk is full: nothing can be recorded. Ask the organizer to free some space."),
        503,
    ),
    "disk_failing": Answer(_("The club computer’s disk has failed: nothing can be recorded. Tell the organizer."), 503),
}
