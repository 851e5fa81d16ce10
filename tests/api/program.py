"""An API client, with a club's key or without one."""

import json
from typing import Any
from uuid import uuid4

from django.test import Client

from clubs.audit.log import Actor
from clubs.models import Account, Club, Scope
from clubs.services.tokens import make_token

ROOT = "/api/v1/"


def create_secret(club: Club, owner: Account, scope: str = Scope.MANAGE) -> str:
    """Return the secret of a new API key of the club."""
    by = Actor(account=owner)
    return make_token(club_id=club.pk, name="Tableur", scope=scope, days=30, by=by).secret


class Program:
    def __init__(self, secret: str = "", *, language: str = "en", address: str = "192.0.2.7") -> None:
        headers = {"accept-language": language}
        if secret:
            headers["authorization"] = f"Bearer {secret}"
        self.client = Client(enforce_csrf_checks=True, headers=headers, REMOTE_ADDR=address)

    def send_request(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the whole response."""
        address = path if path.startswith("/") else ROOT + path
        data = b"" if method == "get" else json.dumps({} if body is None else body)
        return self.client.generic(method.upper(), address, data, content_type="application/json", headers=headers)

    def get(self, path: str, **headers: str) -> Any:
        """Return the JSON of the response; fail unless its status is 200."""
        answer = self.send_request("get", path, **headers)
        assert answer.status_code == 200, (path, answer.status_code, answer.content[:500])
        return answer.json()

    def call(self, method: str, path: str, body: Any = None, *, key: str = "") -> Any:
        """Return the JSON of the response; fail unless its status is 200 or 201."""
        answer = self.send_request(method, path, body, **{"idempotency-key": key or str(uuid4())})
        assert answer.status_code in (200, 201), (path, answer.status_code, answer.content[:500])
        return answer.json()

    def get_refusal(self, method: str, path: str, body: Any = None) -> tuple[int, str, str | None]:
        """Return the status, code and field of the refusal."""
        answer = self.send_request(method, path, body)
        assert answer.headers["Content-Type"] == "application/problem+json", answer.content[:300]
        problem = answer.json()
        return answer.status_code, problem["code"], problem["field"]
