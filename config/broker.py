"""From CHARLEMAGNE_BROKER_URL, or none, to where messages for the worker lie."""

from __future__ import annotations

from urllib.parse import urlsplit

from operations.terminal import Stop, terminal_text

FILES = "files://localhost"
SCHEMES = {"files", "redis", "rediss"}


def broker_url(url: str) -> str:
    """Files in the data folder if there is no URL. Stops with a sentence at what is no address of Redis."""
    try:
        parts = urlsplit(url or FILES)
        is_address = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise Stop(terminal_text("broker-url"))
    return url or FILES
