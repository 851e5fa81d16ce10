"""Links sent by e-mail: requested and opened."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.http import urlencode

from clubs.models import LinkPurpose
from clubs.pages import (
    accounts_only,
    get_refusal,
    get_request_key,
    is_submitted,
    link_page,
    note_refusal,
    public_page,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.reauthentication import SignInMethod, check_fresh_sign_in
from clubs.services import login_throttle, mailed_links
from clubs.services.security_log import MAILS_THROTTLED, log_refusal
from errors import Refusal
from web.client_address import get_client_address

from .accounts import get_account, redirect_to_account, render_account_page
from .sessions import redirect_after_sign_in, render_sign_in_page


@require_post_from("sign-in")
@public_page
@show_refusals_on(render_sign_in_page)
def request_sign_in_link(request: HttpRequest) -> HttpResponse:
    """Send a sign-in link to an address, if an account has it. The page says the same in either case."""
    try:
        login_throttle.begin_attempt(
            login_throttle.build_mail_counters(address=get_client_address(request)), field="email"
        )
        mailed_links.request_sign_in_link(email=request.POST.get("email", ""))
    except Refusal as refusal:
        if refusal.code == "too_many_tries":
            log_refusal(MAILS_THROTTLED, address=get_client_address(request))
        raise
    response = redirect("sign-in")
    response.headers["Location"] += "?" + urlencode({"asked": "1", "next": request.POST.get("next", "")})
    return response


@link_page
@show_refusals
def mailed_link_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Show what the link in an e-mail does, with a button to do it: mail scanners open links, too."""
    if is_submitted(request):
        return _use_link(request, secret)
    link = mailed_links.find_valid_link(secret)
    if link is None and get_refusal(request) is None:
        note_refusal(request, Refusal("mailed_link_over"))
    return _render_page(request, link=link)


def _use_link(request: HttpRequest, secret: str) -> HttpResponse:
    key = get_request_key(request)
    if request.POST.get("choice") != LinkPurpose.ADDRESS:
        return redirect_after_sign_in(
            request, mailed_links.sign_in_with_link(secret=secret, key=key), SignInMethod.LINK
        )
    account = mailed_links.confirm_address(secret=secret, key=key)
    return redirect_to_account("address") if request.user == account else _render_page(request, confirmed=account.email)


@require_post_from("account")
@accounts_only
@show_refusals_on(render_account_page)
def request_address_link(request: HttpRequest) -> HttpResponse:
    """Send a link to an address for one's account, to confirm it."""
    check_fresh_sign_in(request)
    login_throttle.begin_attempt(login_throttle.build_mail_counters(address=get_client_address(request)), field="email")
    mailed_links.request_address_link(account_id=get_account(request).pk, email=request.POST.get("email", ""))
    return redirect_to_account("asked")


@require_post_from("account")
@accounts_only
@show_refusals_on(render_account_page)
def remove_address(request: HttpRequest) -> HttpResponse:
    """Remove the account's e-mail address."""
    check_fresh_sign_in(request)
    mailed_links.remove_address(account_id=get_account(request).pk)
    return redirect_to_account("removed")


def _render_page(request: HttpRequest, **context: object) -> HttpResponse:
    return TemplateResponse(request, "clubs/mailed_link.html", context)
