"""Page where the desk imports hands recorded offline, from the QR codes on a table's phone."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from errors import Refusal
from scoring.services.bundles import RecordedBundle, record_bundles
from tournaments.models import Event
from web.device_access import allow_camera

from .access import event_helpers_only


@require_http_methods(["GET", "HEAD", "POST"])
@allow_camera
@event_helpers_only
def read_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """Import hands from the QR codes of a phone that is offline. Codes are typed, pasted or read from photos
    by a script. The result is shown by table; sending them again changes nothing, and incomplete ones wait
    for the rest."""
    text, bundles, refusal = request.POST.get("text", ""), list[RecordedBundle](), None
    if request.method == "POST":
        try:
            bundles = record_bundles(topic=event.topic, text=text)
        except Refusal as refused:
            refusal = refused
    waits = any(bundle.refusal and bundle.refusal.code == "bundle_incomplete" for bundle in bundles)
    context = {"event": event, "read": bundles, "refusal": refusal, "text": text if refusal or waits else ""}
    return TemplateResponse(request, "tournaments/events/read_codes.html", context)
