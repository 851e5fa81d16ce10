"""The page on which who runs the installation reads how it is."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import for_owners
from clubs.models import Club

from .examination import examine
from .findings import Severity


@require_safe
@for_owners
def installation(request: HttpRequest, club: Club) -> HttpResponse:
    """How the whole installation is, and what to do; for owners of its first club, who run it."""
    if not runs_installation(club):
        raise Http404
    findings = list(examine())
    to_do = [found for found in findings if found.level is not Severity.FINE]
    fine = [found for found in findings if found.level is Severity.FINE]
    return render(request, "operations/installation.html", {"club": club, "to_do": to_do, "fine": fine})


def runs_installation(club: Club) -> bool:
    """Whether it is the club that the installation was begun with. One query."""
    return not Club.objects.filter(pk__lt=club.pk).exists()
