"""Pages of a history, of a club or an event: list, details of a change, and download."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from clubs.audit.diff import AuditDiff
from clubs.audit.filters import ChangeLine, FoundLines, HistoryFilter, accounts_in, read_history_filter
from clubs.exports import history_table
from clubs.models import Club
from errors import Refusal
from live.conditional_pages import page_or_part
from web.forms import digits_in
from web.table_files import sheet_response


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPages:
    """The history of a club or an event, for pages at ``address``.

    They extend the template ``page``, which with its ``menu`` needs ``shown``. ``links`` above the list are
    addresses with their texts; ``undo_field`` is an extra field in the form for an undo.
    """

    name: str
    club: Club
    actions: QuerySet[Any]
    groups: Mapping[str, Iterable[str]]
    found: Callable[[HistoryFilter], FoundLines]
    lines: Callable[[Iterable[int]], Sequence[ChangeLine]]
    written: Callable[[int], AuditDiff]
    shown: Mapping[str, Any]
    page: str
    menu: str
    address: str
    nothing_yet: str
    undo_field: str = ""
    links: Sequence[tuple[str, str]] = ()


def history_page(request: HttpRequest, history: HistoryPages, refusal: Refusal | None = None) -> HttpResponse:
    """Render the list of changes, newest first, with the filter."""
    asked, unread = read_history_filter(request.GET.dict(), history.groups)
    found = history.found(asked)
    context = {
        "lines": history.lines(found.of_page),
        "found": found,
        "asked": asked,
        "typed": request.GET,
        "groups": tuple(history.groups),
        "accounts": accounts_in(history.actions),
        "refusal": refusal or unread,
    }
    return TemplateResponse(request, "clubs/history/list.html", _context_of(history) | context)


def history_file(request: HttpRequest, history: HistoryPages, ending: str) -> HttpResponse:
    """Return the filtered changes as a file."""
    asked, refusal = read_history_filter(request.GET.dict(), history.groups)
    if refusal is not None:
        return history_page(request, history)
    lines = history.lines(history.found(asked).pks)
    return sheet_response(history_table(lines, club=history.club, about=history.name), ending)


def change_page(request: HttpRequest, history: HistoryPages, action_id: int) -> HttpResponse:
    """Render what one change wrote, before and after: as a fragment for the open line, or as a page."""
    known = digits_in(str(action_id), most=18)  # a larger number overflows the database
    line = None if known is None else next(iter(history.lines([known])), None)
    if line is None:
        raise Http404
    context = _context_of(history) | {"line": line, "written": history.written(line.pk)}
    return TemplateResponse(request, page_or_part(request, "clubs/history/line.html#written"), context)


def _context_of(history: HistoryPages) -> dict[str, Any]:
    return {"history": history, "here": history.address, **history.shown}
