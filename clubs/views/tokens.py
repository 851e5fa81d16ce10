"""API keys of a club: the list, and new ones, whose secret is shown once."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from clubs.models import Club, Scope
from clubs.pages import get_actor, is_submitted, owners_only, require_post_from, show_refusals
from clubs.queries import query_open_tokens
from clubs.services import tokens as tokens_services
from clubs.services.tokens import LIFETIME_DAYS
from web.forms import parse_digits

from .history import run_or_render_refusal


@owners_only
@show_refusals
def tokens(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's API keys, and create one."""
    if not is_submitted(request):
        return _render_tokens(request, club)
    form_data = request.POST
    token_secret = tokens_services.make_token(
        club_id=club.pk,
        name=form_data.get("name", ""),
        scope=form_data.get("scope", ""),
        days=parse_digits(form_data.get("days", ""), max_digits=4) or 0,
        by=get_actor(request),
    )
    if not token_secret.secret:
        return redirect("tokens", slug=club.slug)
    context = {"club": club, "token": token_secret.token, "secret": token_secret.secret}
    return TemplateResponse(request, "clubs/tokens/secret.html", context)


@require_post_from("tokens", "slug")
@owners_only
def revoke_token(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Revoke an API key."""
    return run_or_render_refusal(
        request, club, "tokens", tokens_services.revoke_token, _render_tokens, club_id=club.pk, token_id=pk
    )


def _render_tokens(request: HttpRequest, club: Club) -> HttpResponse:
    context = {
        "club": club,
        "tokens": query_open_tokens(club),
        "now": timezone.now(),
        "scopes": Scope.choices,
        "days": LIFETIME_DAYS,
        "typed": {"scope": Scope.READ.value, "days": str(LIFETIME_DAYS[1])} | request.POST.dict(),
    }
    return TemplateResponse(request, "clubs/tokens/tokens.html", context)
