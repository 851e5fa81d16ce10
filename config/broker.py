"""Celery broker URL from CHARLEMAGNE_BROKER_URL, or none."""

from urllib.parse import urlsplit

from operations.terminal import Stop, format_terminal_text

FILES_URL = "files://localhost"
SCHEMES = {"files", "redis", "rediss"}


def parse_broker_url(url: str) -> str:
    """Return the broker's URL: files in the data folder if none is given.

    Stops with a sentence if it is not an address of Redis.
    """
    try:
        parts = urlsplit(url or FILES_URL)
        is_address = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise Stop(format_terminal_text("broker-url"))
    return url or FILES_URL
