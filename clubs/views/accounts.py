"""The first run, signing in, and signing out."""

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from clubs import first_run, guesses, services
from clubs.access import for_everybody, for_its_link
from clubs.forms import LANGUAGES, FormReader
from clubs.models import Account, Club
from clubs.selectors import clubs_of
from rules import RULESETS, Refusal


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@for_its_link
def start(request: HttpRequest, secret: str) -> HttpResponse:
    """The first page of an installation, behind the one-time link."""
    refusal = None if first_run.opens_with(secret) else Refusal("link_used")
    if request.method == "POST" and refusal is None:
        try:
            account, club = _start(request, secret)
        except Refusal as refused:
            refusal = refused
        else:
            login(request, account, backend="django.contrib.auth.backends.ModelBackend")
            return in_language(redirect("club", slug=club.slug), account)
    context = {
        "refusal": refusal,
        "typed": request.POST or {"language": get_language(), "ruleset": "canadian"},
        "rulesets": RULESETS.values(),
    }
    return TemplateResponse(request, "clubs/start.html", context)


def _start(request: HttpRequest, secret: str) -> tuple[Account, Club]:
    form = FormReader(request.POST.dict())
    name = form.text("name", required="name_required")
    club_name = form.text("club_name", required="club_name_required")
    password = form.secret("password")
    if services.is_weak(password):
        form.refuse(Refusal("password_too_weak", field="password"))
    language = form.choice("language", LANGUAGES)
    ruleset = form.choice("ruleset", RULESETS)
    form.finish()
    return services.start_club(
        secret=secret,
        name=name,
        password=password,
        club_name=club_name,
        language=language,
        ruleset=ruleset,
    )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@for_everybody
def sign_in(request: HttpRequest) -> HttpResponse:
    """Name and password; then to the page that was asked for, or to the account's only club."""
    refusal = None
    address = request.META.get("REMOTE_ADDR", "")
    if request.method == "POST" and guesses.has_missed_too_often("passwords", address):
        refusal = Refusal("too_many_tries", field="password")
    elif request.method == "POST":
        account = authenticate(
            request, username=request.POST.get("name", ""), password=request.POST.get("password", "")
        )
        if account is not None:
            login(request, account)
            wanted = request.POST.get("next", "")
            is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
            response = HttpResponseRedirect(wanted if is_ours else _first_page(account))
            is_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
            return response if is_chosen else in_language(response, account)
        guesses.count_miss("passwords", address)
        refusal = Refusal("wrong_password", field="password")
    context = {
        "refusal": refusal,
        "typed": request.POST,
        "next": request.POST.get("next") or request.GET.get("next", ""),
    }
    return TemplateResponse(request, "clubs/sign_in.html", context)


def _first_page(account: Account) -> str:
    """Where somebody begins who asked for no page."""
    clubs = clubs_of(account)[:2]
    return reverse("club", args=[clubs[0].slug]) if len(clubs) == 1 else reverse("home")


def in_language(response: HttpResponse, account: Account) -> HttpResponse:
    """The response, and all pages after it in the account's language, whatever the browser speaks."""
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, account.language, samesite="Lax")
    return response


@require_POST
@for_everybody
def sign_out(request: HttpRequest) -> HttpResponse:
    """The end of a session."""
    logout(request)
    return redirect("home")
