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

from .models import Account
from .pages import View, get_device, redirect_to_sign_in
from .sessions import BEGUN, DEVICE, SEEN

FRESH_SECONDS = 10 * 60
"""Seconds for which a sign-in counts as recent."""

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_PROOF_KEY, _PENDING_KEY = "proof", "awaits_code"

CODE_LIFETIME = 10 * 60
"""Seconds in which the six digits can be typed, after the password."""


class SignInMethod(StrEnum):
    """The way in which somebody signed in."""

    PASSWORD = "password"  # noqa: S105 (no secret)
    PASSKEY = "passkey"
    LINK = "link"


def start_session(method: SignInMethod, request: HttpRequest, account: Account) -> None:
    """Start a session for the account, or renew it. The caller has checked all factors
    (``clubs.views.sessions``)."""
    login(request, account, backend=_BACKEND)
    request.session.pop(_PENDING_KEY, None)
    now = int(time.time())
    request.session.update({_PROOF_KEY: [method.value, now], BEGUN: now, SEEN: now, DEVICE: get_device(request)})


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingSignIn:
    """A sign-in that awaits the second factor, and the page to open afterwards."""

    account: Account
    way: SignInMethod
    next_url: str


def require_code(method: SignInMethod, request: HttpRequest, account: Account, *, next_url: str) -> None:
    """Ask for the digits next. A change of the password in the meantime cancels this."""
    expires_at = int(time.time()) + CODE_LIFETIME
    request.session[_PENDING_KEY] = [account.pk, account.get_session_auth_hash(), method.value, expires_at, next_url]


def get_pending_sign_in(request: HttpRequest) -> PendingSignIn | None:
    """Return the sign-in that awaits digits in this browser; None if there is none, or it is too old."""
    pk, auth_hash, method, expires_at, next_url = request.session.get(_PENDING_KEY, (None, "", "", 0, ""))
    account = Account.objects.filter(pk=pk).first() if 0 <= expires_at - time.time() <= CODE_LIFETIME else None
    if account is None or not constant_time_compare(auth_hash, account.get_session_auth_hash()):
        return None
    return PendingSignIn(account=account, way=SignInMethod(method), next_url=next_url)


def get_fresh_method(request: HttpRequest) -> SignInMethod | None:
    """Return the method of a sign-in within the last minutes (``FRESH_SECONDS``); None if it is older."""
    method, signed_in_at = request.session.get(_PROOF_KEY, (None, 0))
    return SignInMethod(method) if method and 0 <= time.time() - signed_in_at < FRESH_SECONDS else None


def is_passwordless(request: HttpRequest) -> bool:
    """Return whether the recent sign-in was without the password, which may be forgotten."""
    return get_fresh_method(request) in {SignInMethod.PASSKEY, SignInMethod.LINK}


def require_fresh_sign_in(view: View) -> View:
    """Require a recent sign-in; otherwise ask to sign in again and return. Place it below the
    access decorator."""

    @wraps(view)
    def open_page(request: HttpRequest, *args: object, **address: object) -> HttpResponseBase:
        return redirect_to_sign_in(request) if get_fresh_method(request) is None else view(request, *args, **address)

    return open_page


def check_fresh_sign_in(request: HttpRequest) -> None:
    """Check that the sign-in is recent. Refuses: sign_in_again."""
    if get_fresh_method(request) is None:
        raise Refusal("sign_in_again")
