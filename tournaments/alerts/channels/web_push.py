"""Alerts by the browser's push service; ``static/js/service_worker.js`` shows them."""

import json
from collections.abc import Mapping
from typing import Any

from clubs.models import Person
from web.web_push import PushSubscription, SubscriptionGoneError, is_sendable, send_push_message

from .channel import AddressGone, AlertMessage

ADDRESS_PARTS = ("endpoint", "p256dh", "auth")
MAX_PART_LENGTH = 1_000


class WebPush:
    def get_current_address(self, stored: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
        return stored

    def is_address(self, address: Mapping[str, Any]) -> bool:
        is_whole = set(address) == set(ADDRESS_PARTS)
        is_text = all(isinstance(part, str) and len(part) <= MAX_PART_LENGTH for part in address.values())
        return is_whole and is_text and is_sendable(PushSubscription(**address))

    def send(self, address: Mapping[str, Any], message: AlertMessage) -> None:
        payload = {
            "title": message.title,
            "body": message.text,
            "page": message.page,
            "lang": message.language,
            "tag": message.topic,
        }
        try:
            send_push_message(PushSubscription(**address), json.dumps(payload), topic=message.topic)
        except SubscriptionGoneError as gone:
            raise AddressGone from gone
