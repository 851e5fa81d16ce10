"""Pages that add entries: from the club's people, or from a file."""

from functools import partial
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.list_layouts import UploadedList, uploaded_list
from clubs.uploads import PARAMETER, shows_waiting_uploads
from errors import Refusal
from tournaments.entries.entry_import import EntryList, lines_of_entry_sheet
from tournaments.entries.entry_import.sheets import COLUMNS, OF_PARTNERS, likely_layout
from tournaments.entries.queries.entries import entry_sheet
from tournaments.entries.queries.known_people import known_people
from tournaments.entries.queries.name_matches import namesakes_of
from tournaments.entries.services.entries import add_known_people
from tournaments.entries.services.entry_import import ImportedEntries, add_entry_sheet
from tournaments.events.services.lifecycle import check_preparing
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from web.forms import digits_in

from .lists import redirect_to_added
from .name_matches import identities_in, open_questions

MOST_BYTES = 1024 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def known_people_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose players to enter among the club's people, with those of the last events first. A search keeps
    those already ticked."""
    refusal = None
    if request.method == "POST" and request.POST.get("what") != "search":
        try:
            people = _ticked_people(request, event)
            added = add_known_people(event_id=event.pk, people=people, by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect_to_added(event, added)
    search = request.POST.get("search", request.GET.get("search", ""))
    return TemplateResponse(
        request,
        "tournaments/entries/people.html",
        {
            "event": event,
            "known": known_people(event, search, _ticks(request, "person") + _ticks(request, "pair")),
            "search": search,
            "ticked": request.POST.getlist("person") + request.POST.getlist("pair"),
            "refusal": refusal,
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
@shows_waiting_uploads
def sheet_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Import a file of entries, after a preview of what it adds and refuses. It also shows which names the
    club knows. Bad lines are not added and stay in a field for correction."""
    refusal, listed, sent, held = None, None, None, ""
    if request.method == "POST" or PARAMETER in request.GET:
        try:
            sent = uploaded_list(
                request,
                event.club,
                "entries",
                COLUMNS,
                most=MOST_BYTES,
                but=() if event.entry_size > 1 else OF_PARTNERS,
                likely=partial(likely_layout, size=event.entry_size),
            )
            check_preparing(event, field="file")
            if sent.is_confirmed:
                added = _add(request, event, sent)
                sent.remember(event.club)
                if not added.held_back:
                    return redirect_to_added(event, added.entries)
                held = lines_of_entry_sheet(sent.text, added.held_back, sent.layout)
                refusal = Refusal(
                    "lines_held_back",
                    field="text",
                    count=len(added.entries),
                    refusals=entry_sheet(event, held, file=sent.file, layout=sent.layout).refusals,
                )
            else:
                listed = _read_sheet(event, sent)
        except Refusal as refused:
            refusal = refused
    return TemplateResponse(
        request,
        "tournaments/entries/sheet.html",
        {
            "event": event,
            "listed": listed,
            "sent": sent,
            "held": held,
            "file": "" if sent is None else sent.file,
            "refusal": refusal,
            **({} if listed is None else open_questions(namesakes_of(event, listed.entries))),
        },
    )


def _add(request: HttpRequest, event: Event, sent: UploadedList) -> ImportedEntries:
    return add_entry_sheet(
        event_id=event.pk,
        text=sent.text,
        file=sent.file,
        layout=sent.layout,
        identities=identities_in(request.POST),
        by=actor_from(request),
    )


def _ticked_people(request: HttpRequest, event: Event) -> list[list[int]]:
    """Return the ids of the people of each entry: ticked pairs, and two people ticked alone."""
    pairs, people = _ticks(request, "pair"), _ticks(request, "person")
    if event.entry_size == 1:
        return [*pairs, *people]
    return [*pairs, *([[*chain.from_iterable(people)]] if people else [])]


def _ticks(request: HttpRequest, name: str) -> list[list[int]]:
    """Return the ids of the people ticked, alone or as a pair; 0, which nobody has, for a bad id."""
    return [[digits_in(pk, most=18) or 0 for pk in tick.split("-")] for tick in request.POST.getlist(name)]


def _read_sheet(event: Event, sent: UploadedList) -> EntryList:
    """Read the file and check that it has good lines. Refuses: list_refused, with a refusal for each bad
    line, if none is good; sheet_empty."""
    listed = entry_sheet(event, sent.text, file=sent.file, layout=sent.layout)
    if listed.refusals and not listed.entries and sent.text.strip():
        raise Refusal("list_refused", field="file", refusals=listed.refusals)
    if not listed.entries:
        raise Refusal("sheet_empty", field="file")
    return listed
