"""By which names the program answers: a page of somebody else's, whose name leads here, is no page of ours.

Whoever holds a name of the internet may let it lead to a laptop in a hall (DNS rebinding): then a browser in
that hall takes what the laptop answers for that site's own. An address of digits is nobody's name, nor is a
name that only the hall's own network knows; so those are answered, also after the network has changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from django.http.request import validate_host

from operations.terminal import Stop, terminal_text
from operations.up.addresses import HOSTS

ANY = "*"
NAME = re.compile(r"\*|\.?[\w.-]+|\[[\da-fA-F:.]+\]")
"""Any; one, or with a dot before it all below it; an address of IPv6."""
LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""What networks call their own computers: no such name can be bought (RFC 6762, 6761, 8375; ICANN's list)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """The ``names``; in a hall whatever can be of this computer only, too."""

    names: Sequence[str]
    is_hall: bool

    @property
    def are_any(self) -> bool:
        return ANY in self.names

    @property
    def url(self) -> str:
        """Where browsers reach a server that has HTTPS in front, by the first of them; "" in a hall, and
        where none is a whole name."""
        whole = [name for name in self.names if name != ANY and not name.startswith(".")]
        return f"https://{whole[0]}" if whole and not self.is_hall else ""

    def have(self, domain: str) -> bool:
        """Whether it is one of them; ``domain`` as a browser says it, without its port."""
        return validate_host(domain, self.names) or (self.is_hall and is_local(domain))


def hosts_in(environment: Mapping[str, str], *, is_https: bool) -> Hosts:
    """Those that are named; without any, a server answers to every name. Stops with a sentence at what is no
    name of a host, such as a whole address."""
    names = [name.strip() for name in environment.get(HOSTS, "").split(",") if name.strip()]
    wrong = next((name for name in names if not NAME.fullmatch(name)), None)
    if wrong is not None:
        raise Stop(terminal_text("hosts-wrong", value=wrong))
    return Hosts(names=names or ([ANY] if is_https else []), is_hall=not is_https)


def is_local(domain: str) -> bool:
    """Whether nobody outside can let it lead here."""
    return is_address(domain) or "." not in domain or validate_host(domain, LOCAL)


def is_address(domain: str) -> bool:
    try:
        ip_address(domain.strip("[]"))
    except ValueError:
        return False
    return True
