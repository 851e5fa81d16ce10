"""The answer while disk or database fail: quick and with an automatic retry; and the time limit of
requests."""

import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string

from clubs.policy import Audience, grant_access
from jobs.request_id import get_short_request_id
from operations.outages import DATABASE_AWAY, DATABASE_BUSY, DATABASE_DAMAGED, find_outage
from operations.postgresql import waits_at_most
from wording.sentences import get_http_status

from .refusals import refusal_to_json, translate_refusal

DATABASE_TIMEOUT = 5.0
"""Seconds that a request gives the database for one answer."""

RETRY_SECONDS = 5
"""Seconds after which a browser or a program should retry."""

SAFE_METHODS = frozenset({"GET", "HEAD"})


class PatienceMiddleware:
    """Middleware that limits how long a request waits for a silent database, so that it keeps no thread."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with waits_at_most(DATABASE_TIMEOUT):
            return self.get_response(request)


@grant_access(Audience.PUBLIC)
def server_error(request: HttpRequest) -> HttpResponse:
    """Show that a request has failed.

    It says that something is away, and when to come back; else that it is our fault. Neither queries the
    database.
    """
    outage = find_outage(sys.exception())
    number = get_short_request_id()
    if outage is None:
        return HttpResponseServerError(render_to_string("500.html", {"number": number}))
    status, headers = get_http_status(outage), {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
    if request.path_info.startswith("/api/"):
        return JsonResponse(refusal_to_json(outage), status=status, headers=headers)
    is_safe, is_data_safe = request.method in SAFE_METHODS, outage is not DATABASE_DAMAGED
    if is_safe:
        headers["Refresh"] = str(RETRY_SECONDS)
    sentences = translate_refusal(outage)
    is_brief = outage in {DATABASE_AWAY, DATABASE_BUSY}
    context = {"sentences": sentences, "is_safe": is_safe, "is_kept": is_data_safe, "is_brief": is_brief}
    page = render_to_string("outage.html", context | {"number": number})
    return HttpResponse(page, status=status, headers=headers)
