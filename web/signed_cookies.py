"""Signed cookies for one part of the site: nobody can forge a value."""

from datetime import timedelta

from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse


def signed_value(request: HttpRequest, name: str, *, salt: str, lasts: timedelta | None = None) -> str | None:
    """Return the cookie's value; None if it is missing, forged or older than ``lasts``."""
    try:
        return request.get_signed_cookie(name, default=None, salt=salt, max_age=lasts)
    except BadSignature:
        return None


def remember_value(
    request: HttpRequest,
    response: HttpResponse,
    name: str,
    value: str,
    *,
    salt: str,
    path: str,
    lasts: timedelta,
) -> None:
    """Set the cookie for pages below that path."""
    response.set_signed_cookie(
        name,
        value,
        salt=salt,
        max_age=lasts,
        path=path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
