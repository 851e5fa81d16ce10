"""Types of ASGI applications, and a response sent at once."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]

ROUTE = "charlemagne.route"
"""A key of the scope: the URL pattern under which Django answered."""


async def send_response(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Send a response in one part."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})
