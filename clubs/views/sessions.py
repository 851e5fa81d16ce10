"""The sign-in page, and the steps after each sign-in method."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from clubs.models import Account
from clubs.passkeys import Site, get_site
from clubs.queries import query_clubs
from clubs.reauthentication import SignInMethod, require_code, start_session
from web.language_cookie import set_language_cookie


def render_sign_in_page(request: HttpRequest) -> HttpResponse:
    """Render the sign-in page: name and password, and the other methods available here."""
    next_url = request.POST.get("next") or request.GET.get("next", "")
    context = {
        "typed": request.POST,
        "next": next_url,
        "site": get_passkey_site(request),
        "has_mail": bool(settings.MAIL_ORIGIN),
        "is_anew": bool(next_url) and isinstance(request.user, Account),
        "is_asked": request.method != "POST" and "asked" in request.GET,
    }
    return TemplateResponse(request, "clubs/sign_in.html", context)


def redirect_after_sign_in(
    request: HttpRequest, account: Account, method: SignInMethod, *, next_url: str = ""
) -> HttpResponse:
    """Continue after a successful sign-in: ask for the app's digits if the account has one. A passkey is two
    factors by itself: a device and its lock."""
    if method is not SignInMethod.PASSKEY and account.has_second_factor:
        require_code(method, request, account, next_url=next_url)
        return redirect("sign-in-with-code")
    return complete_sign_in(request, account, method, next_url=next_url)


def complete_sign_in(request: HttpRequest, account: Account, method: SignInMethod, *, next_url: str) -> HttpResponse:
    """Start the session, and redirect to the requested page or the account's only club."""
    start_session(method, request, account)
    is_allowed = url_has_allowed_host_and_scheme(next_url, allowed_hosts=None)
    response = HttpResponseRedirect(next_url if is_allowed else _get_start_url(account))
    is_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    return response if is_chosen else set_account_language(response, account)


def set_account_language(response: HttpResponse, account: Account) -> HttpResponse:
    """Set the account's language for all later pages, instead of the browser's."""
    set_language_cookie(response, account.language)
    return response


def get_passkey_site(request: HttpRequest) -> Site | None:
    """Return the site of this page's passkeys; None if it can have none."""
    return get_site(request.scheme or "http", request.get_host())


def _get_start_url(account: Account) -> str:
    """Return the start page for somebody who requested none."""
    clubs = query_clubs(account)[:2]
    return reverse("club", args=[clubs[0].slug]) if len(clubs) == 1 else reverse("home")
