"""Import of hands from a spreadsheet: first a preview with all errors, then the hands are recorded."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.list_layouts import read_uploaded_list_form
from clubs.pages import get_actor, note_refusal
from clubs.uploads import UPLOAD_PARAMETER, redirect_pending_uploads
from errors import Refusal
from tournaments.events.views.access import event_directors_only
from tournaments.imports.hand_sheets.words import COLUMNS
from tournaments.imports.services.hand_import import preview_hand_sheet, record_hand_sheet
from tournaments.models import Event
from web.forms import parse_digits

MAX_BYTES = 1024 * 1024


@event_directors_only
@redirect_pending_uploads
def hand_sheet_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Import a file of hands, CSV or Excel, with the columns of an exported table of hands."""
    hands, uploaded_sheet = None, None
    recorded_count = parse_digits(request.GET.get("recorded", ""), max_digits=6)
    if request.method == "POST" or UPLOAD_PARAMETER in request.GET:
        try:
            uploaded_sheet = read_uploaded_list_form(request, event.club, "hands", COLUMNS, max_bytes=MAX_BYTES)
            if uploaded_sheet.is_confirmed:
                number = record_hand_sheet(
                    event_id=event.pk,
                    text=uploaded_sheet.text,
                    file=uploaded_sheet.file,
                    layout=uploaded_sheet.layout,
                    by=get_actor(request),
                )
                uploaded_sheet.remember(event.club)
                return redirect(reverse("hand-sheet", args=[event.short], query={"recorded": number}))
            hands = preview_hand_sheet(
                event, text=uploaded_sheet.text, file=uploaded_sheet.file, layout=uploaded_sheet.layout
            )
        except Refusal as refusal:
            note_refusal(request, refusal)
    context = {
        "event": event,
        "hands": hands,
        "sent": uploaded_sheet,
        "file": "" if uploaded_sheet is None else uploaded_sheet.file,
        "recorded": recorded_count,
    }
    return TemplateResponse(request, "tournaments/imports/hand_sheets.html", context)
