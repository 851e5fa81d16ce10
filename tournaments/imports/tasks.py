"""Background tasks of imports."""

from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from jobs.queues import Queue
from jobs.registry import JobContext, job

from .services.arrival import roll_back_import
from .services.event_import import IMPORT_EVENT
from .services.night_import import IMPORT_NIGHT, run_night_import
from .services.uploaded_events import READ_FILE, examine_file, run_file_import
from .uploaded_events import get_file_by_key


@job(READ_FILE, name=_("Reading the file"), queue=Queue.LONG, lease=timedelta(minutes=5))
def read_event_file(context: JobContext) -> None:
    """Examine an uploaded event file; ``key`` is that of the file."""
    examine_file(get_file_by_key(context.key), context.report)


@job(IMPORT_EVENT, name=_("Importing the event"), queue=Queue.LONG, lease=timedelta(minutes=5), undo=roll_back_import)
def import_event_task(context: JobContext) -> dict[str, str]:
    """Import an event; ``key`` is that of the file and the request."""
    key, _, order_name = context.key.partition("/")
    event = run_file_import(get_file_by_key(key), order_name, context.report)
    return {"page": reverse("desk", args=[event.short])}


@job(
    IMPORT_NIGHT,
    name=_("Importing the recorded night"),
    queue=Queue.LONG,
    lease=timedelta(minutes=5),
    undo=roll_back_import,
)
def import_night_task(context: JobContext) -> dict[str, str]:
    """Import a night; ``key`` is that of the form and of the record of what was requested."""
    event = run_night_import(context.key, context.report)
    return {"page": reverse("desk", args=[event.short])}
