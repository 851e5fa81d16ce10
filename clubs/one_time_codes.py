"""Six digits that an app shows, others each half minute (RFC 6238). Plain Python: no database, no clock."""

import base64
import hmac
import secrets
from urllib.parse import quote, urlencode

SECONDS = 30
"""How long an app shows the same digits: one step."""
DIGITS = 6
WITHIN = 1
"""So many steps a phone's clock may be ahead of ours, or behind it."""
ISSUER = "Charlemagne"


def new_secret() -> str:
    """160 random bits, in the letters that apps take."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def step_at(seconds: float) -> int:
    """The step of a moment, in seconds since 1970."""
    return int(seconds // SECONDS)


def digits_at(secret: str, step: int) -> str:
    """What an app with that secret shows during the step."""
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_of(digits: str, secret: str, *, now: int) -> int | None:
    """The latest step around ``now`` of which these are the digits; None if there is none."""
    around = range(now + WITHIN, max(now - WITHIN, 0) - 1, -1)
    return next((step for step in around if hmac.compare_digest(digits_at(secret, step), digits)), None)


def app_address(secret: str, *, name: str) -> str:
    """What the square says to an app: the secret, and whose it is."""
    label = f"{quote(ISSUER)}:{quote(name, safe='')}"
    asked = urlencode({"secret": secret, "issuer": ISSUER, "digits": DIGITS, "period": SECONDS})
    return f"otpauth://totp/{label}?{asked}"
