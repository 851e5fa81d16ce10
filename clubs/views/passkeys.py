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

from clubs import passkeys
from clubs.pages import accounts_only, is_submitted, public_page, require_post_from, show_refusals, show_refusals_on
from clubs.passkeys import Site
from clubs.queries import query_passkeys
from clubs.reauthentication import SignInMethod, check_fresh_sign_in
from clubs.services import login_throttle
from clubs.services import passkeys as passkeys_services
from clubs.services.security_log import WRONG_PASSKEY, log_refusal
from errors import Refusal, get_or_refuse
from web.client_address import get_client_address
from web.signed_cookies import get_signed_value, set_signed_value

from .accounts import get_account, redirect_to_account, render_account_page
from .sessions import get_passkey_site, redirect_after_sign_in, render_sign_in_page

CHALLENGE_LIFETIME = timedelta(minutes=5)
"""How long a browser may take to respond."""
_CHALLENGE_COOKIE = "passkey_question"
View = Callable[[HttpRequest], HttpResponse]


def _render_challenge(
    request: HttpRequest, options: Mapping[str, Any], response_url: str, **state: Any
) -> HttpResponse:
    """Return the options as JSON, with the state in a signed cookie: strangers cannot fill the database."""
    response = JsonResponse(options)
    set_signed_value(
        request,
        response,
        _CHALLENGE_COOKIE,
        json.dumps(state),
        salt=response_url,
        path=reverse(response_url),
        max_age=CHALLENGE_LIFETIME,
    )
    return response


def _read_challenge(request: HttpRequest, response_url: str) -> dict[str, Any]:
    """Return the state from the cookie. Refuses: passkey_too_late."""
    signed_state = get_or_refuse(
        get_signed_value(request, _CHALLENGE_COOKIE, salt=response_url, max_age=CHALLENGE_LIFETIME), "passkey_too_late"
    )
    challenge: dict[str, Any] = json.loads(signed_state)
    return challenge


def _delete_challenge_after(response_url: str) -> Callable[[View], View]:
    """Delete the state's cookie after the view, whatever the result, so that each response
    needs new options."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest) -> HttpResponse:
            response = view(request)
            response.delete_cookie(_CHALLENGE_COOKIE, path=reverse(response_url))
            return response

        return wrapper

    return decorate


@require_post_from("sign-in")
@public_page
def sign_in_options(request: HttpRequest) -> HttpResponse:
    """Get the options for the browser to sign in with a passkey, as JSON."""
    site = _get_site(request)
    options, state = passkeys.build_sign_in_options(site)
    return _render_challenge(request, options, "sign-in-with-passkey", state=state)


@require_post_from("sign-in")
@public_page
@_delete_challenge_after("sign-in-with-passkey")
@show_refusals_on(render_sign_in_page)
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in with a passkey."""
    counters = login_throttle.build_address_counters(address=get_client_address(request))
    try:
        login_throttle.begin_attempt(counters)
        question = _read_challenge(request, "sign-in-with-passkey")
        account = passkeys_services.sign_in_with_passkey(
            site=_get_site(request), state=question["state"], response_text=request.POST.get("credential", "")
        )
        login_throttle.end_attempt(counters)
    except Refusal:
        log_refusal(WRONG_PASSKEY, address=get_client_address(request))
        raise
    return redirect_after_sign_in(request, account, SignInMethod.PASSKEY, next_url=request.POST.get("next", ""))


@require_post_from("account")
@accounts_only
def creation_options(request: HttpRequest) -> HttpResponse:
    """Get the options for the browser to create a passkey, as JSON."""
    check_fresh_sign_in(request)
    site, account = _get_site(request), get_account(request)
    mine = query_passkeys(account).filter(host=site.host)
    handle = mine[0].handle if mine else passkeys.generate_handle()
    credential_ids = [one.credential_id for one in mine]
    options, state = passkeys.build_creation_options(
        site, name=account.name, handle=handle, credential_ids=credential_ids
    )
    return _render_challenge(request, options, "add-passkey", state=state, handle=handle)


@require_post_from("account")
@accounts_only
@_delete_challenge_after("add-passkey")
@show_refusals_on(render_account_page)
def add_passkey(request: HttpRequest) -> HttpResponse:
    """Add a passkey to one's account."""
    check_fresh_sign_in(request)
    site, question = _get_site(request), _read_challenge(request, "add-passkey")
    passkeys_services.add_passkey(
        account_id=get_account(request).pk,
        site=site,
        state=question["state"],
        handle=question["handle"],
        response_text=request.POST.get("credential", ""),
        name=request.POST.get("passkey", ""),
    )
    return redirect_to_account("passkey")


@accounts_only
@show_refusals
def passkey_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename one of one's passkeys; the page can also remove it."""
    found = query_passkeys(get_account(request)).filter(pk=pk).first()
    if found is None:
        return redirect("account")
    if is_submitted(request):
        name = request.POST.get("passkey", "")
        passkeys_services.rename_passkey(account_id=found.account_id, passkey_id=pk, name=name)
        return redirect_to_account("saved")
    context = {"passkey": found, "typed": {"passkey": found.name} | request.POST.dict()}
    return TemplateResponse(request, "clubs/passkey.html", context)


@require_post_from("passkey", "pk")
@accounts_only
@show_refusals_on(render_account_page)
def remove_passkey(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a passkey from one's account."""
    check_fresh_sign_in(request)
    passkeys_services.remove_passkey(account_id=get_account(request).pk, passkey_id=pk)
    return redirect_to_account("removed")


def _get_site(request: HttpRequest) -> Site:
    """Return the site of this page. Refuses: passkeys_not_here."""
    return get_or_refuse(get_passkey_site(request), "passkeys_not_here")
