"""The digits of an app, as RFC 6238 has them, and what an app is told."""

import base64
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.one_time_codes import SECONDS, WITHIN, app_address, digits_at, new_secret, step_at, step_of

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
"""Appendix B: of eight digits, of which apps show the last six."""


@pytest.mark.parametrize(("seconds", "digits"), VECTORS.items())
def test_are_those_of_the_rfc(seconds: int, digits: str) -> None:
    assert digits_at(SECRET, step_at(seconds)) == digits[-6:]


def test_last_half_a_minute() -> None:
    assert SECONDS == 30
    assert step_at(59) + 1 == step_at(60) == step_at(89.9)


@given(STEPS, st.integers(-WITHIN, WITHIN))
def test_are_right_for_clocks_that_differ_by_one_step(step: int, ahead: int) -> None:
    digits = digits_at(SECRET, step)
    found = step_of(digits, SECRET, now=step + ahead)
    assert found is not None
    assert found >= step, "the latest step with these digits: none that is left has them"
    assert digits_at(SECRET, found) == digits


@given(STEPS)
def test_of_a_step_further_off_are_wrong_unless_they_come_again(step: int) -> None:
    near = {digits_at(SECRET, one) for one in range(max(step - 1, 0), step + 2)}
    for other in (step + 2, step + 1000):
        digits = digits_at(SECRET, other)
        assert (step_of(digits, SECRET, now=step) is None) == (digits not in near)


def test_an_app_is_told_whose_they_are() -> None:
    secret = new_secret()
    assert len(base64.b32decode(secret)) == 20
    assert secret != new_secret()
    told = urlsplit(app_address(secret, name="Noëlla: Guy & co/é"))
    assert (told.scheme, told.netloc) == ("otpauth", "totp")
    assert told.path == "/Charlemagne:No%C3%ABlla%3A%20Guy%20%26%20co%2F%C3%A9"
    assert parse_qs(told.query)["secret"] == [secret]
    assert parse_qs(told.query)["issuer"] == ["Charlemagne"]
