"""Host names that the program answers to, so that another site's name cannot be pointed at it.

Anyone who owns a domain may point it at a laptop in a hall (DNS rebinding): a browser in that hall would then
take the laptop's answers for that site's own. Nobody can do so with an IP address, nor with a name that only
the hall's own network knows; so those are answered, also after the network has changed.
"""

import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from django.http.request import validate_host

from operations.terminal import Stop, format_terminal_text
from operations.up.addresses import HOSTS_VARIABLE, normalize_host_name

WILDCARD = "*"
NAME_PATTERN = re.compile(r"\*|\.?[\w.-]+|\[[\da-fA-F:.]+\]")
"""Pattern of a name: ``*``, a host name, one with a leading dot for its subdomains, or an IPv6 address."""
HOST_PATTERN = re.compile(
    r"(\[[\da-f:.]+)(?:%[\w.-]+)?(\])(?::\d+)?|([^\s/?#@\\:\[\]]+)(?::\d+)?", re.ASCII | re.IGNORECASE
)
"""Pattern of a request's host: an IPv6 address with or without its zone, or a name; and a port."""
LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".home", ".corp", ".home.arpa", ".internal", ".localdomain")
"""Endings that networks use for their own computers: no such name can be bought (RFC 6762, 6761, 8375;
ICANN's list)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """The accepted ``names``; in a hall also every name that can only be of this computer."""

    names: Sequence[str]
    is_hall: bool

    @property
    def are_any(self) -> bool:
        return WILDCARD in self.names

    @property
    def url(self) -> str:
        """Public address of a server behind HTTPS, by its first complete name; "" without one, and in a
        hall."""
        complete_names = [name for name in self.names if name != WILDCARD and not name.startswith(".")]
        return f"https://{complete_names[0]}" if complete_names and not self.is_hall else ""

    def have(self, domain: str) -> bool:
        """Check whether a name is accepted; ``domain`` as a browser sends it, without its port."""
        return validate_host(domain, self.names) or (
            self.is_hall and (is_local(domain) or domain == normalize_host_name(socket.gethostname()))
        )


def parse_hosts(environment: Mapping[str, str], *, is_https: bool) -> Hosts:
    """Return the configured hosts; without any, a server answers to every name.

    Stops with a sentence if one is not a host name, such as a whole URL.
    """
    names = [name.strip() for name in environment.get(HOSTS_VARIABLE, "").split(",") if name.strip()]
    wrong = next((name for name in names if not NAME_PATTERN.fullmatch(name)), None)
    if wrong is not None:
        raise Stop(format_terminal_text("hosts-wrong", value=wrong))
    names = ["." * name.startswith(".") + normalize_host_name(name.removeprefix(".")) or name for name in names]
    return Hosts(names=names or ([WILDCARD] if is_https else []), is_hall=not is_https)


def parse_host(host: str) -> str:
    """Return the name in a request's ``Host``, as ``Hosts`` have it; "" if it is none.

    Unlike Django, it reads names with ``_``, as Windows has them, and accents that a program did not encode.
    """
    match = HOST_PATTERN.fullmatch(host)
    if match is None:
        return ""
    ip_start, ip_end, name = match.groups()
    if ip_start:
        return f"{ip_start}{ip_end}".lower()
    try:
        name = name.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return ""
    return normalize_host_name(name)


def is_local(domain: str) -> bool:
    """Check whether nobody outside can point the name here."""
    return is_address(domain) or "." not in domain or validate_host(domain, LOCAL_SUFFIXES)


def is_address(domain: str) -> bool:
    try:
        ip_address(domain.strip("[]"))
    except ValueError:
        return False
    return True
