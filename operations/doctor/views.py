"""Pages with the state of the installation: for the people who run it, and before a night."""

from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db.models import Count, F, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club, for_owners
from clubs.disk_quota import used_by_clubs
from clubs.models import Club
from tournaments.models import Event

from .examination import examine, examine_before_night
from .findings import Finding, Severity


@require_safe
@for_owners
def installation(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the state of the whole installation, and what to do; for owners of its first club, who run it."""
    if not runs_installation(club):
        raise Http404
    context = {"club": club, "clubs": clubs_of_installation(), **_by_severity(examine())}
    return render(request, "operations/installation.html", context)


def clubs_of_installation() -> Sequence[Club]:
    """Return all clubs, the last active first, each with its last night, its people and its bytes on disk."""
    nights = Event.objects.filter(club=OuterRef("pk"), is_put_away=False).order_by("-held_on")
    clubs = list(
        Club.objects.annotate(
            last_night=Subquery(nights.values("held_on")[:1]), people_count=Count("people")
        ).order_by(F("last_night").desc(nulls_last=True), "name")
    )
    used = used_by_clubs()
    for club in clubs:
        vars(club)["bytes_used"] = used[club.pk]
    return clubs


@require_safe
@for_directors_of_the_club
def before_the_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Show whether this computer is ready for a night in its hall, and what to do."""
    if not settings.NAMES.is_hall:
        raise Http404
    found = _by_severity(examine_before_night())
    return render(request, "operations/before_the_night.html", {"club": club, **found})


def _by_severity(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return what needs attention, and what is fine."""
    found = list(findings)
    return {
        "to_do": [each for each in found if each.level is not Severity.FINE],
        "fine": [each for each in found if each.level is Severity.FINE],
    }


def runs_installation(club: Club) -> bool:
    """Check whether the installation was started with this club. One query."""
    return not Club.objects.filter(pk__lt=club.pk).exists()
