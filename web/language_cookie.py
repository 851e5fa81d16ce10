"""The cookie for the language of all pages, instead of the browser's."""

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
