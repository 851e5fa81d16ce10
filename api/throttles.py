"""Rate limits of the API, counted for all processes and returned in every response."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from clubs.models import ApiToken
from clubs.services.rate_limit import count_tokens
from web.client_address import get_client_address

ANYBODY, A_TOKEN = 600, 1200
"""Requests per minute from one network and with one API key: ten times what a screen needs."""


class Throttle(BaseThrottle):
    """Throttle that stores the remaining requests on the request, for ``RateLimit-…`` headers."""

    seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        if isinstance(request.auth, ApiToken):
            capacity, target, address = A_TOKEN, f"api token {request.auth.pk}", ""
        else:
            capacity, target, address = ANYBODY, "api", get_client_address(request)
        tokens = count_tokens(target, address, 1, capacity=capacity)
        self.seconds = tokens.reset_seconds
        remaining = max(0, capacity - tokens.counted - tokens.uncounted)
        vars(request)["rate_limit"] = (capacity, remaining, tokens.reset_seconds)
        return tokens.is_taken

    def wait(self) -> float:
        return self.seconds
