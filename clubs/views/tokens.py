"""API keys of a club: the list, and new ones, whose secret is shown once."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_owners
from clubs.actor import actor_from
from clubs.audit.history import club_line
from clubs.models import Club, Scope
from clubs.post_only import posted_from
from clubs.queries import open_tokens_of
from clubs.services.tokens import DAYS
from errors import Refusal
from web.forms import digits_in

from .history import run_or_show_refusal


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def tokens(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's API keys, and create one."""
    if request.method != "POST":
        return _tokens(request, club)
    typed = request.POST
    try:
        made = services.make_token(
            club_id=club.pk,
            name=typed.get("name", ""),
            scope=typed.get("scope", ""),
            days=digits_in(typed.get("days", ""), most=4) or 0,
            by=actor_from(request),
        )
    except Refusal as refusal:
        return _tokens(request, club, refusal)
    if not made.secret:
        return redirect("tokens", slug=club.slug)
    context = {"club": club, "token": made.token, "secret": made.secret}
    return TemplateResponse(request, "clubs/tokens/secret.html", context)


@posted_from("tokens", "slug")
@for_owners
def revoke_token(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Revoke an API key."""
    return run_or_show_refusal(
        request,
        club,
        "tokens",
        lambda by: services.revoke_token(club_id=club.pk, token_id=pk, by=by),
        refused=partial(_tokens, request, club),
    )


def _tokens(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "tokens": open_tokens_of(club),
        "now": timezone.now(),
        "scopes": Scope.choices,
        "days": DAYS,
        "typed": {"scope": Scope.READ.value, "days": str(DAYS[1])} | request.POST.dict(),
        "done": club_line(club, request.GET.get("done", "")),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/tokens/tokens.html", context)
