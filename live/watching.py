"""Pages that bring themselves up to date: each carries the revision it shows and asks for a newer one."""

from collections.abc import Callable

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language


def asks_for_part(request: HttpRequest) -> bool:
    """Whether htmx asks, which wants only the part of the page that changes."""
    return request.headers.get("HX-Request") == "true"


def page_or_part(request: HttpRequest, template: str) -> str:
    """Of the template ``page.html#part`` the part for htmx, else the whole page."""
    return template if asks_for_part(request) else template.partition("#")[0]


def part_tag(request: HttpRequest, revision: str) -> str:
    """The entity tag of the part of a page at this revision: what the page says it has when it asks again."""
    return _tag(request, revision, "part")


def _tag(request: HttpRequest, revision: str, extent: str) -> str:
    """What a page depends on beside its revision: the reader's language, the token that its forms carry
    (another one after signing in), and the names of the static files (others after an update)."""
    if "CSRF_COOKIE" not in request.META:
        get_token(request)
    served_with = request.META["CSRF_COOKIE"] + getattr(staticfiles_storage, "manifest_hash", "")
    digest = salted_hmac(__name__, served_with).hexdigest()[:10]
    return f'"{revision}.{get_language()}.{digest}.{extent}"'


def watched(request: HttpRequest, revision: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """The page, made only if the reader does not have this revision yet: else 304, without a body.

    Nothing is cached by time: a browser keeps the page and asks each time whether it still holds.
    """
    etag = _tag(request, revision, "part" if asks_for_part(request) else "page")
    known = parse_etags(request.headers.get("If-None-Match", "").replace("W/", ""))
    response = HttpResponseNotModified() if etag in known else page()
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=True)
    patch_vary_headers(response, ["HX-Request", "Accept-Language", "Cookie"])
    return response
