"""The answer while disk or database fail: quick and with an automatic retry; and the time limit of
requests."""

import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string

from clubs.access import for_everybody
from jobs.request_id import as_read_out
from operations.outages import DAMAGED, outage_in
from operations.postgresql import waits_at_most
from wording.sentences import status_of

from .refusals import in_each_language, refusal_to_json

PATIENCE = 5.0
"""Seconds that a request gives the database for one answer."""

TRY_AGAIN = 5
"""Seconds after which a browser or a program should retry."""

SAFE = frozenset({"GET", "HEAD"})


class PatienceMiddleware:
    """Middleware that limits how long a request waits for a silent database, so that it keeps no thread."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with waits_at_most(PATIENCE):
            return self.get_response(request)


@for_everybody
def server_error(request: HttpRequest) -> HttpResponse:
    """Show that a request has failed.

    It says that something is away, and when to come back; else that it is our fault. Neither queries the
    database.
    """
    outage = outage_in(sys.exception())
    number = as_read_out()
    if outage is None:
        return HttpResponseServerError(render_to_string("500.html", {"number": number}))
    status, headers = status_of(outage), {"Retry-After": str(TRY_AGAIN), "Cache-Control": "no-store"}
    if request.path_info.startswith("/api/"):
        return JsonResponse(refusal_to_json(outage), status=status, headers=headers)
    is_safe, is_kept = request.method in SAFE, outage is not DAMAGED
    if is_safe:
        headers["Refresh"] = str(TRY_AGAIN)
    said = in_each_language(outage)
    page = render_to_string(
        "outage.html", {"said": said, "is_safe": is_safe, "is_kept": is_kept, "number": number}
    )
    return HttpResponse(page, status=status, headers=headers)
