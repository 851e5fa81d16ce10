"""The authenticator app: digits at sign-in, and one's own app to add and remove."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_accounts, for_everybody
from clubs.models import Account, SecondFactor
from clubs.one_time_codes import app_address
from clubs.post_only import posted_from
from clubs.queries import second_factor_of
from clubs.reauthentication import HalfSignIn, for_fresh_sign_in, half_sign_in
from clubs.services import security_log
from engine.signed_logs import group_digits
from errors import Refusal
from web.client_address import client_address
from web.qr import square

from .account import account_of, back, this_session
from .sessions import open_desk

_NEW_APP = "new_app"


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@for_everybody
def sign_in(request: HttpRequest) -> HttpResponse:
    """Complete the sign-in with the app's digits or a recovery code."""
    half = half_sign_in(request)
    if half is None:
        return redirect("sign-in")
    refusal = None
    if request.method == "POST":
        try:
            _check(request, half.account)
        except Refusal as refused:
            refusal = refused
        else:
            return open_desk(request, half.account, half.way, wanted=half.wanted)
    return _sign_in_page(request, half, refusal)


def _check(request: HttpRequest, account: Account) -> None:
    """Check the code, counting wrong tries.

    Refuses: too_many_tries, what ``check_second_factor`` refuses.
    """
    address = client_address(request)
    tries = services.code_tries(account_id=account.pk, address=address)
    try:
        services.begin_try(tries, field="code")
        services.check_second_factor(account_id=account.pk, code=request.POST.get("code", ""))
    except Refusal as refusal:
        is_throttled = refusal.code == "too_many_tries"
        kind = security_log.SIGN_IN_THROTTLED if is_throttled else security_log.WRONG_CODE
        security_log.note_refusal(kind, address=address, account=account)
        raise
    services.end_try(tries)


def _sign_in_page(request: HttpRequest, half: HalfSignIn, refusal: Refusal | None) -> HttpResponse:
    context = {"name": half.account.name, "next": half.wanted, "refusal": refusal}
    return TemplateResponse(request, "clubs/sign_in_with_code.html", context)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@for_accounts
@for_fresh_sign_in
def app(request: HttpRequest) -> HttpResponse:
    """Show one's authenticator app, or add one with a QR code and its first digits."""
    account = account_of(request)
    if request.method != "POST":
        factor = second_factor_of(account)
        return _new_app_page(request, account) if factor is None else _app_page(request, factor)
    try:
        codes = services.add_second_factor(
            account_id=account.pk,
            sealed=request.session.get(_NEW_APP, ""),
            code=request.POST.get("code", ""),
            session=this_session(request),
        )
    except Refusal as refusal:
        return _new_app_page(request, account, refusal)
    return _codes_page(request, codes, is_new=True)


@posted_from("second-factor")
@for_accounts
@for_fresh_sign_in
def renew_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Get ten new recovery codes, shown only this once."""
    try:
        renewed = services.renew_recovery_codes(account_id=account_of(request).pk)
    except Refusal as refusal:
        return _new_app_page(request, account_of(request), refusal)
    return _codes_page(request, renewed)


@posted_from("second-factor")
@for_accounts
@for_fresh_sign_in
def remove_own_app(request: HttpRequest) -> HttpResponse:
    """Remove the app from one's account."""
    services.remove_second_factor(account_id=account_of(request).pk)
    request.session.pop(_NEW_APP, None)
    return back("removed")


def _app_page(request: HttpRequest, factor: SecondFactor) -> HttpResponse:
    request.session.pop(_NEW_APP, None)
    return TemplateResponse(request, "clubs/app/app.html", {"app": factor})


def _new_app_page(request: HttpRequest, account: Account, refusal: Refusal | None = None) -> HttpResponse:
    """Render the QR code for a new app. Its secret survives a reload: the phone may have
    scanned it already."""
    try:
        secret = services.unseal_app_secret(request.session.get(_NEW_APP, ""))
    except Refusal:
        request.session[_NEW_APP] = services.new_sealed_secret()
        secret = services.unseal_app_secret(request.session[_NEW_APP])
    address = app_address(secret, name=account.name)
    secret = group_digits(secret)
    context = {"address": address, "square": square(address), "secret": secret, "refusal": refusal}
    return TemplateResponse(request, "clubs/app/new.html", context)


def _codes_page(request: HttpRequest, shown: list[str], *, is_new: bool = False) -> HttpResponse:
    context = {"codes": [*map(group_digits, shown)], "name": account_of(request).name, "is_new": is_new}
    return TemplateResponse(request, "clubs/app/codes.html", context)
