"""API: webhooks."""

from typing import Any

from rest_framework import serializers as s

from api.commands import own_command
from api.fields import boolean_field, change_body, choice_field, request_body, text_field
from api.operation import ApiCall, Operation, read_operation
from api.paths import CLUB
from api.shapes.webhooks import Deliveries, DeliveryOut, WebhookMade, WebhookOut, Webhooks
from clubs.models import NewsKind, Webhook
from clubs.policy import Permission
from clubs.queries import list_deliveries, query_webhooks
from clubs.services import webhooks
from clubs.services.changes import get_row
from web.not_found import get_or_404
from web.outgoing import MAX_URL_LENGTH

OWN = Permission.OWN
WEBHOOKS = f"{CLUB}/webhooks"
WEBHOOK = f"{WEBHOOKS}/<int:webhook_id>"
DELIVERIES = f"{WEBHOOK}/deliveries"

WEBHOOK_FIELDS: dict[str, Any] = {
    "address": text_field(max_length=MAX_URL_LENGTH),
    "kinds": s.ListField(child=choice_field(NewsKind.values), max_length=len(NewsKind.values)),
}
WebhookIn = request_body("WebhookIn", **WEBHOOK_FIELDS)
WebhookChange = change_body("WebhookChange", **WEBHOOK_FIELDS, is_on=boolean_field())


def _read_current_webhook(call: ApiCall) -> dict[str, Any]:
    webhook = get_row(call.club.webhooks.all(), call.path["webhook_id"], refusal_code="no_such_webhook")
    return {"address": webhook.address, "kinds": webhook.kinds, "is_on": webhook.is_on}


def _get_webhook(call: ApiCall) -> Webhook:
    """Get a webhook."""
    return get_or_404(query_webhooks(call.club).filter(pk=call.path["webhook_id"]).first())


def _list_webhooks(call: ApiCall) -> dict[str, Any]:
    """List a club's webhooks."""
    return {"results": query_webhooks(call.club)}


def _list_deliveries(call: ApiCall) -> dict[str, Any]:
    """List the deliveries of a webhook, with the responses."""
    return {"results": [delivery for delivery, _ in list_deliveries(_get_webhook(call))]}


def _reveal_secret(_: ApiCall, result: webhooks.WebhookSecret) -> Webhook:
    """Add the secret, which is empty in the answer to a repeat."""
    result.webhook.secret = result.secret
    return result.webhook


WEBHOOK_OPERATIONS: list[Operation] = [
    read_operation(WEBHOOKS, _list_webhooks, Webhooks, OWN),
    read_operation(WEBHOOK, _get_webhook, WebhookOut, OWN),
    read_operation(DELIVERIES, _list_deliveries, Deliveries, OWN),
    own_command(
        WEBHOOKS, webhooks.add_webhook, WebhookIn, response_shape=WebhookMade, build_response=_reveal_secret, status=201
    ),
    own_command(
        WEBHOOK,
        webhooks.change_webhook,
        WebhookChange,
        method="put",
        read_current=_read_current_webhook,
        response_shape=WebhookOut,
    ),
    own_command(WEBHOOK, webhooks.remove_webhook, method="delete"),
    own_command(
        f"{WEBHOOK}/secret", webhooks.renew_webhook_secret, response_shape=WebhookMade, build_response=_reveal_secret
    ),
    own_command(f"{WEBHOOK}/test", webhooks.send_webhook_test, response_shape=DeliveryOut),
    own_command(f"{DELIVERIES}/<int:delivery_id>/redeliver", webhooks.redeliver, response_shape=DeliveryOut),
]
