"""What is said of backups, and of what another version of the program has kept."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

BACKUP_SENTENCES: dict[str, str | Promise] = {
    "file_exists": _("There is a file %(path)s already. Choose another name."),
    "file_not_writable": _("%(path)s cannot be written. Choose another folder."),
    "no_such_file": _("There is no file %(path)s."),
    "not_a_backup": _("%(path)s is not a backup of Charlemagne."),
    "backup_too_new": _("This backup was made by a newer Charlemagne. Update this one, then restore."),
    "stored_by_newer_program": _(
        "This was kept by a newer Charlemagne, which this one cannot read. Update this one, then try again."
    ),
    "backup_damaged": _("This backup is damaged (%(part)s). Take another one."),
    "not_empty": _(
        "There is a club here already, and restoring would mix two. Name an empty folder: --data FOLDER."
    ),
}
