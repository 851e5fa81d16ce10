"""A club's team: members with their roles, and invitation links."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urljoin

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clubs import services
from clubs.access import for_owners
from clubs.actor import actor_from
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.models import Club, Membership, Role
from clubs.post_only import posted_from
from clubs.queries import members_of, open_invitations_of, refusals_of
from clubs.reauthentication import for_fresh_sign_in
from clubs.services import InvitationSecret
from clubs.services.security_log import KEPT
from errors import Refusal
from web.qr import origin_for_phones, square

from .history import run_or_show_refusal


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
@for_fresh_sign_in
def team(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the team with its roles and open invitations, and create an invitation link."""
    if request.method != "POST":
        return _team(request, club)
    role, note = request.POST.get("role", ""), request.POST.get("note", "")
    return _link(request, club, lambda by: services.invite(club_id=club.pk, role=role, note=note, by=by))


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
@for_fresh_sign_in
def member(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show a member of the team, and change their role."""
    known = _member(club, pk)
    if request.method != "POST":
        return _member_page(request, club, known)
    role = request.POST.get("role", "")
    return run_or_show_refusal(
        request,
        club,
        "team",
        lambda by: services.change_role(club_id=club.pk, membership_id=pk, role=role, by=by),
        refused=partial(_member_page, request, club, known),
    )


@require_safe
@for_owners
def list_refusals(request: HttpRequest, club: Club) -> HttpResponse:
    """Show recent refused sign-ins, passkeys, mails and codes of the team."""
    context = {"club": club, "refusals": refusals_of(club), "days": KEPT.days}
    return TemplateResponse(request, "clubs/team/refused.html", context)


@posted_from("member", "slug", "pk")
@for_owners
@for_fresh_sign_in
def remove_member(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a member from the team."""
    return run_or_show_refusal(
        request,
        club,
        "team",
        lambda by: services.remove_member(club_id=club.pk, membership_id=pk, by=by),
        refused=partial(_team, request, club),
    )


@posted_from("member", "slug", "pk")
@for_owners
@for_fresh_sign_in
def new_password(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create a link with which a member of the team chooses a new password."""
    return _link(
        request, club, lambda by: services.hand_new_password(club_id=club.pk, membership_id=pk, by=by)
    )


@posted_from("member", "slug", "pk")
@for_owners
@for_fresh_sign_in
def remove_app(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove the authenticator app of a member who lost the phone and the recovery codes."""
    return run_or_show_refusal(
        request,
        club,
        "team",
        lambda by: services.remove_members_second_factor(club_id=club.pk, membership_id=pk, by=by),
        refused=partial(_team, request, club),
    )


@posted_from("team", "slug")
@for_owners
@for_fresh_sign_in
def renew(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Replace an invitation link that was lost."""
    return _link(
        request, club, lambda by: services.renew_invitation(club_id=club.pk, invitation_id=pk, by=by)
    )


@posted_from("team", "slug")
@for_owners
@for_fresh_sign_in
def revoke_invitation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Revoke an invitation link."""
    return run_or_show_refusal(
        request,
        club,
        "team",
        lambda by: services.revoke_invitation(club_id=club.pk, invitation_id=pk, by=by),
        refused=partial(_team, request, club),
    )


def _member(club: Club, pk: int) -> Membership:
    found = next((one for one in members_of(club) if one.pk == pk), None)
    if found is None:
        raise Http404
    return found


def _team(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "members": members_of(club),
        "invitations": open_invitations_of(club),
        "now": timezone.now(),
        "roles": Role.choices,
        "typed": {"role": Role.DESK.value} | request.POST.dict(),
        "done": club_line(club, request.GET.get("done", "")),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/team/team.html", context)


def _member_page(
    request: HttpRequest, club: Club, known: Membership, refusal: Refusal | None = None
) -> HttpResponse:
    context = {"club": club, "member": known, "roles": Role.choices, "refusal": refusal}
    return TemplateResponse(request, "clubs/team/member.html", context)


def _link(request: HttpRequest, club: Club, deed: Callable[[Actor], InvitationSecret]) -> HttpResponse:
    """Show the link, only this once; redirect to the team if the form was sent twice."""
    try:
        handed = deed(actor_from(request))
    except Refusal as refusal:
        return _team(request, club, refusal)
    if not handed.secret:
        return redirect("team", slug=club.slug)
    address = urljoin(origin_for_phones(request), reverse("invitation", args=[handed.secret]))
    context = {"club": club, "invitation": handed.invitation, "address": address, "square": square(address)}
    return TemplateResponse(request, "clubs/team/link.html", context)
