"""The event as one file, for its directors."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.event_files import serialize_event_file
from tournaments.events.views.access import for_directors
from tournaments.models import Event

from .queries import event_file_of


@require_safe
@never_cache
@for_directors
def event_file(request: HttpRequest, event: Event) -> HttpResponse:
    """All of it, drafts and full names included."""
    return HttpResponse(
        serialize_event_file(event_file_of(event)),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{event.short}.charlemagne.json"'},
    )
