"""Where the desk reads what a table marked without a network, from the codes on its phone."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from rules import Refusal
from scoring.services import ReadBundle, read_bundles
from tournaments.models import Event
from web.device_access import with_camera

from .access import for_helpers


@require_http_methods(["GET", "HEAD", "POST"])
@with_camera
@for_helpers
def read_codes(request: HttpRequest, event: Event) -> HttpResponse:
    """The codes as texts: typed, pasted, or put there by the script that reads photos. What became of them is
    said, table by table; to send them again changes nothing. What is not whole yet waits for the rest."""
    text, read, refusal = request.POST.get("text", ""), list[ReadBundle](), None
    if request.method == "POST":
        try:
            read = read_bundles(topic=event.topic, text=text)
        except Refusal as refused:
            refusal = refused
    waits = any(bundle.refusal and bundle.refusal.code == "bundle_incomplete" for bundle in read)
    context = {"event": event, "read": read, "refusal": refusal, "text": text if refusal or waits else ""}
    return TemplateResponse(request, "tournaments/events/read_codes.html", context)
