"""The history of a club, with undo for each line."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.history import GROUPS, filter_club_lines, find_club_line, get_club_change_diff, list_club_change_lines
from clubs.audit.log import Actor
from clubs.models import Club
from clubs.pages import directors_only, get_actor, has_permission, note_refusal, require_post_from
from clubs.services import changes, undo
from errors import Refusal
from jobs.models import Job
from web.forms import Form

from .history_pages import HistoryPages, render_change_page, render_history_file, render_history_page


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
) -> HttpResponse:
    """Run the action ``by`` the account and redirect to that page of the club, or render the refusal."""
    try:
        by = get_actor(request)
        action(by=by)
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
        groups=GROUPS,
        found=partial(filter_club_lines, club),
        lines=partial(list_club_change_lines, club),
        get_diff=lambda pk: get_club_change_diff(club, pk, changes.ClubChange.KINDS),
        shown={"club": club},
        page="clubs/page.html",
        menu="clubs/rail.html",
        address=reverse("club-history", args=[club.slug]),
        empty_text=_("Changes to the club appear here."),
    )
