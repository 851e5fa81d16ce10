"""Webhooks and their deliveries."""

from typing import Any

from rest_framework import serializers as s

from clubs.models import NewsKind, Webhook, WebhookDelivery


class WebhookOut(s.Serializer[Webhook]):
    id = s.IntegerField(source="pk")
    address = s.CharField(help_text="URL that receives the events.")
    kinds = s.ListField(child=s.ChoiceField(choices=NewsKind.values), help_text="Kinds of events sent.")
    is_on = s.BooleanField()
    off_because = s.CharField(
        help_text="Why it is off: ``owner``, ``failing``, ``gone`` or ``restored``; empty if it is on."
    )
    failing_since = s.DateTimeField(allow_null=True, help_text="When deliveries began to fail, or null.")


class WebhookMade(WebhookOut):
    """A webhook with its secret, which is shown once."""

    secret = s.CharField(help_text="Secret that signs deliveries; empty in the answer to a repeat.")


class DeliveryOut(s.Serializer[WebhookDelivery]):
    id = s.IntegerField(source="pk")
    message_id = s.CharField(help_text="Value of the ``webhook-id`` header.")
    kind = s.CharField()
    state = s.CharField(help_text="``waiting``, ``delivered``, ``given_up`` or ``withdrawn``.")
    noticed_at = s.DateTimeField()
    attempts = s.IntegerField()
    tried_at = s.DateTimeField(allow_null=True)
    status = s.IntegerField(allow_null=True, help_text="HTTP status of the response, or null.")
    milliseconds = s.IntegerField(allow_null=True, help_text="Duration of the request.")
    trouble = s.CharField(help_text="Why the request failed; empty if there was a response.")
    answer = s.CharField(help_text="Beginning of the response.")


class Webhooks(s.Serializer[Any]):
    results = WebhookOut(many=True)


class Deliveries(s.Serializer[Any]):
    """The last 100 deliveries, newest first."""

    results = DeliveryOut(many=True)
