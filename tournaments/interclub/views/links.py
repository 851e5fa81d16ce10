"""Page of an invitation link. The director who opens it chooses the club that takes part."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import for_its_link
from clubs.actor import actor_from
from clubs.models import Account, Club, Role
from clubs.policy import MAY, Permission
from clubs.queries import roles_of
from errors import Refusal
from scoring.parsing import whole_number
from tournaments.interclub.queries import invited_by_link
from tournaments.interclub.services.invitations import accept_by_link


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_link
def interclub_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the event or series of the invitation, and accept it for a club that one directs."""
    mine = _clubs_directed(request)
    refusal = None
    if request.method == "POST":
        try:
            chosen = whole_number(request.POST, "club")
            if chosen not in {club.pk for club in mine}:
                raise Refusal("no_such_club", field="club")
            accept_by_link(secret=secret, club_id=chosen, by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("interclub", slug=next(club.slug for club in mine if club.pk == chosen))
    invited = invited_by_link(secret)
    if invited is None:
        refusal = Refusal("invitation_over")
    context = {
        "invited": invited,
        "clubs": [club for club in mine if invited is None or club != invited.host],
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/interclub/link.html", context)


def _clubs_directed(request: HttpRequest) -> list[Club]:
    """Return the clubs for which the reader may answer. One query; none if not signed in."""
    if not isinstance(request.user, Account):
        return []
    return [one.club for one in roles_of(request.user) if Permission.DIRECT in MAY[Role(one.role)]]
