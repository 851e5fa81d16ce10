"""The page on which a club leaves a shared server: with its file, and with some days to change its mind."""

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from clubs.club_files import ClubFile, find_club_file, find_last_job
from clubs.models import Account, Club, ClubAction, Membership
from clubs.pages import get_actor, owners_only
from clubs.queries import is_installation_owner
from clubs.reauthentication import require_fresh_sign_in
from clubs.services import leaving
from errors import Refusal
from jobs.services import enqueue
from scoring.models import Mark
from tournaments.models import Action

from .backup import open_backup

KIND = "remove_club"
"""The kind of job that deletes a club whose days are over; its key is the club's id."""


@owners_only
@require_fresh_sign_in
def leave_server(request: HttpRequest, club: Club) -> HttpResponse:
    """Delete the club from this server, once its file is downloaded, and change one's mind for some days."""
    if is_installation_owner(club):
        raise Http404
    refusal, file = None, _find_current_file(club)
    if request.method == "POST":
        try:
            if "stay" in request.POST:
                leaving.stay_on_server(club_id=club.pk, by=get_actor(request))
            else:
                _check_file(file, is_saved="saved" in request.POST)
                leaving.leave_server(club_id=club.pk, by=get_actor(request))
            return redirect("leave-server", slug=club.slug)
        except Refusal as refused:
            refusal = refused
    context = {
        "club": club,
        "file": file,
        "counts": {} if file is None else _count_rows(file),
        "accounts": _list_own_accounts(club),
        "days": leaving.DAYS_TO_LEAVE,
        "refusal": refusal,
    }
    return TemplateResponse(request, "operations/club_departure.html", context)


def _find_current_file(club: Club) -> ClubFile | None:
    """Return the export that is ready, if nothing changed since."""
    job = find_last_job(club)
    file = None if job is None else find_club_file(club, job)
    if job is None or file is None:
        return None
    is_newer = Q(created_at__gt=job.started_at or job.created_at)
    is_changed = (
        ClubAction.objects.filter(is_newer, club=club).exclude(kind__in=("leave_server", "stay_on_server")).exists()
        or Action.objects.filter(is_newer, event__club=club).exists()
        or Mark.objects.filter(is_newer, match__card__club=club).exists()
    )
    return None if is_changed else file


def _count_rows(file: ClubFile) -> dict[str, int]:
    tables = open_backup(file.path).tables
    return {
        "people": tables["clubs.Person"]["rows"],
        "events": tables["tournaments.Event"]["rows"],
        "hands": tables["scoring.Mark"]["rows"],
    }


def _check_file(file: ClubFile | None, *, is_saved: bool) -> None:
    """Check that the file can be read, and that its owner has it. Refuses: club_file_required,
    club_file_not_saved, backup_damaged."""
    if file is None:
        raise Refusal("club_file_required")
    if not is_saved:
        raise Refusal("club_file_not_saved", field="saved")
    open_backup(file.path).check()


def _list_own_accounts(club: Club) -> list[Account]:
    """Return the accounts that are in no other club's team, and are deleted with the club."""
    team = Account.objects.filter(memberships__club=club)
    return list(team.exclude(memberships__in=Membership.objects.exclude(club=club)).order_by("name"))


def enqueue_due_removals() -> None:
    """Enqueue the deletion of each club whose days are over."""
    for club in Club.objects.filter(leaves_at__lte=timezone.now()):
        if not is_installation_owner(club):
            enqueue(kind=KIND, key=str(club.pk))
