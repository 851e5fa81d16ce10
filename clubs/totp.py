"""Time-based one-time codes of six digits (TOTP, RFC 6238). Plain Python: no database, no clock."""

import base64
import hmac
import secrets
from urllib.parse import quote, urlencode

SECONDS = 30
"""Seconds for which an app shows the same digits: one step."""
DIGITS = 6
STEP_TOLERANCE = 1
"""Steps that a phone's clock may be ahead or behind."""
ISSUER = "Charlemagne"


def generate_secret() -> str:
    """Return a secret of 160 random bits in base32."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def step_at(seconds: float) -> int:
    """Return the step of a time, in seconds since 1970."""
    return int(seconds // SECONDS)


def compute_digits(secret: str, step: int) -> str:
    """Return the digits that an app with that secret shows during the step."""
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def find_step(digits: str, secret: str, *, now: int) -> int | None:
    """Return the latest step around ``now`` with these digits; None if there is none."""
    around = range(now + STEP_TOLERANCE, max(now - STEP_TOLERANCE, 0) - 1, -1)
    return next((step for step in around if hmac.compare_digest(compute_digits(secret, step), digits)), None)


def build_otpauth_url(secret: str, *, name: str) -> str:
    """Return the ``otpauth`` address for the QR code: the secret, and the account's name."""
    label = f"{quote(ISSUER)}:{quote(name, safe='')}"
    params = urlencode({"secret": secret, "issuer": ISSUER, "digits": DIGITS, "period": SECONDS})
    return f"otpauth://totp/{label}?{params}"
