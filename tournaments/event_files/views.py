"""Downloads of an event as a file, for its directors."""

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine.draws.trf import render_trf
from tournaments.event_files import Content, serialize_event_file
from tournaments.events.views.access import for_directors
from tournaments.models import Event

from .queries import event_file_of
from .queries.trf import trf_of_event


@require_safe
@never_cache
@for_directors
def event_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the whole event as a file, with drafts and full names."""
    return _as_file(event_file_of(event), event.short)


@require_safe
@never_cache
@for_directors
def event_file_with_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the event as a file for another laptop. It has the keys by which phones in the hall restore
    what is missing there."""
    return _as_file(event_file_of(event, for_phones=True), f"{event.short}.codes")


@require_safe
@never_cache
@for_directors
def trf_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Download a Swiss tournament, or one section, as a report that chess programs read."""
    section = request.GET.get("section", "")
    name = "-".join(filter(None, (event.short, slugify(section))))
    return HttpResponse(
        render_trf(trf_of_event(event, section=section)),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.trf"'},
    )


def _as_file(content: Content, name: str) -> HttpResponse:
    return HttpResponse(
        serialize_event_file(content),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}.charlemagne.json"'},
    )
