"""The sign-in page, and the steps after each sign-in method."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from clubs.models import Account
from clubs.passkeys import Site, site_at
from clubs.queries import clubs_of
from clubs.reauthentication import SignInMethod, await_code, sign_in_by
from errors import Refusal
from web.language_cookie import set_language_cookie


def sign_in_page(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    """Render the sign-in page: name and password, and the other methods available here."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    context = {
        "refusal": refusal,
        "typed": request.POST,
        "next": wanted,
        "site": site_of(request),
        "has_mail": bool(settings.MAIL_LEADS_TO),
        "is_anew": bool(wanted) and isinstance(request.user, Account),
        "is_asked": request.method != "POST" and "asked" in request.GET,
    }
    return TemplateResponse(request, "clubs/sign_in.html", context)


def redirect_after_sign_in(
    request: HttpRequest, account: Account, way: SignInMethod, *, wanted: str = ""
) -> HttpResponse:
    """Continue after a successful sign-in: ask for the app's digits if the account has one. A passkey is two
    factors by itself: a device and its lock."""
    if way is not SignInMethod.PASSKEY and account.has_second_factor:
        await_code(way, request, account, wanted=wanted)
        return redirect("sign-in-with-code")
    return open_desk(request, account, way, wanted=wanted)


def open_desk(request: HttpRequest, account: Account, way: SignInMethod, *, wanted: str) -> HttpResponse:
    """Start the session, and redirect to the requested page or the account's only club."""
    sign_in_by(way, request, account)
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    response = HttpResponseRedirect(wanted if is_ours else _first_page(account))
    is_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    return response if is_chosen else in_language(response, account)


def in_language(response: HttpResponse, account: Account) -> HttpResponse:
    """Set the account's language for all later pages, instead of the browser's."""
    set_language_cookie(response, account.language)
    return response


def site_of(request: HttpRequest) -> Site | None:
    """Return the site of this page's passkeys; None if it can have none."""
    return site_at(request.scheme or "http", request.get_host())


def _first_page(account: Account) -> str:
    """Return the start page for somebody who requested none."""
    clubs = clubs_of(account)[:2]
    return reverse("club", args=[clubs[0].slug]) if len(clubs) == 1 else reverse("home")
