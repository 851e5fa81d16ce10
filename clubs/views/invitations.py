"""The page behind an invitation link: a role in a club, or a new password."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_its_link
from clubs.actor import actor_from
from clubs.models import Account
from clubs.reauthentication import SignInMethod
from errors import Refusal
from web.forms import LANGUAGES, FormReader

from .sessions import redirect_after_sign_in


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@for_its_link
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Accept an invitation with the account signed in, or with a new name and password; or
    choose a new password."""
    refusal = None
    if request.method == "POST":
        try:
            return DEEDS.get(request.POST.get("deed", ""), _join)(request, secret)
        except Refusal as refused:
            refusal = refused
    found = services.open_invitation(secret)
    if found is None:
        refusal = Refusal("invitation_over")
    context = {"invitation": found, "refusal": refusal, "typed": request.POST}
    return TemplateResponse(request, "clubs/invitation.html", context)


def _accept(request: HttpRequest, secret: str) -> HttpResponse:
    if not isinstance(request.user, Account):
        return redirect("invitation", secret=secret)
    club = services.accept_invitation(secret=secret, account=request.user, by=actor_from(request))
    return redirect("club", slug=club.slug)


def _join(request: HttpRequest, secret: str) -> HttpResponse:
    form = FormReader(request.POST.dict())
    name = form.text("name", required="name_required")
    password = form.secret("password")
    found = services.open_invitation(secret)
    if refusal := services.weakness_of(password, name, found.club.name if found else ""):
        form.refuse(refusal)
    form.finish()
    language = get_language()
    account, club = services.join_with_new_account(
        secret=secret,
        name=name,
        password=password,
        language=language if language in LANGUAGES else LANGUAGES[0],
        by=actor_from(request),
    )
    wanted = reverse("club", args=[club.slug])
    return redirect_after_sign_in(request, account, SignInMethod.PASSWORD, wanted=wanted)


def _choose(request: HttpRequest, secret: str) -> HttpResponse:
    password = request.POST.get("password", "")
    account = services.choose_new_password(secret=secret, password=password, by=actor_from(request))
    return redirect_after_sign_in(request, account, SignInMethod.LINK, wanted=reverse("home"))


DEEDS = {"accept": _accept, "join": _join, "choose": _choose}
