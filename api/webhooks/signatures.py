"""Signatures of webhook messages, by Standard Webhooks 1.0.0, symmetric: ``v1``, HMAC-SHA256."""

import hmac
from base64 import b64decode, b64encode
from datetime import datetime, timedelta

from clubs.models import Webhook
from clubs.services.webhooks import PREFIX

SECRET_OVERLAP = timedelta(days=1)


def build_headers(webhook: Webhook, message_id: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers of a message, signed with every valid secret."""
    is_new = webhook.renewed_at is not None and now - webhook.renewed_at < SECRET_OVERLAP
    secrets = [webhook.secret, *([webhook.secret_before] if is_new else [])]
    seconds = int(now.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "Charlemagne",
        "webhook-id": message_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signature(secret, message_id, seconds, body) for secret in secrets),
    }


def signature(secret: str, message_id: str, seconds: int, body: bytes) -> str:
    """Sign a message with the secret as it is handed over.

    >>> signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
    ...           b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    content = f"{message_id}.{seconds}.".encode() + body
    digest = hmac.digest(b64decode(secret.removeprefix(PREFIX)), content, "sha256")
    return f"v1,{b64encode(digest).decode()}"
