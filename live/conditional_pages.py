"""Pages with a revision: rendered only if it has changed, and read in one snapshot of the database."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from threading import Lock
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import caches
from django.db import connection, transaction
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


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read everything as of the first query inside; writing is not possible. Within a transaction, it is a
    part of that."""
    if connection.in_atomic_block:
        yield
        return
    with _read_only_transaction(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _read_only_transaction() -> Iterator[None]:
    """Let SQLite's transaction only read: here they usually lock the database for writing from the start."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()  # which sets the mode
    sqlite: Any = connection
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = mode


SALT = "live.watching"
"""Stored data, not a module name: open pages continue over an upgrade."""


def is_partial_request(request: HttpRequest) -> bool:
    """Return whether this is a request from htmx, which wants only the part that changes."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # of django-htmx, also through DRF
    return bool(htmx)


def redirect_for_htmx(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect; for htmx, and scripts like it, in a way that keeps the response's headers."""
    return HttpResponseClientRedirect(address) if is_partial_request(request) else redirect(address)


def get_template_or_part(request: HttpRequest, template: str) -> str:
    """Return the template ``page.html#part`` for htmx, and ``page.html`` otherwise."""
    return template if is_partial_request(request) else template.partition("#")[0]


def get_part_etag(request: HttpRequest, revision: str) -> str:
    """Return the entity tag of the page's part at this revision, which the page sends when it asks again."""
    return _get_etag(request, revision, "part")


def _get_etag(request: HttpRequest, revision: str, extent: str) -> str:
    """Return the entity tag for everything the page depends on.

    These are its revision, the language, the token in its forms (renewed at sign-in), and the names of the
    static files (renewed by an update).
    """
    is_shared = vars(request).get("is_alike", False)
    if not is_shared and "CSRF_COOKIE" not in request.META:
        get_token(request)
    token = "" if is_shared else request.META["CSRF_COOKIE"]
    served_values = (token, getattr(staticfiles_storage, "manifest_hash", ""))
    digest = salted_hmac(SALT, "\n".join((revision, get_language() or "", *served_values, extent)))
    return f'"{digest.hexdigest()[:32]}"'


def _get_requested_etag(request: HttpRequest, revision: str) -> str:
    """Return the entity tag of the page or the part, whichever is requested."""
    return _get_etag(request, revision, "part" if is_partial_request(request) else "page")


def conditional_page(request: HttpRequest, revision: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Render the page only if the reader does not have this revision yet; else return 304 without a body.

    Nothing is cached by time: a browser stores the page and asks each time whether it is still valid.
    """
    return _respond_unless_known(request, _get_requested_etag(request, revision), render)


def shared_conditional_page(
    request: HttpRequest, revision: str, render: Callable[[], HttpResponse], *, query_params: Collection[str] = ()
) -> HttpResponse:
    """Serve a page without forms that is the same for everybody at its URL. This process renders it once per
    revision, however many ask, and caches the latest one. Of the query, only the parameters in
    ``query_params`` count: others create no entry in the cache."""
    drop_other_parameters(request, query_params)
    vars(request)["is_alike"] = True
    etag = _get_requested_etag(request, revision)
    return _respond_unless_known(request, etag, partial(_render_once, request, etag, render))


def drop_other_parameters(request: HttpRequest, query_params: Collection[str]) -> bool:
    """Drop the parameters of the query that are not in ``query_params``. Return whether there were any."""
    others = request.GET.keys() - set(query_params)
    if others:
        django_request: HttpRequest = getattr(request, "_request", request)  # the API wraps it
        query = django_request.GET.copy()
        for name in others:
            del query[name]
        django_request.GET = query  # type: ignore[assignment]  # immutable only in the stubs
        django_request.META["QUERY_STRING"] = query.urlencode()
    return bool(others)


def _respond_unless_known(request: HttpRequest, etag: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    known_etags = parse_etags(request.headers.get("If-None-Match", "").replace("W/", ""))
    response = HttpResponseNotModified() if etag in known_etags else render()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ["HX-Request", "Accept-Language", "Cookie"])
    return response


_RENDER_LOCKS = tuple(Lock() for _ in range(64))
"""Locks for rendering. A page's name decides which one it uses; pages that share one wait for each other,
which is cheaper than counting locks."""


def _render_once(request: HttpRequest, etag: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Render the page once for concurrent requests, while the others wait: a whole hall may
    reload at once."""
    address = f"{request.scheme}://{request.get_host()}{request.get_full_path()}"
    cache_subject = f"{address} {get_language()} {'part' if is_partial_request(request) else 'page'}"
    name = salted_hmac(SALT, cache_subject).hexdigest()
    with _RENDER_LOCKS[int(name[:4], 16) % len(_RENDER_LOCKS)]:
        cached = caches["pages"].get(name)
        if cached is not None and cached[0] == etag:
            return HttpResponse(cached[1], headers=cached[2])
        response = render()
        if isinstance(response, SimpleTemplateResponse):
            response.render()
        if response.status_code == HTTPStatus.OK:
            caches["pages"].set(name, (etag, response.content, dict(response.headers)))
        return response


def shared_response(request: HttpRequest, content_key: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Serve a response that is the same for everybody at that URL, or 304. ``content_key`` distinguishes its
    contents and is hashed: a revision also counts changes that are not public yet. It sets no cookie, and
    does not depend on an account."""
    etag = f'"{salted_hmac(SALT, content_key).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag) or render()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, public=True)
    return response
