"""French and English by address on public pages: ``/fr/e/mardi`` and ``/en/e/mardi`` beside ``/e/mardi``.

Why, and why not with Django's own patterns: ``docs/decisions/0021-select-the-language-by-url-prefix.md``.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.urls import get_script_prefix, set_script_prefix
from django.utils.translation import activate

from clubs.absolute_urls import get_url_language
from clubs.policy import Audience, get_access
from web.language_cookie import set_language_cookie

LOCALES = {"fr": "fr-CA", "en": "en"}
"""Language codes that a page declares, to browsers and to programs."""


class LanguageMiddleware(LocaleMiddleware):
    """Middleware that chooses the language of the address, if it begins with one.

    Otherwise it is that of the cookie or the browser.

    Behind this, a page requested as ``/fr/e/mardi`` is ``/e/mardi``, and every address that it reverses
    begins with ``/fr/``. Pages that are not public have one address only: links lead there in the language
    read so far.
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
        vars(request)["is_public"] = get_access(view) is Audience.PUBLIC
        language = get_url_language(request)
        if not language or vars(request)["is_public"] or request.method not in {"GET", "HEAD"}:
            return None
        response = HttpResponseRedirect(request.get_full_path_info())
        set_language_cookie(response, language)
        return response

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = get_url_language(request)
        if not language:
            return super().process_response(request, response)
        set_script_prefix(vars(request)["site_prefix"])
        response.headers["Content-Language"] = language
        return response


def build_language_url(request: HttpRequest, language: str) -> str:
    """Return the address of the requested page in that language; without a prefix if it is ""."""
    path = request.get_full_path_info().removeprefix("/")
    return f"{vars(request)['site_prefix']}{language and f'{language}/'}{path}"
