"""The page of one's own account: name, language, sign-in methods, and clubs."""

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_accounts, for_members, for_owners_of_a_club
from clubs.actor import actor_from, device_of
from clubs.models import Account, Club, Role
from clubs.post_only import posted_from
from clubs.queries import (
    address_to_confirm,
    passkeys_of,
    roles_of,
    second_factor_of,
    sessions_of,
)
from clubs.reauthentication import fresh_proof, has_come_without_password
from clubs.sessions import digest_of
from errors import Refusal
from web.client_address import client_address
from web.forms import LANGUAGES, FormReader

from .club_answers import club_answers_context, read_club_answers
from .sessions import in_language, site_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_accounts
def account_page(request: HttpRequest) -> HttpResponse:
    """Show and change the account's name and language, with its sign-in methods and clubs."""
    account = account_of(request)
    if request.method != "POST":
        return account_view(request, account)
    try:
        form = FormReader(request.POST.dict())
        name = form.text("name", required="name_required")
        language = form.choice("language", LANGUAGES)
        form.finish()
        changed = services.change_account(account_id=account.pk, name=name, language=language)
    except Refusal as refusal:
        return account_view(request, account, refusal)
    return in_language(back("account"), changed)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners_of_a_club
def new_club(request: HttpRequest) -> HttpResponse:
    """Add a club to this installation."""
    account, refusal = account_of(request), None
    if request.method == "POST":
        try:
            return redirect("club", slug=_add_club(request, account).slug)
        except Refusal as refused:
            refusal = refused
    context = {
        "refusal": refusal,
        **club_answers_context(request, language=account.language),
    }
    return TemplateResponse(request, "clubs/new_club.html", context)


def _add_club(request: HttpRequest, account: Account) -> Club:
    form = FormReader(request.POST.dict())
    name = form.text("club_name", required="club_name_required")
    answers = read_club_answers(form)
    form.finish()
    return services.add_club(account_id=account.pk, name=name, **answers, by=actor_from(request))


@sensitive_post_parameters("current", "password")
@posted_from("account")
@for_accounts
def change_password(request: HttpRequest) -> HttpResponse:
    """Change the password, with the current one or after a sign-in without it. Sessions on
    other devices end."""
    account = account_of(request)
    try:
        changed = _change_password(request, account)
    except Refusal as refusal:
        return account_view(request, account, refusal)
    update_session_auth_hash(request, changed)
    services.sign_out_others(account_id=account.pk, digest=this_session(request))
    return back("password")


def _change_password(request: HttpRequest, account: Account) -> Account:
    """Change the password, counting wrong tries.

    Refuses: too_many_tries, current_password_wrong, password_too_weak, password_of_names.
    """
    password = request.POST.get("password", "")
    if has_come_without_password(request):
        return services.change_password(account_id=account.pk, current=None, password=password)
    current = request.POST.get("current", "")
    tries = services.password_tries(name=account.name, address=client_address(request))
    services.begin_try(tries, field="current")
    try:
        changed = services.change_password(account_id=account.pk, current=current, password=password)
    except Refusal as refusal:
        if refusal.code != "current_password_wrong":
            services.end_try(tries)
        raise
    services.end_try(tries)
    return changed


@posted_from("account")
@for_accounts
def sign_out_device(request: HttpRequest, digest: str) -> HttpResponse:
    """Sign out another device."""
    services.sign_out_device(account_id=account_of(request).pk, digest=digest)
    return back("device")


@posted_from("account")
@for_accounts
def sign_out_others(request: HttpRequest) -> HttpResponse:
    """Sign out all devices except this one."""
    services.sign_out_others(account_id=account_of(request).pk, digest=this_session(request))
    return back("device")


def this_session(request: HttpRequest) -> str:
    """Return the digest by which this session is stored."""
    return digest_of(request.session.session_key or "")


@posted_from("account")
@for_members
def leave_club(request: HttpRequest, club: Club) -> HttpResponse:
    """Give up one's own role in the club."""
    account = account_of(request)
    try:
        services.leave_club(club_id=club.pk, account=account, by=actor_from(request))
    except Refusal as refusal:
        return account_view(request, account, refusal)
    return back("club")


def account_of(request: HttpRequest) -> Account:
    """Return the account that is signed in."""
    assert isinstance(request.user, Account)
    return request.user


def back(saved: str) -> HttpResponse:
    """Redirect to the account page, which says what was done."""
    response = redirect("account")
    response.headers["Location"] += f"?saved={saved}"
    return response


def account_view(request: HttpRequest, account: Account, refusal: Refusal | None = None) -> HttpResponse:
    """Render the account page."""
    memberships = list(roles_of(account))
    typed = {"name": account.name, "language": account.language, "passkey": device_of(request)}
    context = {
        "account": account,
        "typed": typed | request.POST.dict(),
        "memberships": memberships,
        "owns_a_club": any(member.role == Role.OWNER for member in memberships),
        "zone": memberships[0].club.time_zone if memberships else None,
        "passkeys": passkeys_of(account),
        "app": second_factor_of(account),
        "sessions": sessions_of(account),
        "this_session": this_session(request),
        "site": site_of(request),
        "has_mail": bool(settings.MAIL_LEADS_TO),
        "awaited": address_to_confirm(account) if settings.MAIL_LEADS_TO else None,
        "is_fresh": fresh_proof(request) is not None,
        "needs_password": not has_come_without_password(request),
        "saved": request.GET.get("saved", "") if request.method != "POST" else "",
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/account.html", context)
