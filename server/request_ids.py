"""Ids of requests: in the log of each process, on the answer, and on an error page."""

from __future__ import annotations

from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from jobs.request_id import begin_request

HEADER = b"x-request-id"


class KnownProxies(ProxyHeadersMiddleware):
    """Middleware that trusts only the named proxies, for the client, the scheme and the id of the request."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        client = scope.get("client")
        is_known = bool(client) and client[0] in self.trusted_hosts
        given = dict(scope["headers"]).get(HEADER, b"").decode("latin-1") if is_known else ""
        own = (HEADER, begin_request(given).encode())

        async def send_with_id(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), own]}
            await send(message)

        await super().__call__(scope, receive, send_with_id)
