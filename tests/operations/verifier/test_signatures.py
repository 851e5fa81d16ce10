"""Signature check of the browser verifier, compared with the library that signs on a server."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.signed_logs import keys
from operations.verifier.in_browser.ed25519 import ORDER, PRIME, is_signature_valid
from tests.long_runs import choose_count

VECTORS = [  # RFC 8032, section 7.1: public key, message, signature
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("public", "message", "signature"), VECTORS)
def test_standard_signature_vectors_verify(public: str, message: str, signature: str) -> None:
    assert is_signature_valid(*map(bytes.fromhex, (message, signature, public)))
    assert not is_signature_valid(*map(bytes.fromhex, (message + "00", signature, public)))


@pytest.mark.slow
@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(), at=st.integers(0, 511))
@settings(max_examples=choose_count(15, long=450))
def test_library_signature_verifies_and_a_flipped_bit_fails(seed: bytes, message: bytes, at: int) -> None:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = private.public_key().public_bytes_raw(), private.sign(message)
    assert is_signature_valid(message, signature, public)
    changed = (int.from_bytes(signature, "big") ^ 1 << at).to_bytes(64, "big")
    assert not is_signature_valid(message, changed, public)
    assert not is_signature_valid(message + b" ", signature, public)


@given(public=st.binary(min_size=32, max_size=32), signature=st.binary(min_size=64, max_size=64))
def test_random_keys_are_judged_as_by_the_library(public: bytes, signature: bytes) -> None:
    assert is_signature_valid(b"", signature, public) == keys.is_signed(b"", signature.hex(), public.hex())


def test_non_canonical_signature_is_rejected() -> None:
    """A valid number plus the order of the group, or too few bytes."""
    public, message, signature = map(bytes.fromhex, VECTORS[1])
    s = int.from_bytes(signature[32:], "little") + ORDER
    assert not is_signature_valid(message, signature[:32] + s.to_bytes(32, "little"), public)
    assert not is_signature_valid(message, signature[:-1], public)
    assert not is_signature_valid(message, signature, public[:-1])
    assert not is_signature_valid(message, signature, (PRIME + 1).to_bytes(32, "little"))
