"""One's own account: name, language, password, and the clubs that one has a role in."""

from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs import guesses, services
from clubs.access import for_accounts, for_members
from clubs.acting import by_of
from clubs.forms import LANGUAGES, FormReader
from clubs.models import Account, Club
from clubs.posting import posted_from
from clubs.selectors import roles_of
from rules import Refusal

from .accounts import in_language


@require_http_methods(["GET", "HEAD", "POST"])
@for_accounts
def account_page(request: HttpRequest) -> HttpResponse:
    """Name and language, and the clubs; a club can be left."""
    account = _of(request)
    if request.method != "POST":
        return _page(request, account)
    try:
        form = FormReader(request.POST.dict())
        name = form.text("name", required="name_required")
        language = form.choice("language", LANGUAGES)
        form.finish()
        changed = services.change_account(account_id=account.pk, name=name, language=language)
    except Refusal as refusal:
        return _page(request, account, refusal)
    return in_language(_back("account"), changed)


@sensitive_post_parameters("current", "password")
@posted_from("account")
@for_accounts
def change_password(request: HttpRequest) -> HttpResponse:
    """Another password, for who knows the one there is; sessions on other devices end."""
    account, address = _of(request), request.META.get("REMOTE_ADDR", "")
    try:
        if guesses.has_missed_too_often("passwords", address):
            raise Refusal("too_many_tries", field="current")
        changed = services.change_password(
            account_id=account.pk,
            current=request.POST.get("current", ""),
            password=request.POST.get("password", ""),
        )
    except Refusal as refusal:
        if refusal.code == "current_password_wrong":
            guesses.count_miss("passwords", address)
        return _page(request, account, refusal)
    update_session_auth_hash(request, changed)
    return _back("password")


@posted_from("account")
@for_members
def leave(request: HttpRequest, club: Club) -> HttpResponse:
    """One's own role in the club is given up."""
    account = _of(request)
    try:
        services.leave_club(club_id=club.pk, account=account, by=by_of(request))
    except Refusal as refusal:
        return _page(request, account, refusal)
    return _back("club")


def _of(request: HttpRequest) -> Account:
    assert isinstance(request.user, Account)
    return request.user


def _back(saved: str) -> HttpResponse:
    response = redirect("account")
    response.headers["Location"] += f"?saved={saved}"
    return response


def _page(request: HttpRequest, account: Account, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "account": account,
        "typed": {"name": account.name, "language": account.language} | request.POST.dict(),
        "memberships": roles_of(account),
        "saved": request.GET.get("saved", "") if request.method != "POST" else "",
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/account.html", context)
