"""Webhooks of a club: the list, and for each its settings and log."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.models import Club, NewsKind, Webhook
from clubs.pages import (
    get_actor,
    get_refusal,
    is_submitted,
    owners_only,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.queries import list_deliveries, query_webhooks
from clubs.services import webhooks as webhooks_services
from clubs.services.webhooks import WebhookSecret

from .history import run_or_render_refusal


def _render_webhooks(request: HttpRequest, club: Club) -> HttpResponse:
    context = {
        "club": club,
        "webhooks": query_webhooks(club),
        "kinds": NewsKind.choices,
        "chosen": request.POST.getlist("kinds") if "address" in request.POST else NewsKind.values,
        "typed": request.POST,
    }
    return TemplateResponse(request, "clubs/webhooks/list.html", context)


def _render_webhook(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    found = query_webhooks(club).filter(pk=pk).first()
    refusal = get_refusal(request)
    if found is None:
        raise refusal or Http404
    is_typed = refusal is not None and "address" in request.POST
    context = {
        "club": club,
        "webhook": found,
        "deliveries": list_deliveries(found),
        "kinds": NewsKind.choices,
        "chosen": request.POST.getlist("kinds") if is_typed else found.kinds,
        "typed": request.POST if is_typed else {"address": found.address, "is_on": found.is_on},
    }
    return TemplateResponse(request, "clubs/webhooks/webhook.html", context)


@owners_only
@show_refusals
def webhooks(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's webhooks, and add one."""
    if not is_submitted(request):
        return _render_webhooks(request, club)
    webhook_secret = webhooks_services.add_webhook(
        club_id=club.pk,
        address=request.POST.get("address", ""),
        kinds=request.POST.getlist("kinds"),
        by=get_actor(request),
    )
    return _render_secret(request, club, webhook_secret)


@owners_only
@show_refusals
def webhook_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change a webhook, and show its log of deliveries."""
    if not is_submitted(request):
        return _render_webhook(request, club, pk)
    webhooks_services.change_webhook(
        club_id=club.pk,
        webhook_id=pk,
        address=request.POST.get("address", ""),
        kinds=request.POST.getlist("kinds"),
        is_on="is_on" in request.POST,
        by=get_actor(request),
    )
    return redirect("webhook", slug=club.slug, pk=pk)


@require_post_from("webhook", "slug", "pk")
@owners_only
@show_refusals_on(_render_webhooks)
def renew_secret(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Replace the webhook's secret; the new one is shown only this once."""
    webhook_secret = webhooks_services.renew_webhook_secret(club_id=club.pk, webhook_id=pk, by=get_actor(request))
    return _render_secret(request, club, webhook_secret)


@require_post_from("webhook", "slug", "pk")
@owners_only
@show_refusals_on(_render_webhook)
def send_test(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Send a test delivery without data."""
    webhooks_services.send_webhook_test(club_id=club.pk, webhook_id=pk, by=get_actor(request))
    return redirect("webhook", slug=club.slug, pk=pk)


@require_post_from("webhook", "slug", "pk")
@owners_only
@show_refusals_on(_render_webhook)
def redeliver(request: HttpRequest, club: Club, pk: int, delivery_id: int) -> HttpResponse:
    """Send a delivery from the log again."""
    webhooks_services.redeliver(club_id=club.pk, webhook_id=pk, delivery_id=delivery_id, by=get_actor(request))
    return redirect("webhook", slug=club.slug, pk=pk)


@require_post_from("webhooks", "slug")
@owners_only
def remove_webhook(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Delete a webhook."""
    remove = webhooks_services.remove_webhook
    return run_or_render_refusal(request, club, "webhooks", remove, _render_webhooks, club_id=club.pk, webhook_id=pk)


def _render_secret(request: HttpRequest, club: Club, webhook_secret: WebhookSecret) -> HttpResponse:
    webhook_row: Webhook = webhook_secret.webhook
    if not webhook_secret.secret:
        return redirect("webhook", slug=club.slug, pk=webhook_row.pk)
    context = {"club": club, "webhook": webhook_row, "secret": webhook_secret.secret}
    return TemplateResponse(request, "clubs/webhooks/secret.html", context)
