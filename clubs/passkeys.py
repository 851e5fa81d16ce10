"""Passkeys: the options for the browser, and verification of its responses. Plain Python: no database.

WebAuthn (https://www.w3.org/TR/webauthn-3/); the library fido2 handles formats, signatures and comparisons.
No attestation is required: any phone will do.
"""

import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from secrets import token_bytes
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationConveyancePreference,
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialDescriptor,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialType,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from errors import Refusal

MAX_RESPONSE_BYTES = 64 * 1024
"""Characters accepted from a browser: some hundred times what one sends."""
MALFORMED_ERRORS = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, RecursionError),
    *(struct.error, OverflowError, NotImplementedError, UnsupportedAlgorithm),
)
"""Exceptions that malformed responses raise."""

ChallengeState = dict[str, Any]
"""The state to verify a response against, in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The site of passkeys: the ``host`` that they belong to, and the ``origin`` in the
    browser's notation."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCredential:
    """A new credential as it is stored; binary values in base64url."""

    credential_id: str
    credential: str
    sign_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """A signed response, parsed but not yet verified."""

    credential_id: str
    handle: str
    sign_count: int
    response: AuthenticationResponse


def get_site(scheme: str, host: str) -> Site | None:
    """Return the site of a page at ``host`` (with its port, if any). None where browsers allow no passkeys:
    without HTTPS except on this computer, and at a bare IP address."""
    name = (urlsplit(f"//{host}").hostname or "").lower()
    is_this_computer = name == "localhost" or name.endswith(".localhost")
    if not name or _is_number(name) or not (scheme == "https" or is_this_computer):
        return None
    return Site(host=name, origin=f"{scheme}://{host.lower()}")


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def generate_handle() -> str:
    """Return a random handle, by which authenticators know an account; it reveals nothing about it."""
    return websafe_encode(token_bytes(32))


def build_creation_options(
    site: Site, *, name: str, handle: str, credential_ids: Iterable[str]
) -> tuple[Mapping[str, Any], ChallengeState]:
    """Return the options to create a passkey for this name, and the state to verify the response. Devices
    with a passkey among ``credential_ids`` are excluded."""
    user = PublicKeyCredentialUserEntity(id=websafe_decode(handle), name=name, display_name=name)
    options, state = _build_server(site).register_begin(
        user,
        credentials=[
            PublicKeyCredentialDescriptor(type=PublicKeyCredentialType.PUBLIC_KEY, id=websafe_decode(one))
            for one in credential_ids
        ],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return dict(options.public_key), state


def check_new_passkey(site: Site, state: ChallengeState, response_text: str) -> NewCredential:
    """Verify a browser's response, and return the new passkey. Refuses: passkey_refused."""
    try:
        registration = _build_server(site).register_complete(state, _parse_json(response_text))
        credential = registration.credential_data
        assert credential is not None
        AttestedCredentialData(credential)  # checks that it can be read again
    except MALFORMED_ERRORS:
        raise Refusal("passkey_refused") from None
    return NewCredential(
        credential_id=websafe_encode(credential.credential_id),
        credential=websafe_encode(credential),
        sign_count=registration.counter,
    )


def build_sign_in_options(site: Site) -> tuple[Mapping[str, Any], ChallengeState]:
    """Return the options to sign in with any passkey of this site, and the state to verify the response."""
    options, state = _build_server(site).authenticate_begin(user_verification=UserVerificationRequirement.PREFERRED)
    return dict(options.public_key), state


def parse_assertion(response_text: str) -> Assertion:
    """Parse a browser's response. Refuses: passkey_refused."""
    try:
        response = AuthenticationResponse.from_dict(_parse_json(response_text))
        handle = response.response.user_handle
        return Assertion(
            credential_id=response.id,
            handle=websafe_encode(handle) if handle else "",
            sign_count=response.response.authenticator_data.counter,
            response=response,
        )
    except MALFORMED_ERRORS:
        raise Refusal("passkey_refused") from None


def verify_assertion(site: Site, state: ChallengeState, assertion: Assertion, *, credential: str, handle: str) -> None:
    """Verify that the response answers this challenge at this site, signed by that credential
    for that handle.

    Refuses: passkey_refused.
    """
    try:
        credentials = AttestedCredentialData(websafe_decode(credential))
        _build_server(site).authenticate_complete(state, [credentials], assertion.response)
    except MALFORMED_ERRORS:
        raise Refusal("passkey_refused") from None
    if assertion.handle != handle:
        raise Refusal("passkey_refused")


def is_copied(*, stored_count: int, sign_count: int) -> bool:
    """Return whether the signature count failed to grow: then two devices share the secret. Devices that do
    not count always send 0."""
    return (stored_count, sign_count) != (0, 0) and sign_count <= stored_count


def _build_server(site: Site) -> Fido2Server:
    return Fido2Server(
        PublicKeyCredentialRpEntity(id=site.host, name="Charlemagne"),
        attestation=AttestationConveyancePreference.NONE,
        verify_origin=lambda origin: origin == site.origin,
    )


def _parse_json(response_text: str) -> dict[str, Any]:
    if len(response_text) > MAX_RESPONSE_BYTES:
        raise ValueError("too long")
    found = json.loads(response_text)
    if not isinstance(found, dict):
        raise TypeError("not an object")
    return found
