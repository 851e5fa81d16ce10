"""Which proxies are believed when they say who asks, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_network

from operations.terminal import Stop, terminal_text

PROXIES, HTTPS = "CHARLEMAGNE_PROXIES", "CHARLEMAGNE_HTTPS"

ON_THIS_COMPUTER = ["127.0.0.1", "::1"]


def trusted_proxies(named: Sequence[str], *, is_https: bool) -> list[str]:
    """The addresses and networks that are ``named``.

    Only what comes from them may say ``X-Forwarded-For`` and ``X-Forwarded-Proto``: else whoever guesses
    codes is somebody else at each guess.

    A hall's laptop has none; where something speaks HTTPS for the program and nobody says what, it runs on
    this computer. Stops with a sentence at what is no address and no network.
    """
    for name in named:
        try:
            ip_network(name)
        except ValueError:
            raise Stop(terminal_text("proxies", variable=PROXIES, name=name)) from None
    return list(named) or (ON_THIS_COMPUTER if is_https else [])
