"""Passkeys: sign-in, and one's own to add, rename and remove."""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubs import passkeys, services
from clubs.access import for_accounts, for_everybody
from clubs.models import Passkey
from clubs.passkeys import Site
from clubs.post_only import posted_from
from clubs.queries import passkeys_of
from clubs.reauthentication import SignInMethod, check_proof
from clubs.services.security_log import WRONG_PASSKEY, note_refusal
from errors import Refusal
from web.client_address import client_address
from web.signed_cookies import remember_value, signed_value

from .account import account_of, account_view, back
from .sessions import redirect_after_sign_in, sign_in_page, site_of

LASTS = timedelta(minutes=5)
"""How long a browser may take to respond."""
_QUESTION = "passkey_question"
View = Callable[[HttpRequest], HttpResponse]


def _question_response(
    request: HttpRequest, options: Mapping[str, Any], answered_at: str, **asked: Any
) -> HttpResponse:
    """Return the options as JSON, with the state in a signed cookie: strangers cannot fill the database."""
    response = JsonResponse(options)
    remember_value(
        request,
        response,
        _QUESTION,
        json.dumps(asked),
        salt=answered_at,
        path=reverse(answered_at),
        lasts=LASTS,
    )
    return response


def _question(request: HttpRequest, answered_at: str) -> dict[str, Any]:
    """Return the state from the cookie. Refuses: passkey_too_late."""
    asked = signed_value(request, _QUESTION, salt=answered_at, lasts=LASTS)
    if asked is None:
        raise Refusal("passkey_too_late")
    question: dict[str, Any] = json.loads(asked)
    return question


def _answered_once(answered_at: str) -> Callable[[View], View]:
    """Delete the state's cookie after the view, whatever the result, so that each response
    needs new options."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest) -> HttpResponse:
            response = view(request)
            response.delete_cookie(_QUESTION, path=reverse(answered_at))
            return response

        return answer

    return decorate


@posted_from("sign-in")
@for_everybody
def sign_in_question(request: HttpRequest) -> HttpResponse:
    """Get the options for the browser to sign in with a passkey, as JSON."""
    site = _site(request)
    options, state = passkeys.ask_to_sign_in(site)
    return _question_response(request, options, "sign-in-with-passkey", state=state)


@posted_from("sign-in")
@for_everybody
@_answered_once("sign-in-with-passkey")
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in with a passkey."""
    tries = services.tries_from(address=client_address(request))
    try:
        services.begin_try(tries)
        question = _question(request, "sign-in-with-passkey")
        account = services.open_with_passkey(
            site=_site(request), state=question["state"], said=request.POST.get("credential", "")
        )
        services.end_try(tries)
    except Refusal as refusal:
        note_refusal(WRONG_PASSKEY, address=client_address(request))
        return sign_in_page(request, refusal)
    return redirect_after_sign_in(request, account, SignInMethod.PASSKEY, wanted=request.POST.get("next", ""))


@posted_from("account")
@for_accounts
def new_question(request: HttpRequest) -> HttpResponse:
    """Get the options for the browser to create a passkey, as JSON."""
    check_proof(request)
    site, account = _site(request), account_of(request)
    mine = passkeys_of(account).filter(host=site.host)
    handle = mine[0].handle if mine else passkeys.new_handle()
    known = [one.credential_id for one in mine]
    options, state = passkeys.ask_to_create(site, name=account.name, handle=handle, known=known)
    return _question_response(request, options, "add-passkey", state=state, handle=handle)


@posted_from("account")
@for_accounts
@_answered_once("add-passkey")
def add(request: HttpRequest) -> HttpResponse:
    """Add a passkey to one's account."""
    account = account_of(request)
    try:
        check_proof(request)
        site, question = _site(request), _question(request, "add-passkey")
        services.add_passkey(
            account_id=account.pk,
            site=site,
            state=question["state"],
            handle=question["handle"],
            said=request.POST.get("credential", ""),
            name=request.POST.get("passkey", ""),
        )
    except Refusal as refusal:
        return account_view(request, account, refusal)
    return back("passkey")


@require_http_methods(["GET", "HEAD", "POST"])
@for_accounts
def passkey(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename one of one's passkeys; the page can also remove it."""
    found = passkeys_of(account_of(request)).filter(pk=pk).first()
    if found is None:
        return redirect("account")
    if request.method != "POST":
        return _page(request, found)
    name = request.POST.get("passkey", "")
    try:
        services.rename_passkey(account_id=found.account_id, passkey_id=pk, name=name)
    except Refusal as refusal:
        return _page(request, found, refusal)
    return back("saved")


@posted_from("passkey", "pk")
@for_accounts
def remove_passkey(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a passkey from one's account."""
    account = account_of(request)
    try:
        check_proof(request)
        services.remove_passkey(account_id=account.pk, passkey_id=pk)
    except Refusal as refusal:
        return account_view(request, account, refusal)
    return back("removed")


def _page(request: HttpRequest, found: Passkey, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "passkey": found,
        "typed": {"passkey": found.name} | request.POST.dict(),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/passkey.html", context)


def _site(request: HttpRequest) -> Site:
    """Return the site of this page. Refuses: passkeys_not_here."""
    site = site_of(request)
    if site is None:
        raise Refusal("passkeys_not_here")
    return site
