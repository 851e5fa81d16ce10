"""Background tasks of imports."""

from datetime import timedelta

from django.urls import reverse

from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext

from .services.arrival import take_back_event
from .services.event_import import BRING_IN
from .services.night_import import BRING_IN_NIGHT, bring_in_asked_night
from .services.uploaded_events import READ, bring_in_asked, examine_file
from .uploaded_events import file_by_key


@job(READ, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=5))
def read_event_file(running: JobContext) -> None:
    """Examine an uploaded event file; ``key`` is that of the file."""
    examine_file(file_by_key(running.key), running.report)


@job(BRING_IN, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=5), take_back=take_back_event)
def bring_in_event_of(running: JobContext) -> dict[str, str]:
    """Import an event; ``key`` is that of the file and the request."""
    key, _, asked = running.key.partition("/")
    event = bring_in_asked(file_by_key(key), asked, running.report)
    return {"page": reverse("desk", args=[event.short])}


@job(BRING_IN_NIGHT, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=5), take_back=take_back_event)
def bring_in_night_of(running: JobContext) -> dict[str, str]:
    """Import a night; ``key`` is that of the form and of the record of what was requested."""
    event = bring_in_asked_night(running.key, running.report)
    return {"page": reverse("desk", args=[event.short])}
