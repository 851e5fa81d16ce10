"""The page behind an invitation link: a role in a club, or a new password."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters

from clubs.models import Account
from clubs.pages import get_actor, is_submitted, link_page, note_refusal, show_refusals
from clubs.reauthentication import SignInMethod
from clubs.services import accounts, invitations
from errors import Refusal
from web.forms import LANGUAGES, FormReader

from .sessions import redirect_after_sign_in


@sensitive_post_parameters("password")
@link_page
@show_refusals
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Accept an invitation with the account signed in, or with a new name and password; or
    choose a new password."""
    if is_submitted(request):
        return ACTIONS.get(request.POST.get("choice", ""), _join)(request, secret)
    found = invitations.find_open_invitation(secret)
    if found is None:
        note_refusal(request, Refusal("invitation_over"))
    context = {"invitation": found, "typed": request.POST}
    return TemplateResponse(request, "clubs/invitation.html", context)


def _accept(request: HttpRequest, secret: str) -> HttpResponse:
    if not isinstance(request.user, Account):
        return redirect("invitation", secret=secret)
    club = invitations.accept_invitation(secret=secret, account=request.user, by=get_actor(request))
    return redirect("club", slug=club.slug)


def _join(request: HttpRequest, secret: str) -> HttpResponse:
    form = FormReader(request.POST.dict())
    name = form.read_text("name", required="name_required")
    password = form.read_secret("password")
    found = invitations.find_open_invitation(secret)
    if refusal := accounts.find_password_weakness(password, name, found.club.name if found else ""):
        form.refuse(refusal)
    form.raise_refusals()
    language = get_language()
    account, club = invitations.join_with_new_account(
        secret=secret,
        name=name,
        password=password,
        language=language if language in LANGUAGES else LANGUAGES[0],
        by=get_actor(request),
    )
    next_url = reverse("club", args=[club.slug])
    return redirect_after_sign_in(request, account, SignInMethod.PASSWORD, next_url=next_url)


def _choose(request: HttpRequest, secret: str) -> HttpResponse:
    password = request.POST.get("password", "")
    account = invitations.choose_new_password(secret=secret, password=password, by=get_actor(request))
    return redirect_after_sign_in(request, account, SignInMethod.LINK, next_url=reverse("home"))


ACTIONS = {"accept": _accept, "join": _join, "choose": _choose}
