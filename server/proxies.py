"""Proxies that are trusted to name the client and the scheme of a request."""

from collections.abc import Sequence
from ipaddress import ip_network

from operations.terminal import Stop, format_terminal_text

PROXIES_VARIABLE, HTTPS_VARIABLE = "CHARLEMAGNE_PROXIES", "CHARLEMAGNE_HTTPS"

LOCAL_PROXIES = ["127.0.0.1", "::1"]


def parse_trusted_proxies(names: Sequence[str], *, is_https: bool) -> list[str]:
    """Return the addresses and networks of the trusted proxies in ``names``.

    Only requests from them may set ``X-Forwarded-For`` and ``X-Forwarded-Proto``: otherwise an attacker who
    guesses codes could pretend another address with each guess.

    A hall's laptop has none; if HTTPS is in front and no proxy is named, the proxy runs on this computer.
    Stops with a sentence if a name is neither an address nor a network.
    """
    for name in names:
        try:
            ip_network(name)
        except ValueError:
            raise Stop(format_terminal_text("proxies", variable=PROXIES_VARIABLE, name=name)) from None
    return list(names) or (LOCAL_PROXIES if is_https else [])
