"""Pages with the state of the installation: for the people who run it, and before a night."""

from collections.abc import Iterable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club, for_owners
from clubs.models import Club

from .examination import examine, examine_before_night
from .findings import Finding, Severity


@require_safe
@for_owners
def installation(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the state of the whole installation, and what to do; for owners of its first club, who run it."""
    if not runs_installation(club):
        raise Http404
    return render(request, "operations/installation.html", {"club": club, **_by_severity(examine())})


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
