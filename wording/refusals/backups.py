"""What is said of backups, and of what another version of the program has kept."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

BACKUP_SENTENCES: dict[str, str | Promise] = {
    "file_exists": _("There is a file %(path)s already. Choose another name."),
    "file_not_writable": _("%(path)s cannot be written. Choose another folder."),
    "no_such_file": _("There is no file %(path)s."),
    "not_a_backup": _(
        "%(path)s is not a backup of Charlemagne, or only a part of one. Copy it again, or take another one."
    ),
    "backup_too_new": _("This backup was made by a newer Charlemagne. Update this one, then restore."),
    "stored_by_newer_program": _(
        "This was kept by a newer Charlemagne, which this one cannot read. Update this one, then try again."
    ),
    "backup_damaged": _("This backup is damaged (%(part)s). Take another one."),
    "backup_disk_full": _("The disk is full, so there is no new backup in %(folder)s. Free some 100 MB."),
    "backup_not_written": _("No backup could be written to %(folder)s (%(reason)s)."),
    "second_folder_missing": _(
        "The second folder for backups, %(folder)s, is not there. Plug the stick in, or look for the folder."
    ),
    "second_folder_not_written": _(
        "No backup could be written to the second folder, %(folder)s (%(reason)s). Look at the stick or the "
        "folder."
    ),
    "wrong_passphrase": _("This passphrase does not open %(path)s, or the file is damaged."),
    "not_empty": _(
        "There is a club here already, and restoring would mix two. Name an empty folder: --data FOLDER."
    ),
}
