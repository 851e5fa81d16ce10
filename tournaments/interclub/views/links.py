"""Page of an invitation link. The director who opens it chooses the club that takes part."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import link_page
from clubs.actor import get_actor
from clubs.models import Account, Club, Role
from clubs.policy import ROLE_PERMISSIONS, Permission
from clubs.queries import query_memberships
from errors import Refusal
from scoring.parsing import parse_whole_number
from tournaments.interclub.queries import find_link_invitation, find_used_invitation
from tournaments.interclub.services.invitations import accept_by_link


@require_http_methods(["GET", "HEAD", "POST"])
@link_page
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the event or series of the invitation, and accept it for a club that one directs."""
    directed_clubs = _list_directed_clubs(request)
    refusal = None
    if request.method == "POST":
        try:
            chosen = parse_whole_number(request.POST, "club")
            if chosen not in {club.pk for club in directed_clubs}:
                raise Refusal("no_such_club", field="club")
            accept_by_link(secret=secret, club_id=chosen, by=get_actor(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("interclub", slug=next(club.slug for club in directed_clubs if club.pk == chosen))
    invitation = find_link_invitation(secret)
    if invitation is None:
        accepted = find_used_invitation(secret, [club.pk for club in directed_clubs])
        if accepted is not None and accepted.club is not None:
            return redirect("interclub", slug=accepted.club.slug)
        refusal = Refusal("invitation_over")
    context = {
        "invited": invitation,
        "clubs": [club for club in directed_clubs if invitation is None or club != invitation.host],
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/interclub/link.html", context)


def _list_directed_clubs(request: HttpRequest) -> list[Club]:
    """Return the clubs for which the reader may answer. One query; none if not signed in."""
    if not isinstance(request.user, Account):
        return []
    return [
        membership.club
        for membership in query_memberships(request.user)
        if Permission.DIRECT in ROLE_PERMISSIONS[Role(membership.role)]
    ]
