"""Recent sign-ins. Changes to sign-in methods and roles, and export or deletion of personal data require one:
somebody else may be at the desk's laptop by now."""

import time
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps

from django.contrib.auth import login
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from errors import Refusal

from .access import View, to_sign_in
from .actor import device_of
from .models import Account
from .sessions import BEGUN, DEVICE, SEEN

FRESH = 10 * 60
"""Seconds for which a sign-in counts as recent."""

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_PROOF, _AWAITED = "proof", "awaits_code"

AWAITED_FOR = 10 * 60
"""Seconds in which the six digits can be typed, after the password."""


class SignInMethod(StrEnum):
    """The way in which somebody signed in."""

    PASSWORD = "password"  # noqa: S105 (no secret)
    PASSKEY = "passkey"
    LINK = "link"


def sign_in_by(way: SignInMethod, request: HttpRequest, account: Account) -> None:
    """Start a session for the account, or renew it. The caller has checked all factors
    (``clubs.views.sessions``)."""
    login(request, account, backend=_BACKEND)
    request.session.pop(_AWAITED, None)
    now = int(time.time())
    request.session.update({_PROOF: [way.value, now], BEGUN: now, SEEN: now, DEVICE: device_of(request)})


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfSignIn:
    """A sign-in that awaits the second factor, and the page to open afterwards."""

    account: Account
    way: SignInMethod
    wanted: str


def await_code(way: SignInMethod, request: HttpRequest, account: Account, *, wanted: str) -> None:
    """Ask for the digits next. A change of the password in the meantime cancels this."""
    until = int(time.time()) + AWAITED_FOR
    request.session[_AWAITED] = [account.pk, account.get_session_auth_hash(), way.value, until, wanted]


def half_sign_in(request: HttpRequest) -> HalfSignIn | None:
    """Return the sign-in that awaits digits in this browser; None if there is none, or it is too old."""
    pk, shown, way, until, wanted = request.session.get(_AWAITED, (None, "", "", 0, ""))
    account = Account.objects.filter(pk=pk).first() if 0 <= until - time.time() <= AWAITED_FOR else None
    if account is None or not constant_time_compare(shown, account.get_session_auth_hash()):
        return None
    return HalfSignIn(account=account, way=SignInMethod(way), wanted=wanted)


def fresh_proof(request: HttpRequest) -> SignInMethod | None:
    """Return the method of a sign-in within the last minutes (``FRESH``); None if it is older."""
    way, at = request.session.get(_PROOF, (None, 0))
    return SignInMethod(way) if way and 0 <= time.time() - at < FRESH else None


def has_come_without_password(request: HttpRequest) -> bool:
    """Return whether the recent sign-in was without the password, which may be forgotten."""
    return fresh_proof(request) in {SignInMethod.PASSKEY, SignInMethod.LINK}


def for_fresh_sign_in(view: View) -> View:
    """Require a recent sign-in; otherwise ask to sign in again and return. Place it below the
    access decorator."""

    @wraps(view)
    def open_page(request: HttpRequest, *given: object, **address: object) -> HttpResponseBase:
        return to_sign_in(request) if fresh_proof(request) is None else view(request, *given, **address)

    return open_page


def check_proof(request: HttpRequest) -> None:
    """Check that the sign-in is recent. Refuses: sign_in_again."""
    if fresh_proof(request) is None:
        raise Refusal("sign_in_again")
