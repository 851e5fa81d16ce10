"""The authenticator app: digits at sign-in, and one's own app to add and remove."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_post_parameters

from clubs.models import Account, SecondFactor
from clubs.pages import accounts_only, is_submitted, public_page, require_post_from, show_refusals, show_refusals_on
from clubs.queries import find_second_factor
from clubs.reauthentication import PendingSignIn, get_pending_sign_in, require_fresh_sign_in
from clubs.services import login_throttle, second_factor, security_log
from clubs.totp import build_otpauth_url
from engine.signed_logs import group_digits
from errors import Refusal
from web.client_address import get_client_address
from web.qr import render_qr_code

from .accounts import get_account, get_session_digest, redirect_to_account
from .sessions import complete_sign_in

_NEW_APP = "new_app"


@sensitive_post_parameters("code")
@public_page
@show_refusals
def sign_in(request: HttpRequest) -> HttpResponse:
    """Complete the sign-in with the app's digits or a recovery code."""
    half = get_pending_sign_in(request)
    if half is None:
        return redirect("sign-in")
    if is_submitted(request):
        _check(request, half.account)
        return complete_sign_in(request, half.account, half.way, next_url=half.next_url)
    return _render_sign_in_page(request, half)


def _check(request: HttpRequest, account: Account) -> None:
    """Check the code, counting wrong tries.

    Refuses: too_many_tries, what ``check_second_factor`` refuses.
    """
    address = get_client_address(request)
    counters = login_throttle.build_code_counters(account_id=account.pk, address=address)
    try:
        login_throttle.begin_attempt(counters, field="code")
        second_factor.check_second_factor(account_id=account.pk, code=request.POST.get("code", ""))
    except Refusal as refusal:
        is_throttled = refusal.code == "too_many_tries"
        kind = security_log.SIGN_IN_THROTTLED if is_throttled else security_log.WRONG_CODE
        security_log.log_refusal(kind, address=address, account=account)
        raise
    login_throttle.end_attempt(counters)


def _render_sign_in_page(request: HttpRequest, pending: PendingSignIn) -> HttpResponse:
    context = {"name": pending.account.name, "next": pending.next_url}
    return TemplateResponse(request, "clubs/second_factor/sign_in.html", context)


def _render_new_app_page(request: HttpRequest) -> HttpResponse:
    """Render the QR code for a new app. Its secret survives a reload: the phone may have
    scanned it already."""
    try:
        secret = second_factor.decrypt_app_secret(request.session.get(_NEW_APP, ""))
    except Refusal:
        request.session[_NEW_APP] = second_factor.generate_sealed_secret()
        secret = second_factor.decrypt_app_secret(request.session[_NEW_APP])
    address = build_otpauth_url(secret, name=get_account(request).name)
    secret = group_digits(secret)
    context = {"address": address, "qr_code": render_qr_code(address), "secret": secret}
    return TemplateResponse(request, "clubs/second_factor/setup.html", context)


@sensitive_post_parameters("code")
@accounts_only
@require_fresh_sign_in
@show_refusals_on(_render_new_app_page)
def app_page(request: HttpRequest) -> HttpResponse:
    """Show one's authenticator app, or add one with a QR code and its first digits."""
    account = get_account(request)
    if request.method != "POST":
        factor = find_second_factor(account)
        return _render_new_app_page(request) if factor is None else _render_app_page(request, factor)
    codes = second_factor.add_second_factor(
        account_id=account.pk,
        sealed_secret=request.session.get(_NEW_APP, ""),
        code=request.POST.get("code", ""),
        session=get_session_digest(request),
    )
    return _render_codes_page(request, codes, is_new=True)


@require_post_from("second-factor")
@accounts_only
@require_fresh_sign_in
@show_refusals_on(_render_new_app_page)
def renew_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Get ten new recovery codes, shown only this once."""
    return _render_codes_page(request, second_factor.renew_recovery_codes(account_id=get_account(request).pk))


@require_post_from("second-factor")
@accounts_only
@require_fresh_sign_in
def remove_app(request: HttpRequest) -> HttpResponse:
    """Remove the app from one's account."""
    second_factor.remove_second_factor(account_id=get_account(request).pk)
    request.session.pop(_NEW_APP, None)
    return redirect_to_account("removed")


def _render_app_page(request: HttpRequest, factor: SecondFactor) -> HttpResponse:
    request.session.pop(_NEW_APP, None)
    return TemplateResponse(request, "clubs/second_factor/authenticator.html", {"app": factor})


def _render_codes_page(request: HttpRequest, codes: list[str], *, is_new: bool = False) -> HttpResponse:
    context = {"codes": [*map(group_digits, codes)], "name": get_account(request).name, "is_new": is_new}
    return TemplateResponse(request, "clubs/second_factor/recovery_codes.html", context)
