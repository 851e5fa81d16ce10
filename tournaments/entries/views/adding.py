"""More entries: from among the club's people, or from a file."""

from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import by_of
from rules import Refusal
from tournaments.entries.entry_import import EntryList, lines_of_entry_sheet
from tournaments.entries.queries.entries import entry_sheet
from tournaments.entries.queries.known_people import known_people
from tournaments.entries.queries.namesakes import namesakes_of
from tournaments.entries.services.entries import add_known_people
from tournaments.entries.services.entry_import import ImportedEntries, add_entry_sheet
from tournaments.events.services.lifecycle import check_preparing
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from web.forms import digits_in
from web.uploads import read_uploaded_list

from .lists import redirect_to_added
from .namesakes import identities_in, open_questions

MOST_BYTES = 1024 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def known_people_page(request: HttpRequest, event: Event) -> HttpResponse:
    """The club's people, to be ticked: those of the last events first. A search keeps what is ticked."""
    refusal = None
    if request.method == "POST" and request.POST.get("what") != "search":
        try:
            people = _ticked_people(request, event)
            added = add_known_people(event_id=event.pk, people=people, by=by_of(request))
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
def sheet_page(request: HttpRequest, event: Event) -> HttpResponse:
    """A CSV file: first what it would add, whom the club knows by these names, and what is refused of it;
    then it is added, but for the bad lines, which stay in a field."""
    refusal, listed, held, text, file = None, None, "", "", ""
    if request.method == "POST":
        try:
            text, file = read_uploaded_list(request, most=MOST_BYTES)
            check_preparing(event, field="file")
            if "confirmed" in request.POST:
                added = _add(request, event, text, file)
                if not added.held_back:
                    return redirect_to_added(event, added.entries)
                held = lines_of_entry_sheet(text, added.held_back)
                refusal = Refusal(
                    "lines_held_back",
                    field="text",
                    count=len(added.entries),
                    refusals=entry_sheet(event, held, file=file).refusals,
                )
            else:
                listed = _read_sheet(event, text, file)
        except Refusal as refused:
            refusal = refused
    return TemplateResponse(
        request,
        "tournaments/entries/sheet.html",
        {
            "event": event,
            "listed": listed,
            "text": text,
            "held": held,
            "file": file,
            "refusal": refusal,
            **({} if listed is None else open_questions(namesakes_of(event, listed.entries))),
        },
    )


def _add(request: HttpRequest, event: Event, text: str, file: str) -> ImportedEntries:
    return add_entry_sheet(
        event_id=event.pk, text=text, file=file, identities=identities_in(request.POST), by=by_of(request)
    )


def _ticked_people(request: HttpRequest, event: Event) -> list[list[int]]:
    """The ids of the people of each entry: pairs are ticked whole, or two people."""
    pairs, people = _ticks(request, "pair"), _ticks(request, "person")
    if event.entry_size == 1:
        return [*pairs, *people]
    return [*pairs, *([[*chain.from_iterable(people)]] if people else [])]


def _ticks(request: HttpRequest, name: str) -> list[list[int]]:
    """The ids of the people that are ticked there, alone or as a pair; 0, which nobody has, for no id."""
    return [[digits_in(pk, most=18) or 0 for pk in tick.split("-")] for tick in request.POST.getlist(name)]


def _read_sheet(event: Event, text: str, file: str) -> EntryList:
    """Refuses: list_refused, with a refusal for each bad line, if none is good; sheet_empty."""
    listed = entry_sheet(event, text, file=file)
    if listed.refusals and not listed.entries and text.strip():
        raise Refusal("list_refused", field="file", refusals=listed.refusals)
    if not listed.entries:
        raise Refusal("sheet_empty", field="file")
    return listed
