"""Rate limits of the API, counted in each process and returned in every response."""

from math import ceil
from typing import Any

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from clubs.models import ApiToken
from clubs.services.login_throttle import get_network
from web.client_address import get_client_address

MINUTE_SECONDS = 60
ANYBODY, A_TOKEN = 600, 1200
"""Requests per minute from one network and with one API key: ten times what a screen needs."""


class Throttle(SimpleRateThrottle):
    """Throttle that stores the remaining requests on the request, for ``RateLimit-…`` headers."""

    cache = caches["default"]
    scope = "api"

    def get_rate(self) -> str:
        return f"{ANYBODY}/min"

    def get_cache_key(self, request: Request, view: Any) -> str:
        if isinstance(request.auth, ApiToken):
            self.num_requests = A_TOKEN
            return f"api-token-{request.auth.pk}"
        return f"api-{get_network(get_client_address(request))}"

    def allow_request(self, request: Request, view: Any) -> bool:
        is_allowed = super().allow_request(request, view)
        rate_limit = (self.num_requests, max(0, self.num_requests - len(self.history)), self._get_reset_seconds())
        vars(request)["rate_limit"] = rate_limit
        return is_allowed

    def _get_reset_seconds(self) -> int:
        """Return the seconds until the oldest request of the minute no longer counts."""
        return ceil(self.history[-1] + MINUTE_SECONDS - self.now) if self.history else MINUTE_SECONDS
