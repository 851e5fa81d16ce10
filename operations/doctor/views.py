"""The page that shows the state of the installation to the people who run it."""

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
    """Show the state of the whole installation, and what to do; for owners of its first club, who run it."""
    if not runs_installation(club):
        raise Http404
    findings = list(examine())
    to_do = [found for found in findings if found.level is not Severity.FINE]
    fine = [found for found in findings if found.level is Severity.FINE]
    return render(request, "operations/installation.html", {"club": club, "to_do": to_do, "fine": fine})


def runs_installation(club: Club) -> bool:
    """Check whether the installation was started with this club. One query."""
    return not Club.objects.filter(pk__lt=club.pk).exists()
