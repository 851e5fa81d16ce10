"""Downloads of an event as a file, for its directors."""

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine.draws.trf import render_trf
from tournaments.event_files.schema import Content
from tournaments.event_files.writer import serialize_event_file
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event

from .queries import build_event_file
from .queries.trf import build_trf_report


@require_safe
@never_cache
@event_directors_only
def download_event_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the whole event as a file, with drafts and full names."""
    return _build_download(build_event_file(event), event.short)


@require_safe
@never_cache
@event_directors_only
def download_file_with_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the event as a file for another laptop. It has the keys by which phones in the hall restore
    what is missing there."""
    return _build_download(build_event_file(event, with_phone_keys=True, with_desk=True), f"{event.short}.codes")


@require_safe
@never_cache
@event_directors_only
def download_trf_report(request: HttpRequest, event: Event) -> HttpResponse:
    """Download a Swiss tournament, or one section, as a report that chess programs read."""
    section = request.GET.get("section", "")
    name = "-".join(filter(None, (event.short, slugify(section))))
    return HttpResponse(
        render_trf(build_trf_report(event, section=section)),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.trf"'},
    )


def _build_download(content: Content, name: str) -> HttpResponse:
    return HttpResponse(
        serialize_event_file(content),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}.charlemagne.json"'},
    )
