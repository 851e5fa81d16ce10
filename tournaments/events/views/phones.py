"""Phones at the tables as the desk sees them: problems, late entries, and hands from the QR codes of one offline."""

from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.pages import View, get_refusal, is_submitted, show_refusals
from scoring.presenters.phones import build_late_tables, build_phones_view
from scoring.services.bundles import RecordedBundle, record_bundles
from scoring.services.phones import write_phone_reports
from tournaments.events.views.access import event_helpers_only
from tournaments.models import Event
from web.device_access import allow_camera


def save_phone_reports_first(view: View) -> View:
    """Let a view that shows the phones find the reports that this process has not saved yet."""

    @wraps(view)
    def open_page(request: HttpRequest, *args: object, **path: object) -> HttpResponseBase:
        write_phone_reports()
        return view(request, *args, **path)

    return open_page


@require_safe
@save_phone_reports_first
@event_helpers_only
def phones(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what the phones at the tables report. This part of the desk updates every few seconds, apart from
    the tables."""
    return TemplateResponse(
        request,
        "tournaments/events/phones.html",
        {"event": event, "phones": build_phones_view(event.topic, now=timezone.now()), "is_part": True},
    )


@require_safe
@event_helpers_only
def late_marks(request: HttpRequest, event: Event) -> HttpResponse:
    """Show marks received late from the tables, and what they changed."""
    return TemplateResponse(
        request, "tournaments/events/late_marks.html", {"event": event, "tables": build_late_tables(event.topic)}
    )


@allow_camera
@event_helpers_only
@show_refusals
def read_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """Import hands from the QR codes of a phone that is offline. Codes are typed, pasted or read from photos
    by a script. The result is shown by table; sending them again changes nothing, and incomplete ones wait
    for the rest."""
    text, bundles = request.POST.get("text", ""), list[RecordedBundle]()
    if is_submitted(request):
        bundles = record_bundles(topic=event.topic, text=text)
    waits = any(bundle.refusal and bundle.refusal.code == "bundle_incomplete" for bundle in bundles)
    context = {"event": event, "read": bundles, "text": text if get_refusal(request) or waits else ""}
    return TemplateResponse(request, "tournaments/events/code_scanner.html", context)
