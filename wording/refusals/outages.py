"""What is said where disk or database fail: nothing is lost, and what it takes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OUTAGE_SENTENCES: dict[str, str | Promise] = {
    "database_away": _("The database does not answer just now. Wait a moment."),
    "database_busy": _("The database has too much to do just now. Wait a moment."),
    "database_damaged": _(
        "The database on the club’s computer is damaged, and nothing more can be recorded. Tell the "
        "organizer: started anew, the program says how to restore the last backup."
    ),
    "disk_full": _(
        "The disk of the club’s computer is full, and nothing more can be recorded. Tell the organizer: some "
        "space has to be freed there."
    ),
    "disk_failing": _(
        "The disk of the club’s computer cannot be written, and nothing more can be recorded. Tell the "
        "organizer."
    ),
}
