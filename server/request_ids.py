"""Ids of requests: in the log of each process, on the answer, and on an error page."""

from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from jobs.request_id import begin_request

REQUEST_ID_HEADER = b"x-request-id"


class TrustedProxies(ProxyHeadersMiddleware):
    """Middleware that trusts only the named proxies, for the client, the scheme and the id of the request."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        client = scope.get("client")
        is_known = bool(client) and client[0] in self.trusted_hosts
        given_id = dict(scope["headers"]).get(REQUEST_ID_HEADER, b"").decode("latin-1") if is_known else ""
        id_header = (REQUEST_ID_HEADER, begin_request(given_id).encode())

        async def send_with_id(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), id_header]}
            await send(message)

        await super().__call__(scope, receive, send_with_id)
