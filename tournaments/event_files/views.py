"""The event as one file, for its directors."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.event_files import Content, serialize_event_file
from tournaments.events.views.access import for_directors
from tournaments.models import Event

from .queries import event_file_of


@require_safe
@never_cache
@for_directors
def event_file(request: HttpRequest, event: Event) -> HttpResponse:
    """All of it, drafts and full names included."""
    return _as_file(event_file_of(event), event.short)


@require_safe
@never_cache
@for_directors
def event_file_with_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """The same for another laptop, to which the phones in the hall bring what it lacks."""
    return _as_file(event_file_of(event, for_phones=True), f"{event.short}.codes")


def _as_file(content: Content, name: str) -> HttpResponse:
    return HttpResponse(
        serialize_event_file(content),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}.charlemagne.json"'},
    )
