"""French and English by address: ``/fr/e/mardi`` and ``/en/e/mardi`` beside ``/e/mardi``, on public pages.

Why so, and not with Django's own patterns: ``docs/decisions/0021-select-the-language-by-url-prefix.md``.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.urls import get_script_prefix, set_script_prefix
from django.utils.translation import activate

from clubs.absolute_urls import language_of_address
from clubs.policy import Audience, opening_of
from web.language_cookie import set_language_cookie

LOCALES = {"fr": "fr-CA", "en": "en"}
"""What a page says of its language, to browsers and to programs."""


class LanguageMiddleware(LocaleMiddleware):
    """The language of the address, where it begins with one; else that of the cookie or the browser.

    Behind this, a page that was asked for as ``/fr/e/mardi`` is ``/e/mardi``, and every address that it
    reverses begins with ``/fr/``. What is not public has one address only: links lead there in the language
    that was read so far.
    """

    def process_request(self, request: HttpRequest) -> None:
        prefix = get_script_prefix()
        vars(request)["site_prefix"] = prefix
        language, _, rest = request.path_info.removeprefix("/").partition("/")
        if language not in LOCALES:
            super().process_request(request)
            return
        request.path_info = f"/{rest}"
        set_script_prefix(f"{prefix}{language}/")
        activate(language)
        request.LANGUAGE_CODE = language
        vars(request)["language_of_address"] = language

    def process_view(self, request: HttpRequest, view: Any, *_: object) -> HttpResponse | None:
        vars(request)["is_public"] = opening_of(view) is Audience.PUBLIC
        language = language_of_address(request)
        if not language or vars(request)["is_public"] or request.method not in {"GET", "HEAD"}:
            return None
        response = HttpResponseRedirect(request.get_full_path_info())
        set_language_cookie(response, language)
        return response

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = language_of_address(request)
        if not language:
            return super().process_response(request, response)
        set_script_prefix(vars(request)["site_prefix"])
        response.headers["Content-Language"] = language
        return response


def address_in(request: HttpRequest, language: str) -> str:
    """The address of the page of the request, in that language; in the reader's own, where it is ""."""
    path = request.get_full_path_info().removeprefix("/")
    return f"{vars(request)['site_prefix']}{language and f'{language}/'}{path}"
