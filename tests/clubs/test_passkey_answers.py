"""Responses of authenticators as bytes: valid ones are accepted, altered or arbitrary ones refused."""

import json
from typing import Any

import pytest
from fido2.utils import websafe_decode, websafe_encode
from hypothesis import given
from hypothesis import strategies as st

from clubs import passkeys
from clubs.passkeys import NewCredential, Site
from errors import Refusal
from tests.support.authenticator import Authenticator

SITE = Site(host="localhost", origin="http://localhost")
HANDLE = passkeys.generate_handle()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary().map(websafe_encode),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "rawId", "response"]), inner),
)


def create_passkey() -> tuple[Authenticator, str, dict[str, Any], NewCredential]:
    """Return a device, its answer for a new passkey, the challenge state and the stored credential."""
    device = Authenticator()
    question, state = passkeys.build_creation_options(SITE, name="Rita", handle=HANDLE, credential_ids=[])
    answer = device.create(dict(question))
    return device, answer, state, passkeys.check_new_passkey(SITE, state, answer)


DEVICE, CREATED, CREATING, KEPT = create_passkey()
_QUESTION, SIGNING = passkeys.build_sign_in_options(SITE)
SIGNED_ANSWER = DEVICE.sign(dict(_QUESTION))


def is_signed(answer: str, handle: str = HANDLE) -> bool:
    try:
        assertion = passkeys.parse_assertion(answer)
        passkeys.verify_assertion(SITE, SIGNING, assertion, credential=KEPT.credential, handle=handle)
    except Refusal as refusal:
        return {"passkey_refused": False}[refusal.code]
    return True


def is_created(answer: str) -> bool:
    try:
        return passkeys.check_new_passkey(SITE, CREATING, answer) == KEPT
    except Refusal as refusal:
        return {"passkey_refused": False}[refusal.code]


def flip_bit(passkey_answer: str, name: str, place: int) -> str:
    """Flip one bit in a part of the answer; a place beyond the end of the part wraps around."""
    answer = json.loads(passkey_answer)
    part = bytearray(websafe_decode(answer["response"][name]))
    byte, bit = divmod(place % (8 * len(part)), 8)
    part[byte] ^= 1 << bit
    answer["response"][name] = websafe_encode(bytes(part))
    return json.dumps(answer)


def test_valid_answers_are_accepted() -> None:
    assert is_signed(SIGNED_ANSWER)
    assert is_created(CREATED)
    assert not is_signed(SIGNED_ANSWER, handle=passkeys.generate_handle())
    assert not is_signed(CREATED)
    assert not is_created(SIGNED_ANSWER)


@pytest.mark.long
@pytest.mark.parametrize("name", ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
@given(place=st.integers(min_value=0, max_value=10_000))
def test_signed_answer_with_a_flipped_bit_is_refused(name: str, place: int) -> None:
    assert not is_signed(flip_bit(SIGNED_ANSWER, name, place))


@pytest.mark.long
@given(place=st.integers(min_value=0, max_value=10_000))
def test_altered_attestation_never_crashes_the_check(place: int) -> None:
    is_created(flip_bit(CREATED, "attestationObject", place))


@pytest.mark.slow
@given(answer=st.text() | JSON.map(json.dumps))
def test_arbitrary_answers_are_refused(answer: str) -> None:
    assert not is_signed(answer)
    assert not is_created(answer)


@pytest.mark.long
@given(
    response=st.fixed_dictionaries(
        {name: st.binary(max_size=200).map(websafe_encode) for name in ("clientDataJSON", "signature")}
        | {name: st.binary(max_size=200).map(websafe_encode) for name in ("authenticatorData", "userHandle")}
        | {"attestationObject": st.binary(max_size=200).map(websafe_encode)}
    )
)
def test_arbitrary_bytes_in_answer_fields_are_refused(response: dict[str, str]) -> None:
    answer = json.dumps(json.loads(SIGNED_ANSWER) | {"response": response})
    assert not is_signed(answer)
    assert not is_created(answer)


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [(0, 0, False), (0, 1, False), (1, 2, False), (5, 900, False), (1, 1, True), (2, 1, True), (1, 0, True)],
)
def test_stalled_sign_count_reveals_a_copied_passkey(before: int, now: int, expected: bool) -> None:
    assert passkeys.is_copied(stored_count=before, sign_count=now) is expected


@pytest.mark.parametrize(
    ("scheme", "host", "expected"),
    [
        ("https", "Cards.Example.org", Site(host="cards.example.org", origin="https://cards.example.org")),
        (
            "https",
            "cards.example.org:8443",
            Site(host="cards.example.org", origin="https://cards.example.org:8443"),
        ),
        ("http", "localhost:8000", Site(host="localhost", origin="http://localhost:8000")),
        ("http", "club.localhost", Site(host="club.localhost", origin="http://club.localhost")),
        ("http", "cards.example.org", None),
        ("http", "localhost.example.org", None),
        ("http", "127.0.0.1:8000", None),
        ("https", "192.168.1.20", None),
        ("https", "[2001:db8::1]:8000", None),
    ],
)
def test_passkeys_require_https_or_localhost(scheme: str, host: str, expected: Site | None) -> None:
    assert passkeys.get_site(scheme, host) == expected
