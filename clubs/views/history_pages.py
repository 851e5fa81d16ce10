"""Pages of a history, of a club or an event: list, details of a change, and download."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from clubs.audit.diff import AuditDiff
from clubs.audit.filters import ChangeLine, FoundLines, HistoryFilter, list_accounts, read_history_filter
from clubs.exports import build_history_table
from clubs.models import Club
from clubs.pages import get_refusal
from live.conditional_pages import get_template_or_part
from web.forms import parse_digits
from web.not_found import get_or_404
from web.table_files import build_sheet_response


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
    get_diff: Callable[[int], AuditDiff]
    shown: Mapping[str, Any]
    page: str
    menu: str
    address: str
    empty_text: str
    undo_field: str = ""
    links: Sequence[tuple[str, str]] = ()


def render_history_page(request: HttpRequest, history: HistoryPages) -> HttpResponse:
    """Render the list of changes, newest first, with the filter."""
    history_filter, refusal = read_history_filter(request.GET.dict(), history.groups)
    found = history.found(history_filter)
    context = {
        "lines": history.lines(found.page_pks),
        "found": found,
        "history_filter": history_filter,
        "typed": request.GET,
        "groups": tuple(history.groups),
        "accounts": list_accounts(history.actions),
        "refusal": get_refusal(request) or refusal,
    }
    return TemplateResponse(request, "clubs/history/list.html", _build_context(history) | context)


def render_history_file(request: HttpRequest, history: HistoryPages, ending: str) -> HttpResponse:
    """Return the filtered changes as a file."""
    history_filter, refusal = read_history_filter(request.GET.dict(), history.groups)
    if refusal is not None:
        return render_history_page(request, history)
    lines = history.lines(history.found(history_filter).pks)
    return build_sheet_response(build_history_table(lines, club=history.club, subject_name=history.name), ending)


def render_change_page(request: HttpRequest, history: HistoryPages, action_id: int) -> HttpResponse:
    """Render what one change wrote, before and after: as a fragment for the open line, or as a page."""
    pk = parse_digits(str(action_id), max_digits=18)  # a larger number overflows the database
    line = get_or_404(None if pk is None else next(iter(history.lines([pk])), None))
    context = _build_context(history) | {"line": line, "written": history.get_diff(line.pk)}
    return TemplateResponse(request, get_template_or_part(request, "clubs/history/line.html#written"), context)


def _build_context(history: HistoryPages) -> dict[str, Any]:
    return {"history": history, "here": history.address, **history.shown}
