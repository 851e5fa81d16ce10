"""Web push messages (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292).

Only the push services of browser makers are used (``settings.PUSH_SERVICES``): the address comes from the
client, and any other could make this computer connect to the hall's own network.
"""

import json
import os
import re
import time
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from .outgoing import RequestNotSentError, post_url

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve: private keys are below it."""
RECORD = 4096
"""The record size in bytes: all that a push service must accept."""
SIGNATURE_LIFETIME = 12 * 3600  # seconds; services accept a day at most
MESSAGE_TTL = 3600  # seconds, while the phone is off; later the message is useless


class PushUnavailableError(Exception):
    """The push service is not available now; it may be later."""


class SubscriptionGoneError(Exception):
    """The browser has cancelled the subscription for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSubscription:
    """A browser's push subscription: its endpoint, public key and secret, the last two in base64url."""

    endpoint: str
    p256dh: str
    auth: str


def is_sendable(subscription: PushSubscription) -> bool:
    """Return whether it belongs to a known push service, and messages can be encrypted for it."""
    try:
        _parse_public_key(subscription.p256dh)
        return is_push_service(subscription.endpoint) and len(urlsafe_base64_decode(subscription.auth)) == 16
    except ValueError:
        return False


def is_push_service(endpoint: str) -> bool:
    """Return whether the endpoint belongs to one of the browsers' push services."""
    return any(re.fullmatch(rf"{service}/[!-~]+", endpoint) for service in settings.PUSH_SERVICES)


def get_application_key() -> str:
    """Return the public key by which browsers know this installation, in base64url."""
    return urlsafe_base64_encode(_encode_point(_derive_installation_key()))


def send_push_message(subscription: PushSubscription, message: str, *, topic: str) -> None:
    """Send a message to the push service; it replaces one of the same topic that still waits there.

    Raises SubscriptionGoneError and PushUnavailableError.
    """
    if not is_push_service(subscription.endpoint):
        raise SubscriptionGoneError
    status = _send_request(
        subscription.endpoint,
        encrypt_message(message.encode(), subscription, sender=ec.generate_private_key(CURVE), salt=os.urandom(16)),
        {
            "Authorization": _sign_request(subscription.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(MESSAGE_TTL),
            "Topic": sha256(topic.encode()).hexdigest()[:32],
            "Urgency": "high",
        },
    )
    if status in {404, 410}:
        raise SubscriptionGoneError
    if not 200 <= status < 300:
        raise PushUnavailableError(f"the push service answers {status}")


def encrypt_message(
    message: bytes, subscription: PushSubscription, *, sender: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Return the encrypted body (RFC 8291, section 4): the sender's key and one record (RFC 8188). ``sender``
    and ``salt`` must be new for each message."""
    receiver, sender_key = _parse_public_key(subscription.p256dh), _encode_point(sender)
    shared_secret = sender.exchange(ec.ECDH(), receiver)
    info = b"WebPush: info\0" + _encode_point(receiver) + sender_key
    secret = _derive_key(shared_secret, salt=urlsafe_base64_decode(subscription.auth), info=info, length=32)
    key = _derive_key(secret, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
    nonce = _derive_key(secret, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(sender_key)]) + sender_key
    return header + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def _send_request(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
    """Post to the service, and return the status. Raises PushUnavailableError."""
    try:
        return post_url(endpoint, body, headers).status
    except RequestNotSentError as error:
        raise PushUnavailableError(f"the push service does not answer: {error}") from error


def _sign_request(endpoint: str) -> str:
    """Return the sender's signature (RFC 8292): a token for this service, signed with the
    installation's key."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNATURE_LIFETIME,
        "sub": settings.PUSH_CONTACT,
    }
    signed = ".".join(
        urlsafe_base64_encode(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    r, s = decode_dss_signature(_derive_installation_key().sign(signed.encode(), ec.ECDSA(SHA256())))
    token = f"{signed}.{urlsafe_base64_encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
    return f"vapid t={token}, k={get_application_key()}"


def _derive_installation_key() -> ec.EllipticCurvePrivateKey:
    """Return the private key, derived from the secret in the data folder: there is no second
    one to back up."""
    derived = _derive_key(settings.SECRET_KEY.encode(), salt=None, info=b"charlemagne web push", length=48)
    return ec.derive_private_key(1 + int.from_bytes(derived, "big") % (ORDER - 1), CURVE)


def _derive_key(secret: bytes, *, salt: bytes | None, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def _parse_public_key(text: str) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, urlsafe_base64_decode(text))


def _encode_point(key: ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey) -> bytes:
    public = key.public_key() if isinstance(key, ec.EllipticCurvePrivateKey) else key
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
