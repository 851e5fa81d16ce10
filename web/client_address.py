"""The network address of a client."""

from django.http import HttpRequest


def get_client_address(request: HttpRequest) -> str:
    """Return the client's network address; "" if unknown. Trusted proxies have set it before
    (``server.proxies``)."""
    return str(request.META.get("REMOTE_ADDR", ""))
