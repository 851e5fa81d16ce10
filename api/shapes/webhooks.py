"""Addresses that are told, and what they were told."""

from typing import Any

from rest_framework import serializers as s

from clubs.models import NewsKind, Webhook, WebhookDelivery


class WebhookOut(s.Serializer[Webhook]):
    id = s.IntegerField(source="pk")
    address = s.CharField()
    kinds = s.ListField(child=s.ChoiceField(choices=NewsKind.values))
    is_on = s.BooleanField()
    off_because = s.CharField(help_text="owner, failing, gone or restored; empty while it is on.")
    failing_since = s.DateTimeField(allow_null=True)


class WebhookMade(WebhookOut):
    """With the secret, which is shown this once; empty to a repeat."""

    secret = s.CharField()


class DeliveryOut(s.Serializer[WebhookDelivery]):
    id = s.IntegerField(source="pk")
    message_id = s.CharField(help_text="The header webhook-id.")
    kind = s.CharField()
    state = s.CharField(help_text="waiting, delivered, given_up or withdrawn.")
    noticed_at = s.DateTimeField()
    attempts = s.IntegerField()
    tried_at = s.DateTimeField(allow_null=True)
    status = s.IntegerField(allow_null=True)
    milliseconds = s.IntegerField(allow_null=True)
    trouble = s.CharField(help_text="Why it was not sent; empty where somebody answered.")
    answer = s.CharField(help_text="How it began.")


class Webhooks(s.Serializer[Any]):
    results = WebhookOut(many=True)


class Deliveries(s.Serializer[Any]):
    """The last hundred, the newest first."""

    results = DeliveryOut(many=True)
