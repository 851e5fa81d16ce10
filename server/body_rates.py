"""Limit for request bodies of senders without an account: bytes a minute from one network, before parsing."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from clubs.policy import Audience, get_access, is_self_limiting
from clubs.services.rate_limit import MINUTE, take_tokens
from errors import Refusal
from web.client_address import get_client_address
from wording.sentences import get_http_status

from .body_limits import ANONYMOUS_LIMIT, MB
from .refusals import refusal_to_json

PER_MINUTE, PER_MINUTE_AT_TABLES = 4 * MB, 64 * MB
"""Bytes from one network: a whole hall may share it, and after a restore its phones return their logs."""


class BodyRateMiddleware(MiddlewareMixin):
    """Middleware that limits the bodies of senders without an account, at every view that does not admit its
    senders by itself. It comes before the first one that reads a form."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        size = get_body_size(request)
        if not size or is_self_limiting(view) or request.user.is_authenticated:
            return None
        is_table = get_access(view) is Audience.TABLE
        limit = PER_MINUTE_AT_TABLES if is_table else PER_MINUTE
        what = "tables" if is_table else "bodies"
        is_taken = take_tokens(what, get_client_address(request), size, capacity=limit)
        return None if is_taken else _render_refusal(request)


def get_body_size(request: HttpRequest) -> int:
    """Return the bytes that the request announces; without a length, as many as it may have."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if length.isdecimal():
        return int(length)
    return ANONYMOUS_LIMIT if "HTTP_TRANSFER_ENCODING" in request.META else 0


def _render_refusal(request: HttpRequest) -> HttpResponse:
    refusal = Refusal("too_many_requests", seconds=int(MINUTE.total_seconds()))
    if request.content_type == "application/json":
        response: HttpResponse = JsonResponse(refusal_to_json(refusal), status=get_http_status(refusal))
    else:
        response = render(request, "refusal.html", {"refusal": refusal}, status=get_http_status(refusal))
    response.headers["Retry-After"] = str(refusal.details["seconds"])
    vars(response)["is_unread"] = True
    return response
