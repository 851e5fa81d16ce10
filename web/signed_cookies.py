"""Signed cookies for one part of the site: nobody can forge a value."""

from datetime import timedelta

from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse


def get_signed_value(request: HttpRequest, name: str, *, salt: str, max_age: timedelta | None = None) -> str | None:
    """Return the cookie's value; None if it is missing, forged or older than ``max_age``."""
    try:
        return request.get_signed_cookie(name, default=None, salt=salt, max_age=max_age)
    except BadSignature:
        return None


def set_signed_value(
    request: HttpRequest,
    response: HttpResponse,
    name: str,
    value: str,
    *,
    salt: str,
    path: str,
    max_age: timedelta,
) -> None:
    """Set the cookie for pages below that path."""
    response.set_signed_cookie(
        name,
        value,
        salt=salt,
        max_age=max_age,
        path=path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
