"""Links sent by e-mail: requested and opened."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_accounts, for_everybody, for_its_link
from clubs.actor import request_key
from clubs.models import LinkPurpose
from clubs.post_only import posted_from
from clubs.reauthentication import SignInMethod, check_proof
from clubs.services.security_log import MAILS_THROTTLED, note_refusal
from errors import Refusal
from web.client_address import client_address

from .account import account_of, account_view, back
from .sessions import redirect_after_sign_in, sign_in_page


@posted_from("sign-in")
@for_everybody
def ask_sign_in_link(request: HttpRequest) -> HttpResponse:
    """Send a sign-in link to an address, if an account has it. The page says the same in either case."""
    try:
        services.begin_try(services.mail_tries(address=client_address(request)), field="email")
        services.ask_sign_in_link(email=request.POST.get("email", ""))
    except Refusal as refusal:
        if refusal.code == "too_many_tries":
            note_refusal(MAILS_THROTTLED, address=client_address(request))
        return sign_in_page(request, refusal)
    response = redirect("sign-in")
    response.headers["Location"] += "?" + urlencode({"asked": "1", "next": request.POST.get("next", "")})
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_link
def mailed_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Show what the link in an e-mail does, with a button to do it: mail scanners open links, too."""
    refusal = None
    if request.method == "POST":
        try:
            return _use(request, secret)
        except Refusal as refused:
            refusal = refused
    link = services.open_link(secret)
    if link is None and refusal is None:
        refusal = Refusal("mailed_link_over")
    return _page(request, link=link, refusal=refusal)


def _use(request: HttpRequest, secret: str) -> HttpResponse:
    key = request_key(request)
    if request.POST.get("deed") != LinkPurpose.ADDRESS:
        return redirect_after_sign_in(
            request, services.open_with_link(secret=secret, key=key), SignInMethod.LINK
        )
    account = services.confirm_address(secret=secret, key=key)
    return back("address") if request.user == account else _page(request, confirmed=account.email)


@posted_from("account")
@for_accounts
def ask_address(request: HttpRequest) -> HttpResponse:
    """Send a link to an address for one's account, to confirm it."""
    account = account_of(request)
    try:
        check_proof(request)
        services.begin_try(services.mail_tries(address=client_address(request)), field="email")
        services.ask_address(account_id=account.pk, email=request.POST.get("email", ""))
    except Refusal as refusal:
        return account_view(request, account, refusal)
    return back("asked")


@posted_from("account")
@for_accounts
def forget_address(request: HttpRequest) -> HttpResponse:
    """Remove the account's e-mail address."""
    account = account_of(request)
    try:
        check_proof(request)
        services.forget_address(account_id=account.pk)
    except Refusal as refusal:
        return account_view(request, account, refusal)
    return back("removed")


def _page(request: HttpRequest, **shown: object) -> HttpResponse:
    return TemplateResponse(request, "clubs/mailed_link.html", shown)
