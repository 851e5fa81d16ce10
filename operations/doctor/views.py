"""Pages with the state of the installation: for the people who run it, and before a night."""

from collections.abc import Iterable, Mapping, Sequence

from django.conf import settings
from django.db.models import Count, F, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import localdate
from django.views.decorators.http import require_safe

from clubs.disk_quota import MEGABYTE, get_quota, measure_disk_use
from clubs.models import Club, ClubRequest
from clubs.pages import directors_only, owners_only
from clubs.queries import is_installation_owner
from clubs.services.club_requests import answer_club_request
from clubs.services.leaving import set_club_quota
from errors import Refusal
from tournaments.models import Event
from web.forms import parse_digits

from .examination import run_checks, run_night_checks
from .findings import Finding, Severity


@owners_only
def show_installation(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the state of the whole installation, and what to do, and answer requests for clubs; for owners of
    its first club, who run it."""
    if not is_installation_owner(club):
        raise Http404
    chosen_id = parse_digits((request.POST or request.GET).get("club", ""), max_digits=9)
    refusal, chosen = None, Club.objects.filter(pk=chosen_id or 0).first()
    if request.method == "POST":
        try:
            _answer_request(request) if chosen is None else _set_quota(request, chosen)
            return redirect("installation", slug=club.slug)
        except Refusal as refused:
            refusal = refused
    bytes_by_club = measure_disk_use()
    context = {
        "club": club,
        "clubs": list_clubs(bytes_by_club),
        "chosen": chosen,
        "usual_quota": settings.CLUB_QUOTA // MEGABYTE,
        "refusal": refusal,
        "requests": ClubRequest.objects.filter(answered_at=None),
        **_group_by_severity(run_checks(used=bytes_by_club)),
    }
    return render(request, "operations/installation.html", context)


def _answer_request(request: HttpRequest) -> None:
    if request.POST.get("request", "").isdecimal():
        is_approved = request.POST.get("choice") == "approve"
        answer_club_request(request_id=int(request.POST["request"]), is_approved=is_approved)


def _set_quota(request: HttpRequest, club: Club) -> None:
    typed = request.POST.get("quota", "").strip()
    set_club_quota(club_id=club.pk, megabytes=(parse_digits(typed, max_digits=9) or 0) if typed else None)


def list_clubs(bytes_by_club: Mapping[int, int]) -> Sequence[Club]:
    """Return all clubs, the last active first, each with its last night, its people and its disk space."""
    nights = Event.objects.filter(club=OuterRef("pk"), is_put_away=False, held_on__lte=localdate()).order_by("-held_on")
    clubs = list(
        Club.objects.annotate(last_night=Subquery(nights.values("held_on")[:1]), people_count=Count("people")).order_by(
            F("last_night").desc(nulls_last=True), "name"
        )
    )
    for club in clubs:
        vars(club).update(bytes_used=bytes_by_club.get(club.pk, 0), bytes_allowed=get_quota(club))
    return clubs


@require_safe
@directors_only
def show_night_checks(request: HttpRequest, club: Club) -> HttpResponse:
    """Show whether this computer is ready for a night in its hall, and what to do."""
    if not settings.NAMES.is_hall:
        raise Http404
    findings = _group_by_severity(run_night_checks(club))
    return render(request, "operations/night_checks.html", {"club": club, **findings})


def _group_by_severity(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return what needs attention, advice, and what is fine."""
    results = list(findings)
    return {
        "to_do": [result for result in results if result.level in {Severity.WARNING, Severity.BROKEN}],
        "advice": [result for result in results if result.level is Severity.ADVICE],
        "fine": [result for result in results if result.level is Severity.FINE],
    }
