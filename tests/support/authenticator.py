"""A passkey authenticator in Python, for tests: it makes keys and signs, correctly or as a thief would."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

FLAGS = AuthenticatorData.FLAG


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    credential_id: bytes
    handle: str
    private: ec.EllipticCurvePrivateKey


@dataclass(kw_only=True)
class Authenticator:
    """A passkey device whose browser is at ``host`` and ``origin``. With ``is_counting``, ``count`` counts its
    signatures."""

    host: str = "localhost"
    origin: str = "http://localhost"
    count: int = 0
    is_counting: bool = True
    keys: list[Key] = field(default_factory=list)

    def copy(self) -> Authenticator:
        """Return an authenticator with copies of these keys, as a thief would have it."""
        return replace(self, keys=list(self.keys))

    def create(self, question: dict[str, Any], *, key: Key | None = None) -> str:
        """Return the browser's response with a new passkey, or with ``key``."""
        made = key or Key(
            credential_id=token_bytes(16),
            handle=question["user"]["id"],
            private=ec.generate_private_key(ec.SECP256R1()),
        )
        self.keys.append(made)
        public = ES256.from_cryptography_key(made.private.public_key())  # type: ignore[no-untyped-call]
        credential = AttestedCredentialData.create(Aaguid.NONE, made.credential_id, public)
        flags = FLAGS.UP | FLAGS.UV | FLAGS.AT
        data = AuthenticatorData.create(sha256(self.host.encode()), flags, self.count, credential)
        client = self._client_data("webauthn.create", question)
        attestation = AttestationObject.create("none", data, {})
        return _serialize_response(
            made.credential_id,
            clientDataJSON=websafe_encode(client),
            attestationObject=websafe_encode(attestation),
        )

    def sign(self, question: dict[str, Any], *, signer: Key | None = None, **changes: str) -> str:
        """Return the response of the first key to a sign-in request, signed by it or by another ``signer``.
        ``changes`` replace values of the response."""
        key = self.keys[0]
        self.count += self.is_counting
        data = AuthenticatorData.create(sha256(self.host.encode()), FLAGS.UP | FLAGS.UV, self.count)
        client = self._client_data("webauthn.get", question)
        signature = (signer or key).private.sign(data + client.hash, ec.ECDSA(SHA256()))
        answer = {
            "clientDataJSON": websafe_encode(client),
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(signature),
            "userHandle": key.handle,
        }
        return _serialize_response(key.credential_id, **answer | changes)

    def _client_data(self, kind: str, question: dict[str, Any]) -> CollectedClientData:
        return CollectedClientData.create(kind, websafe_decode(question["challenge"]), self.origin)


def _serialize_response(credential_id: bytes, **response: str) -> str:
    name = websafe_encode(credential_id)
    return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})
