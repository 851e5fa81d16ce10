"""Authentication with an API key: ``Authorization: Bearer chm_…``."""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from clubs.queries import token_behind
from clubs.services import note_use
from clubs.services.rate_limit import count_miss, has_missed_too_often
from errors import Refusal
from web.client_address import client_address
from web.one_time_links import secret_digest

TOKENS = "tokens of the api"


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the account and the API key of the request; None without a key. A valid key is accepted even
        after many wrong ones from its address, as keys cannot be guessed. Refuses: token_unknown,
        too_many_requests."""
        kind, _, secret = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = token_behind(secret_digest(secret.strip()))
        if token is None:
            address = client_address(request)
            if has_missed_too_often(TOKENS, address):
                raise Refusal("too_many_requests", seconds=600)
            count_miss(TOKENS, address)
            raise Refusal("token_unknown")
        note_use(token)
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
