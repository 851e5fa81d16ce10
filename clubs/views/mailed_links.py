"""Links sent by e-mail: requested and opened."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.http import urlencode

from clubs.models import LinkPurpose
from clubs.pages import accounts_only, get_request_key, link_page, public_page, require_post_from, show_refusals
from clubs.reauthentication import SignInMethod, check_fresh_sign_in
from clubs.services import login_throttle, mailed_links
from clubs.services.security_log import MAILS_THROTTLED, log_refusal
from errors import Refusal
from web.client_address import get_client_address

from .account import get_account, redirect_to_account, render_account_page
from .sessions import redirect_after_sign_in, render_sign_in_page


@require_post_from("sign-in")
@public_page
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
        return render_sign_in_page(request, refusal)
    response = redirect("sign-in")
    response.headers["Location"] += "?" + urlencode({"asked": "1", "next": request.POST.get("next", "")})
    return response


@link_page
@show_refusals
def mailed_link_page(request: HttpRequest, secret: str, refusal: Refusal | None = None) -> HttpResponse:
    """Show what the link in an e-mail does, with a button to do it: mail scanners open links, too."""
    if request.method == "POST" and refusal is None:
        return _use_link(request, secret)
    link = mailed_links.find_valid_link(secret)
    if link is None and refusal is None:
        refusal = Refusal("mailed_link_over")
    return _render_page(request, link=link, refusal=refusal)


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
def request_address_link(request: HttpRequest) -> HttpResponse:
    """Send a link to an address for one's account, to confirm it."""
    account = get_account(request)
    try:
        check_fresh_sign_in(request)
        login_throttle.begin_attempt(
            login_throttle.build_mail_counters(address=get_client_address(request)), field="email"
        )
        mailed_links.request_address_link(account_id=account.pk, email=request.POST.get("email", ""))
    except Refusal as refusal:
        return render_account_page(request, account, refusal)
    return redirect_to_account("asked")


@require_post_from("account")
@accounts_only
def remove_address(request: HttpRequest) -> HttpResponse:
    """Remove the account's e-mail address."""
    account = get_account(request)
    try:
        check_fresh_sign_in(request)
        mailed_links.remove_address(account_id=account.pk)
    except Refusal as refusal:
        return render_account_page(request, account, refusal)
    return redirect_to_account("removed")


def _render_page(request: HttpRequest, **context: object) -> HttpResponse:
    return TemplateResponse(request, "clubs/mailed_link.html", context)
