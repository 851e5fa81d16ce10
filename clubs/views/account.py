"""The page of one's own account: name, language, sign-in methods, and clubs."""

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_post_parameters

from clubs.models import Account, Club, Role
from clubs.pages import (
    accounts_only,
    club_owners_only,
    get_actor,
    get_device,
    is_submitted,
    members_only,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.queries import find_pending_address, find_second_factor, list_sessions, query_memberships, query_passkeys
from clubs.reauthentication import get_fresh_method, is_passwordless
from clubs.services import accounts, login_throttle, team
from clubs.sessions import hash_session_key
from errors import Refusal
from web.client_address import get_client_address
from web.forms import LANGUAGES, FormReader

from .club_form import build_club_form_context, read_club_form
from .sessions import get_passkey_site, set_account_language


def get_account(request: HttpRequest) -> Account:
    """Return the account that is signed in."""
    assert isinstance(request.user, Account)
    return request.user


def redirect_to_account(notice: str) -> HttpResponse:
    """Redirect to the account page, which says what was done."""
    response = redirect("account")
    response.headers["Location"] += f"?saved={notice}"
    return response


def get_session_digest(request: HttpRequest) -> str:
    """Return the digest by which this session is stored."""
    return hash_session_key(request.session.session_key or "")


def render_account_page(request: HttpRequest) -> HttpResponse:
    """Render the account page."""
    account = get_account(request)
    memberships = list(query_memberships(account))
    form_data = {"name": account.name, "language": account.language, "passkey": get_device(request)}
    context = {
        "account": account,
        "typed": form_data | request.POST.dict(),
        "memberships": memberships,
        "owns_a_club": any(member.role == Role.OWNER for member in memberships),
        "zone": memberships[0].club.time_zone if memberships else None,
        "passkeys": query_passkeys(account),
        "app": find_second_factor(account),
        "sessions": list_sessions(account),
        "this_session": get_session_digest(request),
        "site": get_passkey_site(request),
        "has_mail": bool(settings.MAIL_ORIGIN),
        "awaited": find_pending_address(account) if settings.MAIL_ORIGIN else None,
        "is_fresh": get_fresh_method(request) is not None,
        "needs_password": not is_passwordless(request),
        "saved": request.GET.get("saved", "") if request.method != "POST" else "",
    }
    return TemplateResponse(request, "clubs/account.html", context)


@accounts_only
@show_refusals
def account_page(request: HttpRequest) -> HttpResponse:
    """Show and change the account's name and language, with its sign-in methods and clubs."""
    if not is_submitted(request):
        return render_account_page(request)
    form = FormReader(request.POST.dict())
    name = form.read_text("name", required="name_required")
    language = form.read_choice("language", LANGUAGES)
    form.raise_refusals()
    changed = accounts.change_account(account_id=get_account(request).pk, name=name, language=language)
    return set_account_language(redirect_to_account("account"), changed)


@club_owners_only
@show_refusals
def add_club(request: HttpRequest) -> HttpResponse:
    """Add a club to this installation."""
    account = get_account(request)
    if is_submitted(request):
        return redirect("club", slug=_add_club(request, account).slug)
    context = build_club_form_context(request, language=account.language)
    return TemplateResponse(request, "clubs/new_club.html", context)


def _add_club(request: HttpRequest, account: Account) -> Club:
    form = FormReader(request.POST.dict())
    name = form.read_text("club_name", required="club_name_required")
    answers = read_club_form(form)
    form.raise_refusals()
    return accounts.add_club(account_id=account.pk, name=name, **answers, by=get_actor(request))


@sensitive_post_parameters("current", "password")
@require_post_from("account")
@accounts_only
@show_refusals_on(render_account_page)
def change_password(request: HttpRequest) -> HttpResponse:
    """Change the password, with the current one or after a sign-in without it. Sessions on
    other devices end."""
    account = get_account(request)
    changed = _change_password(request, account)
    update_session_auth_hash(request, changed)
    accounts.sign_out_others(account_id=account.pk, digest=get_session_digest(request))
    return redirect_to_account("password")


def _change_password(request: HttpRequest, account: Account) -> Account:
    """Change the password, counting wrong tries.

    Refuses: too_many_tries, current_password_wrong, password_too_weak, password_of_names.
    """
    password = request.POST.get("password", "")
    if is_passwordless(request):
        return accounts.change_password(account_id=account.pk, current=None, password=password)
    current = request.POST.get("current", "")
    counters = login_throttle.build_password_counters(name=account.name, address=get_client_address(request))
    login_throttle.begin_attempt(counters, field="current")
    try:
        changed = accounts.change_password(account_id=account.pk, current=current, password=password)
    except Refusal as refusal:
        if refusal.code != "current_password_wrong":
            login_throttle.end_attempt(counters)
        raise
    login_throttle.end_attempt(counters)
    return changed


@require_post_from("account")
@accounts_only
def sign_out_device(request: HttpRequest, digest: str) -> HttpResponse:
    """Sign out another device."""
    accounts.sign_out_device(account_id=get_account(request).pk, digest=digest)
    return redirect_to_account("device")


@require_post_from("account")
@accounts_only
def sign_out_others(request: HttpRequest) -> HttpResponse:
    """Sign out all devices except this one."""
    accounts.sign_out_others(account_id=get_account(request).pk, digest=get_session_digest(request))
    return redirect_to_account("device")


@require_post_from("account")
@members_only
@show_refusals_on(render_account_page)
def leave_club(request: HttpRequest, club: Club) -> HttpResponse:
    """Give up one's own role in the club."""
    team.leave_club(club_id=club.pk, account=get_account(request), by=get_actor(request))
    return redirect_to_account("club")
