"""Import of hands from a spreadsheet: first a preview with all errors, then the hands are recorded."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.list_layouts import uploaded_list
from clubs.uploads import PARAMETER, shows_waiting_uploads
from errors import Refusal
from tournaments.events.views.access import for_directors
from tournaments.imports.hand_sheets.words import COLUMNS
from tournaments.imports.services.hand_import import hands_to_record, record_hand_sheet
from tournaments.models import Event
from web.forms import digits_in

MOST_BYTES = 1024 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
@shows_waiting_uploads
def hand_sheet_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Import a file of hands, CSV or Excel, with the columns of an exported table of hands."""
    refusal, hands, sent = None, None, None
    recorded = digits_in(request.GET.get("recorded", ""), most=6)
    if request.method == "POST" or PARAMETER in request.GET:
        try:
            sent = uploaded_list(request, event.club, "hands", COLUMNS, most=MOST_BYTES)
            if sent.is_confirmed:
                number = record_hand_sheet(
                    event_id=event.pk,
                    text=sent.text,
                    file=sent.file,
                    layout=sent.layout,
                    by=actor_from(request),
                )
                sent.remember(event.club)
                return redirect(reverse("hand-sheet", args=[event.short], query={"recorded": number}))
            hands = hands_to_record(event, text=sent.text, file=sent.file, layout=sent.layout)
        except Refusal as refused:
            refusal = refused
    context = {
        "event": event,
        "hands": hands,
        "sent": sent,
        "file": "" if sent is None else sent.file,
        "refusal": refusal,
        "recorded": recorded,
    }
    return TemplateResponse(request, "tournaments/imports/hand_sheets.html", context)
