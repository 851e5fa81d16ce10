"""How often a program may ask: counted in each process, told in every answer."""

from math import ceil
from typing import Any

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from clubs.models import ApiToken
from clubs.services.login_throttle import network_of
from web.client_address import client_address

MINUTE = 60
ANYBODY, A_TOKEN = 600, 1200
"""Requests a minute, from one network and with one token: ten times what a screen needs."""


class Throttle(SimpleRateThrottle):
    """Leaves what is left of the minute at the request, for ``RateLimit-…`` headers."""

    cache = caches["default"]
    scope = "api"

    def get_rate(self) -> str:
        return f"{ANYBODY}/min"

    def get_cache_key(self, request: Request, view: Any) -> str:
        if isinstance(request.auth, ApiToken):
            self.num_requests = A_TOKEN
            return f"api-token-{request.auth.pk}"
        return f"api-{network_of(client_address(request))}"

    def allow_request(self, request: Request, view: Any) -> bool:
        is_allowed = super().allow_request(request, view)
        is_told = (self.num_requests, max(0, self.num_requests - len(self.history)), self._seconds_to_more())
        vars(request)["rate_limit"] = is_told
        return is_allowed

    def _seconds_to_more(self) -> int:
        """How long until the oldest request of the minute counts no more."""
        return ceil(self.history[-1] + MINUTE - self.now) if self.history else MINUTE
