"""Authentication with an API key: ``Authorization: Bearer chm_…``."""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from clubs.queries import find_token
from clubs.services.rate_limit import exceeds_miss_limit, record_miss
from clubs.services.tokens import record_use
from errors import Refusal
from web.client_address import get_client_address
from web.link_secrets import hash_secret

RATE_LIMIT_KEY = "tokens of the api"


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the account and the API key of the request; None without a key. A valid key is accepted even
        after many wrong ones from its address, as keys cannot be guessed. Refuses: token_unknown,
        too_many_requests."""
        kind, _, secret = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = find_token(hash_secret(secret.strip()))
        if token is None:
            address = get_client_address(request)
            if exceeds_miss_limit(RATE_LIMIT_KEY, address):
                raise Refusal("too_many_requests", seconds=600)
            record_miss(RATE_LIMIT_KEY, address)
            raise Refusal("token_unknown")
        record_use(token)
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
