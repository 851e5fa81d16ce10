"""Sentences for outages of disk or database, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OUTAGE_SENTENCES: dict[str, str | Promise] = {
    "database_away": _("The database is not responding. Wait a moment."),
    "database_busy": _("The database is busy. Wait a moment."),
    "database_damaged": _(
        "The database is damaged: nothing can be recorded. Ask the organizer to restart the "
        "program and follow its instructions."
    ),
    "disk_full": _(
        "The club computer’s disk is full: nothing can be recorded. Ask the organizer to free some space."
    ),
    "disk_failing": _("The club computer’s disk has failed: nothing can be recorded. Tell the organizer."),
}
