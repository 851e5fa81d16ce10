"""Pages that bring themselves up to date: each carries the revision it shows and asks for a newer one."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from threading import Lock

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

SALT = "live.watching"
"""Open pages go on over an upgrade: the salt is data, and no name of a module."""


def asks_for_part(request: HttpRequest) -> bool:
    """Whether htmx asks, which wants only the part of the page that changes."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # of django-htmx, also through DRF
    return bool(htmx)


def redirect_or_part(request: HttpRequest, address: str) -> HttpResponse:
    """A redirect; for htmx, and for scripts that ask as it does, one that the answer's headers survive."""
    return HttpResponseClientRedirect(address) if asks_for_part(request) else redirect(address)


def page_or_part(request: HttpRequest, template: str) -> str:
    """Of the template ``page.html#part`` the part for htmx, else the whole page."""
    return template if asks_for_part(request) else template.partition("#")[0]


def part_tag(request: HttpRequest, revision: str) -> str:
    """The entity tag of the part of a page at this revision: what the page says it has when it asks again."""
    return _tag(request, revision, "part")


def _tag(request: HttpRequest, revision: str, extent: str) -> str:
    """What a page depends on beside its revision: the reader's language, the token that its forms carry
    (another one after signing in), if it has any, and the names of the static files (others after an
    update)."""
    is_alike = vars(request).get("is_alike", False)
    if not is_alike and "CSRF_COOKIE" not in request.META:
        get_token(request)
    token = "" if is_alike else request.META["CSRF_COOKIE"]
    served_with = (token, getattr(staticfiles_storage, "manifest_hash", ""))
    sealed = salted_hmac(SALT, "\n".join((revision, get_language() or "", *served_with, extent)))
    return f'"{sealed.hexdigest()[:32]}"'


def _asked_tag(request: HttpRequest, revision: str) -> str:
    """That of the page or the part, as it is asked for."""
    return _tag(request, revision, "part" if asks_for_part(request) else "page")


def conditional_page(request: HttpRequest, revision: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """The page, made only if the reader does not have this revision yet: else 304, without a body.

    Nothing is cached by time: a browser keeps the page and asks each time whether it still holds.
    """
    return _unless_known(request, _asked_tag(request, revision), page)


def shared_conditional_page(
    request: HttpRequest, revision: str, page: Callable[[], HttpResponse]
) -> HttpResponse:
    """The same for a page without forms, which is alike for all who ask at its address: this process makes it
    once at each revision, however many ask, and keeps the last one that it made."""
    vars(request)["is_alike"] = True
    etag = _asked_tag(request, revision)
    return _unless_known(request, etag, partial(_single_flight, request, etag, page))


def _unless_known(request: HttpRequest, etag: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    known = parse_etags(request.headers.get("If-None-Match", "").replace("W/", ""))
    response = HttpResponseNotModified() if etag in known else page()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ["HX-Request", "Accept-Language", "Cookie"])
    return response


_MAKING = tuple(Lock() for _ in range(64))
"""Which of them a page takes follows from its name. Two pages that share one wait for each other, which
costs less than to keep count of locks."""


def _single_flight(request: HttpRequest, etag: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """Who asks while it is being made waits for it: a hall that reloads at once has it made once."""
    address = f"{request.scheme}://{request.get_host()}{request.get_full_path()}"
    asked = f"{address} {get_language()} {'part' if asks_for_part(request) else 'page'}"
    name = salted_hmac(SALT, asked).hexdigest()
    with _MAKING[int(name[:4], 16) % len(_MAKING)]:
        kept = caches["pages"].get(name)
        if kept is not None and kept[0] == etag:
            return HttpResponse(kept[1], headers=kept[2])
        response = page()
        if isinstance(response, SimpleTemplateResponse):
            response.render()
        if response.status_code == HTTPStatus.OK:
            caches["pages"].set(name, (etag, response.content, dict(response.headers)))
        return response


def alike_for_all(request: HttpRequest, shown: str, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """What is the same for whoever asks at that address: made only for whom it is new, else 304. ``shown``
    tells apart all that it shows, and is sealed: a revision counts what nobody may see yet, too. It sets no
    cookie, and nobody's account changes it."""
    etag = f'"{salted_hmac(SALT, shown).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag) or answer()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, public=True)
    return response
