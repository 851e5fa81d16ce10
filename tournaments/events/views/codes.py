"""Page where the desk imports hands recorded offline, from the QR codes on a table's phone."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from errors import Refusal
from scoring.services import ReadBundle, read_bundles
from tournaments.models import Event
from web.device_access import with_camera

from .access import for_helpers


@require_http_methods(["GET", "HEAD", "POST"])
@with_camera
@for_helpers
def read_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """Import hands from the QR codes of a phone that is offline. Codes are typed, pasted or read from photos
    by a script. The result is shown by table; sending them again changes nothing, and incomplete ones wait
    for the rest."""
    text, read, refusal = request.POST.get("text", ""), list[ReadBundle](), None
    if request.method == "POST":
        try:
            read = read_bundles(topic=event.topic, text=text)
        except Refusal as refused:
            refusal = refused
    waits = any(bundle.refusal and bundle.refusal.code == "bundle_incomplete" for bundle in read)
    context = {"event": event, "read": read, "refusal": refusal, "text": text if refusal or waits else ""}
    return TemplateResponse(request, "tournaments/events/read_codes.html", context)
