"""A Web Push service and a browser that receives its messages.

Both follow RFC 8030, 8188, 8291 and 8292, independently of the program.
"""

from __future__ import annotations

import hmac
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .small_servers import run_small_server


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def _compute_hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, sha256).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def claims(self) -> dict[str, Any]:
        """The claims of the token, once its signature is verified with the key beside it. Raises InvalidSignature."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        signed, _, signature = parts["t"].rpartition(".")
        raw = decode(signature)
        r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
        key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
        header, claims = (json.loads(decode(part)) for part in signed.split("."))
        assert header["alg"] == "ES256"
        return {**claims, "key": parts["k"]}


@dataclass(slots=True)
class PushBrowser:
    """A browser with a subscription at the service: only this browser can read its messages."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def address(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": encode(point), "auth": encode(self.auth)}

    def decrypt(self, body: bytes) -> str:
        """Decrypt a message by RFC 8291, section 3.4. Raises InvalidTag."""
        salt, sender = body[:16], body[21 : 21 + body[20]]
        own = decode(self.address["p256dh"])
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        secret = _compute_hmac(self.auth, self.key.exchange(ec.ECDH(), public))
        secret = _compute_hmac(secret, b"WebPush: info\0" + own + sender + b"\x01")
        drawn = _compute_hmac(salt, secret)
        key = _compute_hmac(drawn, b"Content-Encoding: aes128gcm\0\x01")[:16]
        nonce = _compute_hmac(drawn, b"Content-Encoding: nonce\0\x01")[:12]
        padded_text = AESGCM(key).decrypt(nonce, body[21 + body[20] :], None)
        return padded_text.rstrip(b"\0").removesuffix(b"\x02").decode()


class PushService:
    """A push service that answers with ``status`` and keeps the messages that it answered with 201."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.status = 201
        self.messages: list[PushMessage] = []
        self.refused_count = 0

    def add_browser(self, name: str = "phone") -> PushBrowser:
        return PushBrowser(f"{self.origin}/send/{name}?v=2")

    def list_messages_shown(self, browser: PushBrowser) -> list[dict[str, str]]:
        """Return the messages that this browser has received, in order."""
        mine = [one for one in self.messages if f"{self.origin}{one.path}" == browser.endpoint]
        return [json.loads(browser.decrypt(one.body)) for one in mine]


@contextmanager
def run_push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            if service.status == 201:
                service.messages.append(PushMessage(path=self.path, headers=headers, body=body))
            else:
                service.refused_count += 1
            self.send_response(service.status)
            self.send_header("Location", f"{service.origin}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with run_small_server(Handler) as port:
        service = PushService(port)
        yield service
