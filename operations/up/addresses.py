"""Addresses at which this computer can be reached."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterator

from operations.terminal import Stop, terminal_text

EVERYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104
LISTENS_AT = "CHARLEMAGNE_LISTENS_AT"
"""Variable that tells the processes at which host ``up`` listens."""
HTTP_PORT, HTTPS_PORT = "CHARLEMAGNE_HTTP_PORT", "CHARLEMAGNE_HTTPS_PORT"
"""Variables that tell the processes the two ports of ``up --https``."""
STARTED_AT = "CHARLEMAGNE_STARTED_AT"
"""Variable that tells the processes when ``up`` was started."""
HOSTS = "CHARLEMAGNE_HOSTS"
"""Variable that tells the processes their host names."""
BACKLOG = 2_048
"""Connections that may wait for a web process; the system may allow fewer."""


def open_listener(host: str, port: int, option: str = "--port") -> socket.socket:
    """Open a listening socket, in which connections wait until a process serves them.

    If the address cannot be used, stops with a sentence that names the option for another port.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform == "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Stop(terminal_text("port-taken", port=port, option=option, other=port + 1)) from None
        raise Stop(terminal_text("port-refused", host=host, port=port, reason=error.strerror)) from None
    return listener


def local_url(host: str, port: int, scheme: str = "http") -> str:
    """Return the address for a browser on this computer."""
    return f"{scheme}://{'localhost' if host in EVERYWHERE else bracket_address(host)}:{port}/"


def network_url(host: str, port: int, scheme: str = "http") -> str | None:
    """Return the address for the phones in the hall; None without a network, or if only this computer is
    served."""
    if host in {"localhost", "::1"} or host.startswith("127."):
        return None
    address = _network_address() if host in EVERYWHERE else host
    return address and f"{scheme}://{bracket_address(address)}:{port}/"


def reachable_names(host: str) -> set[str]:
    """Return all names and addresses of this computer: for itself, for others, and by mDNS where the network
    has it."""
    label = socket.gethostname().partition(".")[0].lower()
    here = {"localhost", "127.0.0.1", "::1", f"{label}.local"}
    return here | (set(_network_addresses()) if host in EVERYWHERE else {host})


def bracket_address(host: str) -> str:
    """Write a host as in a URL: an IPv6 address needs brackets, as it has colons (RFC 3986, section
    3.2.2)."""
    return f"[{host}]" if ":" in host else host


def _network_address() -> str | None:
    """Return the address under which others see this computer."""
    return next(_network_addresses(), None)


def _network_addresses() -> Iterator[str]:
    """Yield the addresses from which this computer sends, the one towards the internet first; some more than
    once.

    Connecting a datagram socket asks the system which way it would send, and sends nothing.
    """
    for there in _places():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
            try:
                tried.connect((there, 9))
            except OSError:
                continue
            address = str(tried.getsockname()[0])
            if not address.startswith(("127.", "0.")):
                yield address


def _places() -> Iterator[str]:
    """Yield an internet address, then, for a hall without internet, common private networks of routers and
    hotspots."""
    yield "192.0.2.1"
    yield from (f"192.168.{third}.1" for third in range(256))
    yield "172.20.10.1"
    yield from (f"10.{second}.0.1" for second in range(256))
    yield from (f"172.{second}.0.1" for second in range(16, 32))
