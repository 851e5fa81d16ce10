"""Proxies that are trusted to name the client and the scheme of a request."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_network

from operations.terminal import Stop, terminal_text

PROXIES, HTTPS = "CHARLEMAGNE_PROXIES", "CHARLEMAGNE_HTTPS"

ON_THIS_COMPUTER = ["127.0.0.1", "::1"]


def trusted_proxies(named: Sequence[str], *, is_https: bool) -> list[str]:
    """Return the addresses and networks that are ``named``.

    Only requests from them may set ``X-Forwarded-For`` and ``X-Forwarded-Proto``: otherwise an attacker who
    guesses codes could pretend another address with each guess.

    A hall's laptop has none; if HTTPS is in front and no proxy is named, the proxy runs on this computer.
    Stops with a sentence if a name is neither an address nor a network.
    """
    for name in named:
        try:
            ip_network(name)
        except ValueError:
            raise Stop(terminal_text("proxies", variable=PROXIES, name=name)) from None
    return list(named) or (ON_THIS_COMPUTER if is_https else [])
