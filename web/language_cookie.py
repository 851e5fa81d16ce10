"""The language that a browser is to have all pages in, whatever it speaks."""

from django.conf import settings
from django.http.response import HttpResponseBase


def set_language_cookie(response: HttpResponseBase, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
