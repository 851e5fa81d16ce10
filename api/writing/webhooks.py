"""API: webhooks."""

from typing import Any

from django.http import Http404
from rest_framework import serializers as s

from api.commands import command
from api.fields import body, change, one_of, text, yes_no
from api.operation import Operation, ProgramCall, read
from api.paths import CLUB
from api.shapes.webhooks import Deliveries, DeliveryOut, WebhookMade, WebhookOut, Webhooks
from clubs import services as clubs
from clubs.models import NewsKind, Webhook
from clubs.policy import Permission
from clubs.queries import deliveries_of, webhooks_of
from clubs.services.validators import row_or_refuse
from web.outgoing import LONGEST_ADDRESS

OWN = Permission.OWN
WEBHOOKS = f"{CLUB}/webhooks"
WEBHOOK = f"{WEBHOOKS}/<int:webhook_id>"
DELIVERIES = f"{WEBHOOK}/deliveries"

FIELDS: dict[str, Any] = {
    "address": text(most=LONGEST_ADDRESS),
    "kinds": s.ListField(child=one_of(NewsKind.values), max_length=len(NewsKind.values)),
}
WebhookIn = body("WebhookIn", **FIELDS)
WebhookChange = change("WebhookChange", **FIELDS, is_on=yes_no())


def _webhook_now(call: ProgramCall) -> dict[str, Any]:
    webhook = row_or_refuse(call.club.webhooks.all(), call.path["webhook_id"], otherwise="no_such_webhook")
    return {"address": webhook.address, "kinds": webhook.kinds, "is_on": webhook.is_on}


def _webhook(call: ProgramCall) -> Webhook:
    found = webhooks_of(call.club).filter(pk=call.path["webhook_id"]).first()
    if found is None:
        raise Http404
    return found


def _webhooks(call: ProgramCall) -> dict[str, Any]:
    return {"results": webhooks_of(call.club)}


def _deliveries(call: ProgramCall) -> dict[str, Any]:
    return {"results": [one for one, _ in deliveries_of(_webhook(call))]}


def _webhook_with_secret(_: ProgramCall, made: clubs.WebhookSecret) -> Webhook:
    """Add the secret, which is empty in the answer to a repeat."""
    made.webhook.secret = made.secret
    return made.webhook


OF_WEBHOOKS: list[Operation] = [
    read(
        WEBHOOKS,
        "listWebhooks",
        "List a club's webhooks.",
        _webhooks,
        Webhooks,
        OWN,
    ),
    read(WEBHOOK, "getWebhook", "Get a webhook.", _webhook, WebhookOut, OWN),
    read(
        DELIVERIES,
        "listDeliveries",
        "List the deliveries of a webhook, with the responses.",
        _deliveries,
        Deliveries,
        OWN,
    ),
    command(
        WEBHOOKS,
        clubs.add_webhook,
        OWN,
        takes=WebhookIn,
        gives=WebhookMade,
        answers=_webhook_with_secret,
        status=201,
    ),
    command(
        WEBHOOK,
        clubs.change_webhook,
        OWN,
        method="put",
        takes=WebhookChange,
        keeps=_webhook_now,
        gives=WebhookOut,
    ),
    command(WEBHOOK, clubs.remove_webhook, OWN, method="delete"),
    command(
        f"{WEBHOOK}/secret", clubs.renew_webhook_secret, OWN, gives=WebhookMade, answers=_webhook_with_secret
    ),
    command(f"{WEBHOOK}/test", clubs.send_webhook_test, OWN, gives=DeliveryOut),
    command(f"{DELIVERIES}/<int:delivery_id>/redeliver", clubs.redeliver, OWN, gives=DeliveryOut),
]
