"""The team of a club: members, roles, invitation links, and the pages that these open."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urljoin

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from clubs.audit.log import Actor
from clubs.models import Account, Club, Membership, Role
from clubs.pages import (
    get_actor,
    is_submitted,
    link_page,
    note_refusal,
    owners_only,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.queries import list_refused_sign_ins, list_team, query_club_invitations
from clubs.reauthentication import SignInMethod, require_fresh_sign_in
from clubs.services import accounts, second_factor, team
from clubs.services.security_log import RETENTION
from clubs.services.team import InvitationSecret
from errors import Refusal
from web.forms import LANGUAGES, FormReader
from web.not_found import get_or_404
from web.qr import get_phone_origin, render_qr_code

from .history import run_or_render_refusal
from .sessions import redirect_after_sign_in


@owners_only
@require_fresh_sign_in
def team_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the team with its roles and open invitations, and create an invitation link."""
    if request.method != "POST":
        return _render_team(request, club)
    role, note = request.POST.get("role", ""), request.POST.get("note", "")
    return _render_link(request, club, lambda by: team.invite(club_id=club.pk, role=role, note=note, by=by))


@owners_only
@require_fresh_sign_in
def member_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show a member of the team, and change their role."""
    membership = _get_member(club, pk)
    if request.method != "POST":
        return _render_member(request, club, membership=membership)
    render = partial(_render_member, membership=membership)
    values = {"club_id": club.pk, "membership_id": pk, "role": request.POST.get("role", "")}
    return run_or_render_refusal(request, club, "team", team.change_role, render, **values)


@require_safe
@owners_only
def refused_sign_ins(request: HttpRequest, club: Club) -> HttpResponse:
    """Show recent refused sign-ins, passkeys, mails and codes of the team."""
    context = {"club": club, "refusals": list_refused_sign_ins(club), "days": RETENTION.days}
    return TemplateResponse(request, "clubs/team/refused_sign_ins.html", context)


@require_post_from("member", "slug", "pk")
@owners_only
@require_fresh_sign_in
def remove_member(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a member from the team."""
    return run_or_render_refusal(
        request, club, "team", team.remove_member, _render_team, club_id=club.pk, membership_id=pk
    )


@require_post_from("member", "slug", "pk")
@owners_only
@require_fresh_sign_in
def new_password(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create a link with which a member of the team chooses a new password."""
    return _render_link(request, club, lambda by: team.create_password_link(club_id=club.pk, membership_id=pk, by=by))


@require_post_from("member", "slug", "pk")
@owners_only
@require_fresh_sign_in
def remove_app(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove the authenticator app of a member who lost the phone and the recovery codes."""
    reset = second_factor.reset_second_factor
    return run_or_render_refusal(request, club, "team", reset, _render_team, club_id=club.pk, membership_id=pk)


@require_post_from("team", "slug")
@owners_only
@require_fresh_sign_in
def renew_invitation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Replace an invitation link that was lost."""
    return _render_link(request, club, lambda by: team.renew_invitation(club_id=club.pk, invitation_id=pk, by=by))


@require_post_from("team", "slug")
@owners_only
@require_fresh_sign_in
def revoke_invitation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Revoke an invitation link."""
    return run_or_render_refusal(
        request, club, "team", team.revoke_invitation, _render_team, club_id=club.pk, invitation_id=pk
    )


def _get_member(club: Club, pk: int) -> Membership:
    return get_or_404(next((one for one in list_team(club) if one.pk == pk), None))


def _render_team(request: HttpRequest, club: Club) -> HttpResponse:
    context = {
        "club": club,
        "members": list_team(club),
        "invitations": query_club_invitations(club),
        "now": timezone.now(),
        "roles": Role.choices,
        "typed": {"role": Role.DESK.value} | request.POST.dict(),
    }
    return TemplateResponse(request, "clubs/team/team.html", context)


def _render_member(request: HttpRequest, club: Club, *, membership: Membership) -> HttpResponse:
    context = {"club": club, "member": membership, "roles": Role.choices}
    return TemplateResponse(request, "clubs/team/member.html", context)


@show_refusals_on(_render_team)
def _render_link(request: HttpRequest, club: Club, action: Callable[[Actor], InvitationSecret]) -> HttpResponse:
    """Show the link, only this once; redirect to the team if the form was sent twice."""
    invitation_secret = action(get_actor(request))
    if not invitation_secret.secret:
        return redirect("team", slug=club.slug)
    address = urljoin(get_phone_origin(request), reverse("invitation", args=[invitation_secret.secret]))
    context = {
        "club": club,
        "invitation": invitation_secret.invitation,
        "address": address,
        "qr_code": render_qr_code(address),
    }
    return TemplateResponse(request, "clubs/team/link.html", context)


@sensitive_post_parameters("password")
@link_page
@show_refusals
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Accept an invitation with the account signed in, or with a new name and password; or
    choose a new password."""
    if is_submitted(request):
        return ACTIONS.get(request.POST.get("choice", ""), _join)(request, secret)
    found = team.find_open_invitation(secret)
    if found is None:
        note_refusal(request, Refusal("invitation_over"))
    context = {"invitation": found, "typed": request.POST}
    return TemplateResponse(request, "clubs/invitation.html", context)


def _accept(request: HttpRequest, secret: str) -> HttpResponse:
    if not isinstance(request.user, Account):
        return redirect("invitation", secret=secret)
    club = team.accept_invitation(secret=secret, account=request.user, by=get_actor(request))
    return redirect("club", slug=club.slug)


def _join(request: HttpRequest, secret: str) -> HttpResponse:
    form = FormReader(request.POST.dict())
    name = form.read_text("name", required="name_required")
    password = form.read_secret("password")
    found = team.find_open_invitation(secret)
    if refusal := accounts.find_password_weakness(password, name, found.club.name if found else ""):
        form.refuse(refusal)
    form.raise_refusals()
    language = get_language()
    account, club = team.join_with_new_account(
        secret=secret,
        name=name,
        password=password,
        language=language if language in LANGUAGES else LANGUAGES[0],
        by=get_actor(request),
    )
    next_url = reverse("club", args=[club.slug])
    return redirect_after_sign_in(request, account, SignInMethod.PASSWORD, next_url=next_url)


def _choose(request: HttpRequest, secret: str) -> HttpResponse:
    password = request.POST.get("password", "")
    account = team.choose_new_password(secret=secret, password=password, by=get_actor(request))
    return redirect_after_sign_in(request, account, SignInMethod.LINK, next_url=reverse("home"))


ACTIONS = {"accept": _accept, "join": _join, "choose": _choose}
