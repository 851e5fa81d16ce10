"""Limit for request bodies of senders without an account: bytes a minute from one network, before parsing."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from clubs.policy import Audience, admits_by_itself, opening_of
from clubs.services.login_throttle import network_of
from errors import Refusal
from web.client_address import client_address
from web.rates import MINUTE, take
from wording.sentences import status_of

from .budgets import MB, OF_ANYBODY
from .refusals import refusal_to_json

PER_MINUTE, PER_MINUTE_AT_TABLES = 4 * MB, 64 * MB
"""Bytes from one network: a whole hall may share it, and after a restore its phones return their logs."""


class BodyRateMiddleware:
    """Middleware that limits the bodies of senders without an account, at every view that does not admit its
    senders by itself. It comes before the first one that reads a form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        size = _body_size(request)
        if not size or admits_by_itself(view) or request.user.is_authenticated:
            return None
        is_table = opening_of(view) is Audience.TABLE
        most = PER_MINUTE_AT_TABLES if is_table else PER_MINUTE
        name = f"{'tables' if is_table else 'bodies'}-{network_of(client_address(request))}"
        return None if take(name, size, most=most) else _render_refusal(request)


def _body_size(request: HttpRequest) -> int:
    """Return the bytes that the request announces; without a length, as many as it may have."""
    said = request.META.get("CONTENT_LENGTH") or ""
    if said.isdecimal():
        return int(said)
    return OF_ANYBODY if "HTTP_TRANSFER_ENCODING" in request.META else 0


def _render_refusal(request: HttpRequest) -> HttpResponse:
    refusal = Refusal("too_many_requests", seconds=int(MINUTE))
    if request.content_type == "application/json":
        response: HttpResponse = JsonResponse(refusal_to_json(refusal), status=status_of(refusal))
    else:
        response = render(request, "refused.html", {"refusal": refusal}, status=status_of(refusal))
    response.headers["Retry-After"] = str(int(MINUTE))
    vars(response)["is_unread"] = True
    return response
