"""Import of a file of entries."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from clubs.list_layouts import UploadedList, read_uploaded_list_form
from clubs.pages import get_actor, note_refusal
from clubs.uploads import UPLOAD_PARAMETER, redirect_pending_uploads
from errors import Refusal
from tournaments.entries.entry_import.values import EntryList
from tournaments.entries.queries.name_matches import list_namesakes
from tournaments.entries.services.entry_import import ImportedEntries
from tournaments.entries.views.lists import redirect_to_new_entries
from tournaments.entries.views.name_matches import (
    build_question_context,
    list_couples,
    read_identities,
    read_typed_lines,
)
from tournaments.events.services.lifecycle import check_preparing
from tournaments.events.views.access import event_directors_only
from tournaments.imports.entry_sheets import COLUMNS, PARTNER_COLUMNS, extract_sheet_lines, guess_layout
from tournaments.imports.queries.entry_sheets import entry_sheet
from tournaments.imports.services.entry_sheets import add_entry_sheet
from tournaments.models import Event

MOST_BYTES = 1024 * 1024


@event_directors_only
@redirect_pending_uploads
def entry_sheet_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Import a file of entries, after a preview of what it adds and refuses. It also shows which names the
    club knows. Bad lines are not added and stay in a field for correction."""
    entry_list, upload, refused_text = None, None, ""
    if request.method == "POST" or UPLOAD_PARAMETER in request.GET:
        try:
            upload = read_uploaded_list_form(
                request,
                event.club,
                "entries",
                COLUMNS,
                max_bytes=MOST_BYTES,
                excluded=() if event.entry_size > 1 else PARTNER_COLUMNS,
                guess_layout=partial(guess_layout, size=event.entry_size),
            )
            check_preparing(event, field="file")
            if upload.is_confirmed:
                imported = _import_upload(request, event, upload)
                upload.remember(event.club)
                if not imported.refused_lines:
                    return redirect_to_new_entries(event, imported.entries)
                refused_text = extract_sheet_lines(upload.text, imported.refused_lines, upload.layout)
                raise Refusal(
                    "lines_held_back",
                    field="text",
                    count=len(imported.entries),
                    refusals=entry_sheet(event, refused_text, file=upload.file, layout=upload.layout).refusals,
                )
            entry_list = _read_sheet(event, upload)
        except Refusal as refusal:
            note_refusal(request, refusal)
    return TemplateResponse(
        request,
        "tournaments/imports/entry_sheet.html",
        {
            "event": event,
            "listed": entry_list,
            "couples": () if entry_list is None else list_couples(entry_list.entries),
            "sent": upload,
            "held": refused_text,
            "file": "" if upload is None else upload.file,
            **({} if entry_list is None else build_question_context(list_namesakes(event, entry_list.entries))),
        },
    )


def _import_upload(request: HttpRequest, event: Event, upload: UploadedList) -> ImportedEntries:
    return add_entry_sheet(
        event_id=event.pk,
        text=upload.text,
        file=upload.file,
        layout=upload.layout,
        as_typed=read_typed_lines(request.POST),
        identities=read_identities(request.POST),
        by=get_actor(request),
    )


def _read_sheet(event: Event, upload: UploadedList) -> EntryList:
    """Read the file and check that it has good lines. Refuses: list_refused, with a refusal for each bad
    line, if none is good; sheet_empty."""
    entry_list = entry_sheet(event, upload.text, file=upload.file, layout=upload.layout, as_typed=())
    if entry_list.refusals and not entry_list.entries and upload.text.strip():
        raise Refusal("list_refused", field="file", refusals=entry_list.refusals)
    if not entry_list.entries:
        raise Refusal("sheet_empty", field="file")
    return entry_list
