"""Who has just shown that it is them. What changes how an account is opened asks for it: at a desk, somebody
else may be at the laptop by now."""

import time
from enum import StrEnum

from django.contrib.auth import login
from django.http import HttpRequest

from rules import Refusal

from .models import Account

FRESH = 10 * 60
"""Seconds after signing in."""

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_PROOF = "proof"


class SignInMethod(StrEnum):
    """How somebody signed in."""

    PASSWORD = "password"  # noqa: S105 (no secret)
    PASSKEY = "passkey"
    LINK = "link"


def sign_in_by(way: SignInMethod, request: HttpRequest, account: Account) -> None:
    """A session of the account begins, or is begun anew."""
    login(request, account, backend=_BACKEND)
    request.session[_PROOF] = [way.value, int(time.time())]


def fresh_proof(request: HttpRequest) -> SignInMethod | None:
    """How whoever is here signed in, a few minutes ago; None if that is longer ago."""
    way, at = request.session.get(_PROOF, (None, 0))
    return SignInMethod(way) if way and 0 <= time.time() - at < FRESH else None


def has_come_without_password(request: HttpRequest) -> bool:
    """Whether it was just now, and not with the password, which may be forgotten."""
    return fresh_proof(request) in {SignInMethod.PASSKEY, SignInMethod.LINK}


def check_proof(request: HttpRequest) -> None:
    """Refuses: sign_in_again."""
    if fresh_proof(request) is None:
        raise Refusal("sign_in_again")
