"""The history of a club, with undo for each line."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import services
from clubs.access import for_directors_of_the_club, may
from clubs.actor import actor_from
from clubs.audit.history import GROUPS, club_change_lines, club_line, club_lines_asked, club_written
from clubs.audit.log import Actor
from clubs.models import Club
from clubs.post_only import posted_from
from errors import Refusal
from jobs.models import Job

from .history_pages import HistoryPages, change_page, history_file, history_page


@require_safe
@for_directors_of_the_club
def club_history(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's history, newest first, or search it."""
    return history_page(request, _history_of(club))


@require_safe
@for_directors_of_the_club
def club_history_file(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the club's history, or what a search finds in it."""
    return history_file(request, _history_of(club), ending)


@require_safe
@for_directors_of_the_club
def club_change(request: HttpRequest, club: Club, action_id: int) -> HttpResponse:
    """Show what one change wrote, before and after: in the open line, or as a page of its own."""
    return change_page(request, _history_of(club), action_id)


@posted_from("club-history", "slug")
@for_directors_of_the_club
def club_undo(request: HttpRequest, club: Club, action_id: int) -> HttpResponse:
    """Undo a change, or undo an undo. Then return to the page ``next``, which says so, or to the history."""
    line = club_line(club, str(action_id))
    if line is not None and not may(request, line.undone_by):
        raise Refusal("owner_only")
    try:
        undone = services.undo_for_form(club_id=club.pk, action_id=action_id, by=actor_from(request))
    except Refusal as refusal:
        return history_page(request, _history_of(club), refusal)
    if isinstance(undone, Job):
        return redirect("bringing-in", slug=club.slug)
    wanted = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return redirect("club-history", slug=club.slug)
    return redirect(f"{wanted}?{urlencode({'done': undone.pk})}")


def to_list(request: HttpRequest, club: Club, page: str, by: Actor) -> HttpResponse:
    """Redirect to a page of the club, which says what was just done and offers to undo it."""
    address = reverse(page, args=[club.slug])
    done = line_of_form(club, by)
    return redirect(address if done is None else f"{address}?{urlencode({'done': done})}")


def line_of_form(club: Club, by: Actor) -> int | None:
    """Return the id of the history line that this form has written, now or before, or None. One
    query at most."""
    return club.actions.filter(key=by.key).values_list("pk", flat=True).first() if by.key else None


def run_or_show_refusal(
    request: HttpRequest,
    club: Club,
    page: str,
    deed: Callable[[Actor], object],
    *,
    refused: Callable[[Refusal], HttpResponse],
) -> HttpResponse:
    """Run the action and redirect to that page of the club, or show the refusal."""
    try:
        by = actor_from(request)
        deed(by)
    except Refusal as refusal:
        return refused(refusal)
    return to_list(request, club, page, by)


def _history_of(club: Club) -> HistoryPages:
    return HistoryPages(
        name=club.name,
        club=club,
        actions=club.actions.all(),
        groups=GROUPS,
        found=partial(club_lines_asked, club),
        lines=partial(club_change_lines, club),
        written=lambda pk: club_written(club, pk, services.ClubChange.row_kinds()),
        shown={"club": club},
        page="clubs/page.html",
        menu="clubs/rail.html",
        address=reverse("club-history", args=[club.slug]),
        nothing_yet=_("Changes to the club appear here."),
    )
