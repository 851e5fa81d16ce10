"""What a browser remembers for one part of the site, signed: nobody makes another value of it."""

from datetime import timedelta

from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse


def signed_value(request: HttpRequest, name: str, *, salt: str, lasts: timedelta | None = None) -> str | None:
    """None where there is none, or none that we have signed, as long ago as it ``lasts`` at most."""
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
    """For pages below that path alone."""
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
