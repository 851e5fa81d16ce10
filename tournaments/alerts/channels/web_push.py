"""Alerts by the browser's push service; ``static/js/service_worker.js`` shows them."""

import json
from collections.abc import Mapping
from typing import Any

from clubs.models import Person
from web.web_push import PushSubscription, SubscriptionGone, is_sendable, push

from .channel import AddressGone, AlertMessage

PARTS = ("endpoint", "p256dh", "auth")
LONGEST = 1_000


class WebPush:
    def address_now(self, kept: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
        return kept

    def is_address(self, address: Mapping[str, Any]) -> bool:
        is_whole = set(address) == set(PARTS)
        is_text = all(isinstance(part, str) and len(part) <= LONGEST for part in address.values())
        return is_whole and is_text and is_sendable(PushSubscription(**address))

    def send(self, address: Mapping[str, Any], message: AlertMessage) -> None:
        shown = {
            "title": message.title,
            "body": message.text,
            "page": message.page,
            "lang": message.language,
            "tag": message.topic,
        }
        try:
            push(PushSubscription(**address), json.dumps(shown), topic=message.topic)
        except SubscriptionGone as gone:
            raise AddressGone from gone
