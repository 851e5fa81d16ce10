"""Pages that update themselves: each contains the revision it shows, and asks for a newer one."""

from collections.abc import Callable, Collection
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
"""Stored data, not a module name: open pages continue over an upgrade."""


def asks_for_part(request: HttpRequest) -> bool:
    """Return whether this is a request from htmx, which wants only the part that changes."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # of django-htmx, also through DRF
    return bool(htmx)


def redirect_or_part(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect; for htmx, and scripts like it, in a way that keeps the response's headers."""
    return HttpResponseClientRedirect(address) if asks_for_part(request) else redirect(address)


def page_or_part(request: HttpRequest, template: str) -> str:
    """Return the template ``page.html#part`` for htmx, and ``page.html`` otherwise."""
    return template if asks_for_part(request) else template.partition("#")[0]


def part_tag(request: HttpRequest, revision: str) -> str:
    """Return the entity tag of the page's part at this revision, which the page sends when it asks again."""
    return _tag(request, revision, "part")


def _tag(request: HttpRequest, revision: str, extent: str) -> str:
    """Return the entity tag for everything the page depends on.

    These are its revision, the language, the token in its forms (renewed at sign-in), and the names of the
    static files (renewed by an update).
    """
    is_alike = vars(request).get("is_alike", False)
    if not is_alike and "CSRF_COOKIE" not in request.META:
        get_token(request)
    token = "" if is_alike else request.META["CSRF_COOKIE"]
    served_with = (token, getattr(staticfiles_storage, "manifest_hash", ""))
    sealed = salted_hmac(SALT, "\n".join((revision, get_language() or "", *served_with, extent)))
    return f'"{sealed.hexdigest()[:32]}"'


def _asked_tag(request: HttpRequest, revision: str) -> str:
    """Return the entity tag of the page or the part, whichever is requested."""
    return _tag(request, revision, "part" if asks_for_part(request) else "page")


def conditional_page(request: HttpRequest, revision: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """Render the page only if the reader does not have this revision yet; else return 304 without a body.

    Nothing is cached by time: a browser stores the page and asks each time whether it is still valid.
    """
    return _unless_known(request, _asked_tag(request, revision), page)


def shared_conditional_page(
    request: HttpRequest, revision: str, page: Callable[[], HttpResponse], *, reads: Collection[str] = ()
) -> HttpResponse:
    """Serve a page without forms that is the same for everybody at its URL. This process renders it once per
    revision, however many ask, and caches the latest one. Of the query, the page has only the parameters that
    it ``reads``: others create no entry in the cache."""
    drop_other_parameters(request, reads)
    vars(request)["is_alike"] = True
    etag = _asked_tag(request, revision)
    return _unless_known(request, etag, partial(_single_flight, request, etag, page))


def drop_other_parameters(request: HttpRequest, reads: Collection[str]) -> bool:
    """Drop the parameters of the query that are not in ``reads``. Return whether there were any."""
    others = request.GET.keys() - set(reads)
    if others:
        plain: HttpRequest = getattr(request, "_request", request)  # the API wraps it
        query = plain.GET.copy()
        for name in others:
            del query[name]
        plain.GET = query  # type: ignore[assignment]  # immutable only in the stubs
        plain.META["QUERY_STRING"] = query.urlencode()
    return bool(others)


def _unless_known(request: HttpRequest, etag: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    known = parse_etags(request.headers.get("If-None-Match", "").replace("W/", ""))
    response = HttpResponseNotModified() if etag in known else page()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ["HX-Request", "Accept-Language", "Cookie"])
    return response


_MAKING = tuple(Lock() for _ in range(64))
"""Locks for rendering. A page's name decides which one it uses; pages that share one wait for each other,
which is cheaper than counting locks."""


def _single_flight(request: HttpRequest, etag: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """Render the page once for concurrent requests, while the others wait: a whole hall may
    reload at once."""
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
    """Serve a response that is the same for everybody at that URL, or 304. ``shown`` distinguishes its
    contents and is hashed: a revision also counts changes that are not public yet. It sets no cookie, and
    does not depend on an account."""
    etag = f'"{salted_hmac(SALT, shown).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag) or answer()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, public=True)
    return response
