"""The history of a club or an event, filtered, with undo for each line."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.diff import AuditDiff
from clubs.audit.filters import ChangeLine, FoundLines, HistoryFilter, list_accounts, read_history_filter
from clubs.audit.history import filter_club_lines, find_club_line, get_club_change_diff, list_club_change_lines
from clubs.audit.labels import CLUB_ACTIONS
from clubs.audit.log import Actor
from clubs.exports import build_history_table
from clubs.models import Club
from clubs.pages import directors_only, get_actor, get_refusal, has_permission, note_refusal, require_post_from
from clubs.services import changes, undo
from errors import Refusal
from jobs.models import Job
from live.conditional_pages import get_template_or_part
from web.forms import Form, parse_digits
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
    return {"history": history, "page_url": history.address, **history.shown}


@require_safe
@directors_only
def club_history(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's history, newest first, or search it."""
    return render_history_page(request, _build_history(club))


@require_safe
@directors_only
def club_history_file(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the club's history, or what a search finds in it."""
    return render_history_file(request, _build_history(club), ending)


@require_safe
@directors_only
def club_change_page(request: HttpRequest, club: Club, action_id: int) -> HttpResponse:
    """Show what one change wrote, before and after: in the open line, or as a page of its own."""
    return render_change_page(request, _build_history(club), action_id)


@require_post_from("club-history", "slug")
@directors_only
def undo_club_change(request: HttpRequest, club: Club, action_id: int) -> HttpResponse:
    """Undo a change, or undo an undo. Then return to the page ``next``, which says so, or to the history."""
    line = find_club_line(club, str(action_id))
    if line is not None and not has_permission(request, line.undone_by):
        raise Refusal("owner_only")
    try:
        undone = undo.undo_for_form(club_id=club.pk, action_id=action_id, by=get_actor(request))
    except Refusal as refusal:
        note_refusal(request, refusal)
        return render_history_page(request, _build_history(club))
    if isinstance(undone, Job):
        return redirect("bringing-in", slug=club.slug)
    next_url = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(next_url, allowed_hosts=None):
        return redirect("club-history", slug=club.slug)
    return redirect(f"{next_url}?{urlencode({'done': undone.pk})}")


def redirect_with_notice(request: HttpRequest, club: Club, page: str, by: Actor) -> HttpResponse:
    """Redirect to a page of the club, which says what was just done and offers to undo it."""
    address = reverse(page, args=[club.slug])
    action_id = find_action_id(club, by)
    return redirect(address if action_id is None else f"{address}?{urlencode({'done': action_id})}")


def find_action_id(club: Club, by: Actor) -> int | None:
    """Return the id of the history line that this form has written, now or before, or None. One
    query at most."""
    return club.actions.filter(key=by.key).values_list("pk", flat=True).first() if by.key else None


def run_or_render_refusal(
    request: HttpRequest,
    club: Club,
    page: str,
    action: Callable[..., object],
    render: Callable[[HttpRequest, Club], HttpResponse],
    /,
    **arguments: Any,
) -> HttpResponse:
    """Run the action with these arguments, ``by`` the account, and redirect to that page of the club, or render the
    refusal."""
    try:
        by = get_actor(request)
        action(**arguments, by=by)
    except Refusal as refusal:
        note_refusal(request, refusal)
        return render(request, club)
    return redirect_with_notice(request, club, page, by)


def render_or_save_form(
    request: HttpRequest,
    club: Club,
    page: str,
    form: Form,
    save: Callable[[Actor], object],
    *,
    template: str,
    **context: Any,
) -> HttpResponse:
    """Show a form; or save it and redirect to that page of the club, or show it again with the refusal."""

    def render(request: HttpRequest, club: Club) -> HttpResponse:
        return TemplateResponse(request, template, {"club": club, "form": form, **context})

    if request.method != "POST":
        return render(request, club)
    return run_or_render_refusal(request, club, page, save, render)


def _build_history(club: Club) -> HistoryPages:
    return HistoryPages(
        name=club.name,
        club=club,
        actions=club.actions.all(),
        groups=CLUB_ACTIONS,
        found=partial(filter_club_lines, club),
        lines=partial(list_club_change_lines, club),
        get_diff=lambda pk: get_club_change_diff(club, pk, changes.ClubChange.KINDS),
        shown={"club": club},
        page="clubs/page.html",
        menu="clubs/menu.html",
        address=reverse("club-history", args=[club.slug]),
        empty_text=_("Changes to the club appear here."),
    )
