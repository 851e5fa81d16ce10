"""One-time codes of authenticator apps (RFC 6238), and the otpauth URL."""

import base64
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.totp import SECONDS, STEP_TOLERANCE, build_otpauth_url, compute_digits, find_step, generate_secret, step_at

SECRET = base64.b32encode(b"12345678901234567890").decode()
STEPS = st.integers(0, 10**9)
VECTORS = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}
"""RFC 6238, appendix B: codes of eight digits, of which apps show the last six."""


@pytest.mark.parametrize(("seconds", "digits"), VECTORS.items())
def test_codes_match_the_rfc_vectors(seconds: int, digits: str) -> None:
    assert compute_digits(SECRET, step_at(seconds)) == digits[-6:]


def test_codes_change_every_thirty_seconds() -> None:
    assert SECONDS == 30
    assert step_at(59) + 1 == step_at(60) == step_at(89.9)


@given(STEPS, st.integers(-STEP_TOLERANCE, STEP_TOLERANCE))
def test_codes_tolerate_clocks_one_step_apart(step: int, ahead: int) -> None:
    digits = compute_digits(SECRET, step)
    found = find_step(digits, SECRET, now=step + ahead)
    assert found is not None
    assert found >= step, "the latest step with these digits: none that is left has them"
    assert compute_digits(SECRET, found) == digits


@given(STEPS)
def test_codes_of_distant_steps_are_rejected(step: int) -> None:
    near = {compute_digits(SECRET, one) for one in range(max(step - 1, 0), step + 2)}
    for other in (step + 2, step + 1000):
        digits = compute_digits(SECRET, other)
        assert (find_step(digits, SECRET, now=step) is None) == (digits not in near)


def test_otpauth_url_names_the_account_and_issuer() -> None:
    secret = generate_secret()
    assert len(base64.b32decode(secret)) == 20
    assert secret != generate_secret()
    url = urlsplit(build_otpauth_url(secret, name="Noëlla: Guy & co/é"))
    assert (url.scheme, url.netloc) == ("otpauth", "totp")
    assert url.path == "/Charlemagne:No%C3%ABlla%3A%20Guy%20%26%20co%2F%C3%A9"
    assert parse_qs(url.query)["secret"] == [secret]
    assert parse_qs(url.query)["issuer"] == ["Charlemagne"]
