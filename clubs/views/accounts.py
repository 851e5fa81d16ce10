"""The first run, sign-in and sign-out."""

from django.contrib.auth import authenticate, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from clubs import first_run
from clubs.models import Account, Club
from clubs.pages import is_submitted, link_page, note_refusal, public_page, show_refusals
from clubs.reauthentication import SignInMethod, start_session
from clubs.services import accounts, login_throttle, security_log
from errors import Refusal
from web.client_address import get_client_address
from web.forms import FormReader

from .club_form import build_club_form_context, read_club_form
from .sessions import redirect_after_sign_in, render_sign_in_page, set_account_language


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
    return TemplateResponse(request, "clubs/start.html", context)


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
