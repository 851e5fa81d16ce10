"""The first run, sign-in and sign-out, and the page of one's own account."""

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from clubs import first_run
from clubs.models import Account, Club, Role, TimeZone
from clubs.pages import (
    accounts_only,
    club_owners_only,
    get_actor,
    get_device,
    is_submitted,
    link_page,
    members_only,
    note_refusal,
    public_page,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.queries import find_pending_address, find_second_factor, list_sessions, query_memberships, query_passkeys
from clubs.reauthentication import SignInMethod, get_fresh_method, is_passwordless, start_session
from clubs.services import accounts, login_throttle, security_log, team
from clubs.sessions import hash_session_key
from errors import Refusal
from rules import RULESETS
from web.client_address import get_client_address
from web.forms import LANGUAGES, FormReader

from .sessions import get_passkey_site, redirect_after_sign_in, render_sign_in_page, set_account_language


@sensitive_post_parameters("password")
@link_page
@show_refusals
def start(request: HttpRequest, secret: str) -> HttpResponse:
    """Create the first account and club of an installation, behind the one-time link."""
    if not first_run.is_first_run_secret(secret):
        note_refusal(request, Refusal("link_used"))
    if is_submitted(request):
        account, club = _start(request, secret)
        start_session(SignInMethod.PASSWORD, request, account)
        return set_account_language(redirect("club", slug=club.slug), account)
    context = build_club_form_context(request, language=get_language())
    return TemplateResponse(request, "clubs/first_setup.html", context)


def _start(request: HttpRequest, secret: str) -> tuple[Account, Club]:
    form = FormReader(request.POST.dict())
    name = form.read_text("name", required="name_required")
    club_name = form.read_text("club_name", required="club_name_required")
    password = form.read_secret("password")
    if refusal := accounts.find_password_weakness(password, name, club_name):
        form.refuse(refusal)
    answers = read_club_form(form)
    form.raise_refusals()
    return accounts.start_club(
        secret=secret,
        name=name,
        password=password,
        club_name=club_name,
        **answers,
    )


@sensitive_post_parameters("password")
@public_page
@show_refusals
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in with name and password, then open the requested page or the account's only club."""
    if not is_submitted(request):
        return render_sign_in_page(request)
    account = _authenticate(request)
    return redirect_after_sign_in(request, account, SignInMethod.PASSWORD, next_url=request.POST.get("next", ""))


def _authenticate(request: HttpRequest) -> Account:
    """Return the account with this name and password.

    Refuses: too_many_tries, wrong_password.
    """
    name = request.POST.get("name", "")
    address = get_client_address(request)
    counters = login_throttle.build_password_counters(name=name, address=address)
    try:
        login_throttle.begin_attempt(counters, field="password")
    except Refusal:
        security_log.log_refusal(
            security_log.SIGN_IN_THROTTLED, address=address, account=security_log.find_account(name)
        )
        raise
    account = authenticate(request, username=name, password=request.POST.get("password", ""))
    if not isinstance(account, Account):
        security_log.log_refusal(security_log.WRONG_PASSWORD, address=address, account=security_log.find_account(name))
        raise Refusal("wrong_password", field="password")
    login_throttle.end_attempt(counters)
    return account


@require_POST
@public_page
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out."""
    logout(request)
    response = redirect("home")
    response.headers["Clear-Site-Data"] = '"cache"'  # by HTTPS; elsewhere `no-store` has to do
    return response


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


def read_club_form(form: FormReader) -> dict[str, str]:
    """Read the answers for the services; the form collects refusals. Codes: no_such_choice."""
    return {
        "language": form.read_choice("language", LANGUAGES),
        "time_zone": form.read_choice("time_zone", TimeZone.values),
        "ruleset": form.read_choice("ruleset", RULESETS),
    }


def build_club_form_context(request: HttpRequest, *, language: str | None) -> dict[str, Any]:
    """Return the context of ``clubs/club_fields.html``: as typed, or at first the defaults for
    this language."""
    defaults = {"language": language, "ruleset": "canadian", "time_zone": TimeZone.EASTERN}
    return {
        "typed": request.POST or defaults,
        "rulesets": RULESETS.values(),
        "time_zones": TimeZone.choices,
    }
