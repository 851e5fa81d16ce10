"""Webhooks of a club: the list, and for each its settings and log."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_owners
from clubs.actor import actor_from
from clubs.audit.history import club_line
from clubs.models import Club, NewsKind, Webhook
from clubs.post_only import posted_from
from clubs.queries import deliveries_of, webhooks_of
from clubs.services import WebhookSecret
from errors import Refusal

from .history import run_or_show_refusal


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def webhooks(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's webhooks, and add one."""
    if request.method != "POST":
        return _webhooks(request, club)
    try:
        made = services.add_webhook(
            club_id=club.pk,
            address=request.POST.get("address", ""),
            kinds=request.POST.getlist("kinds"),
            by=actor_from(request),
        )
    except Refusal as refusal:
        return _webhooks(request, club, refusal)
    return _secret(request, club, made)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def webhook(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change a webhook, and show its log of deliveries."""
    if request.method != "POST":
        return _webhook(request, club, pk)
    try:
        services.change_webhook(
            club_id=club.pk,
            webhook_id=pk,
            address=request.POST.get("address", ""),
            kinds=request.POST.getlist("kinds"),
            is_on="is_on" in request.POST,
            by=actor_from(request),
        )
    except Refusal as refusal:
        return _webhook(request, club, pk, refusal)
    return redirect("webhook", slug=club.slug, pk=pk)


@posted_from("webhook", "slug", "pk")
@for_owners
def renew_secret(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Replace the webhook's secret; the new one is shown only this once."""
    try:
        renewed = services.renew_webhook_secret(club_id=club.pk, webhook_id=pk, by=actor_from(request))
    except Refusal as refusal:
        return _webhooks(request, club, refusal)
    return _secret(request, club, renewed)


@posted_from("webhook", "slug", "pk")
@for_owners
def send_test(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Send a test delivery without data."""
    try:
        services.send_webhook_test(club_id=club.pk, webhook_id=pk, by=actor_from(request))
    except Refusal as refusal:
        return _webhook(request, club, pk, refusal)
    return redirect("webhook", slug=club.slug, pk=pk)


@posted_from("webhook", "slug", "pk")
@for_owners
def send_again(request: HttpRequest, club: Club, pk: int, delivery_id: int) -> HttpResponse:
    """Send a delivery from the log again."""
    try:
        services.redeliver(club_id=club.pk, webhook_id=pk, delivery_id=delivery_id, by=actor_from(request))
    except Refusal as refusal:
        return _webhook(request, club, pk, refusal)
    return redirect("webhook", slug=club.slug, pk=pk)


@posted_from("webhooks", "slug")
@for_owners
def remove_webhook(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Delete a webhook."""
    return run_or_show_refusal(
        request,
        club,
        "webhooks",
        lambda by: services.remove_webhook(club_id=club.pk, webhook_id=pk, by=by),
        refused=partial(_webhooks, request, club),
    )


def _webhooks(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "webhooks": webhooks_of(club),
        "kinds": NewsKind.choices,
        "chosen": request.POST.getlist("kinds") if "address" in request.POST else NewsKind.values,
        "typed": request.POST,
        "done": club_line(club, request.GET.get("done", "")),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/webhooks/list.html", context)


def _webhook(request: HttpRequest, club: Club, pk: int, refusal: Refusal | None = None) -> HttpResponse:
    found = webhooks_of(club).filter(pk=pk).first()
    if found is None:
        if refusal is not None:
            raise refusal
        raise Http404
    is_typed = refusal is not None and "address" in request.POST
    context = {
        "club": club,
        "webhook": found,
        "deliveries": deliveries_of(found),
        "kinds": NewsKind.choices,
        "chosen": request.POST.getlist("kinds") if is_typed else found.kinds,
        "typed": request.POST if is_typed else {"address": found.address, "is_on": found.is_on},
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/webhooks/webhook.html", context)


def _secret(request: HttpRequest, club: Club, made: WebhookSecret) -> HttpResponse:
    known: Webhook = made.webhook
    if not made.secret:
        return redirect("webhook", slug=club.slug, pk=known.pk)
    context = {"club": club, "webhook": known, "secret": made.secret}
    return TemplateResponse(request, "clubs/webhooks/secret.html", context)
