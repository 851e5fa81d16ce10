"""From where somebody asks, as far as the network says it."""

from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The network's address of whoever asks; "" where it is not known. Proxies that are believed have said it
    before (``config.proxies``)."""
    return str(request.META.get("REMOTE_ADDR", ""))
