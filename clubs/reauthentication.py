"""Who has just shown that it is them. What changes how an account is opened, who may do what, and what takes
people's data away or erases it asks for it: at a desk, somebody else may be at the laptop by now."""

import time
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps

from django.contrib.auth import login
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from rules import Refusal

from .access import View, to_sign_in
from .actor import device_of
from .models import Account
from .sessions import BEGUN, DEVICE, SEEN

FRESH = 10 * 60
"""Seconds after signing in."""

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_PROOF, _AWAITED = "proof", "awaits_code"

AWAITED_FOR = 10 * 60
"""Seconds in which the six digits can be typed, after the password."""


class SignInMethod(StrEnum):
    """How somebody signed in."""

    PASSWORD = "password"  # noqa: S105 (no secret)
    PASSKEY = "passkey"
    LINK = "link"


def sign_in_by(way: SignInMethod, request: HttpRequest, account: Account) -> None:
    """A session of the account begins, or is begun anew. Whoever calls it has asked for all that is to be
    asked (``clubs.views.sessions``)."""
    login(request, account, backend=_BACKEND)
    request.session.pop(_AWAITED, None)
    now = int(time.time())
    request.session.update({_PROOF: [way.value, now], BEGUN: now, SEEN: now, DEVICE: device_of(request)})


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfSignIn:
    """Somebody who has shown the first of two things, and the page that they want."""

    account: Account
    way: SignInMethod
    wanted: str


def await_code(way: SignInMethod, request: HttpRequest, account: Account, *, wanted: str) -> None:
    """The digits are asked for next. Another password, chosen meanwhile, ends it."""
    until = int(time.time()) + AWAITED_FOR
    request.session[_AWAITED] = [account.pk, account.get_session_auth_hash(), way.value, until, wanted]


def half_sign_in(request: HttpRequest) -> HalfSignIn | None:
    """Who has the digits still to type, in this browser; None if nobody has, or that is too long ago."""
    pk, shown, way, until, wanted = request.session.get(_AWAITED, (None, "", "", 0, ""))
    account = Account.objects.filter(pk=pk).first() if 0 <= until - time.time() <= AWAITED_FOR else None
    if account is None or not constant_time_compare(shown, account.get_session_auth_hash()):
        return None
    return HalfSignIn(account=account, way=SignInMethod(way), wanted=wanted)


def fresh_proof(request: HttpRequest) -> SignInMethod | None:
    """How whoever is here signed in, a few minutes ago; None if that is longer ago."""
    way, at = request.session.get(_PROOF, (None, 0))
    return SignInMethod(way) if way and 0 <= time.time() - at < FRESH else None


def has_come_without_password(request: HttpRequest) -> bool:
    """Whether it was just now, and not with the password, which may be forgotten."""
    return fresh_proof(request) in {SignInMethod.PASSKEY, SignInMethod.LINK}


def for_fresh_sign_in(view: View) -> View:
    """Only for who has signed in a few minutes ago; anybody else does so again, and comes back. It stands
    below what says who may open the view."""

    @wraps(view)
    def open_page(request: HttpRequest, *given: object, **address: object) -> HttpResponseBase:
        return to_sign_in(request) if fresh_proof(request) is None else view(request, *given, **address)

    return open_page


def check_proof(request: HttpRequest) -> None:
    """Refuses: sign_in_again."""
    if fresh_proof(request) is None:
        raise Refusal("sign_in_again")
