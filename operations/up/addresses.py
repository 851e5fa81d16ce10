"""Addresses at which this computer can be reached."""

from __future__ import annotations

import errno
import socket
import sys
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, ip_network

from operations.terminal import Stop, terminal_text

from .interfaces import Address, interface_addresses

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
IN_CLEAR_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
"""Characters of a host name; others are written with these (``xn--…``)."""


class Way(StrEnum):
    """Ways to reach an address, the likeliest for phones first."""

    NETWORK = "network"
    NAME = "name"
    VIRTUAL = "virtual"
    VPN = "vpn"


INTERFACES = {
    Way.VPN: (
        *("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "proton", "cscotun"),
        *("gpd", "outline", "mullvad"),
    ),
    Way.VIRTUAL: (
        *("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "vnic", "lxc", "lxd", "cni", "podman"),
        *("incus", "mpqemubr", "dummy", "awdl", "llw", "anpi", "feth"),
    ),
}
"""How the names of interfaces begin that lead to no phone."""
NETWORKS = {
    Way.VPN: [ip_network("100.64.0.0/10")],
    Way.VIRTUAL: [
        *map(ip_network, ("192.168.56.0/24", "192.168.64.0/24", "192.168.122.0/24", "169.254.0.0/16")),
    ],
}
"""Networks of Tailscale; of VirtualBox, macOS and libvirt; and of computers without any."""
OF_ADAPTERS = IPv4Network("172.16.0.0/12")
"""Where Docker, WSL and Hyper-V take a network, and in it the first address for this computer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAddress:
    """An address or a name of this computer."""

    host: str
    way: Way = Way.NETWORK

    def url(self, port: int, scheme: str = "http") -> str:
        return f"{scheme}://{bracket_address(self.host)}:{port}/"


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
        if host == "::":  # and by IPv4, on every system
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
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
    """Return the likeliest address for the phones in the hall; None without a network, or if only this
    computer is served."""
    found = own_addresses(host)
    return found[0].url(port, scheme) if found else None


def own_addresses(host: str) -> list[OwnAddress]:
    """Return the addresses under which others may see a program that listens at the host, the likeliest
    first."""
    if host not in EVERYWHERE:
        is_only_here = host in {"localhost", "::1"} or host.startswith("127.")
        return [] if is_only_here else [OwnAddress(host=host)]
    outgoing = _outgoing_address()
    found = {
        str(address): way_of(interface, address)
        for interface, address in interface_addresses()
        if (address.version == 4 or host == "::") and not _is_of_no_use(address)
    }
    own = [OwnAddress(host=address, way=way) for address, way in found.items()]
    ways = list(Way)
    return sorted(own, key=lambda one: (ways.index(one.way), ":" in one.host, one.host != outgoing))


def _is_of_no_use(address: Address) -> bool:
    """Check for addresses of this computer alone, and for those that a URL cannot have."""
    return address.is_loopback or address.is_unspecified or (address.version == 6 and address.is_link_local)


def way_of(interface: str, address: Address) -> Way:
    """Tell how an address is reached from its interface and its network."""
    for way, beginnings in INTERFACES.items():
        if interface.lower().startswith(beginnings):
            return way
    for way, networks in NETWORKS.items():
        if any(address in network for network in networks):
            return way
    is_adapter = not interface and address in OF_ADAPTERS and address.packed[-1] == 1
    return Way.VIRTUAL if is_adapter else Way.NETWORK


def _outgoing_address() -> str:
    """Return the address from which this computer sends to the internet; "" without any.

    Connecting a datagram socket asks the system which way it would send, and sends nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
        try:
            tried.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(tried.getsockname()[0])


def reachable_names(host: str) -> set[str]:
    """Return all names and addresses of this computer: for itself, for others, and by mDNS where the network
    has it."""
    named = {local_name()} - {""}
    return {"localhost", "127.0.0.1", "::1"} | named | {address.host for address in own_addresses(host)}


def local_name() -> str:
    """Return the name of this computer by mDNS; "" if it has none that can be written so."""
    label = clear_name(socket.gethostname().partition(".")[0])
    return f"{label}.local" if label and "_" not in label and label != "localhost" else ""


def clear_name(name: str) -> str:
    """Return a host name as browsers send it: lower case, accents as ``xn--…``; "" if it is none.

    >>> clear_name("PC-Andr\u00e9.local."), clear_name("PC_Jean"), clear_name("a b")
    ('xn--pc-andr-hya.local', 'pc_jean', '')
    """
    try:
        plain = name.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
    return plain if IN_CLEAR_LETTERS.issuperset(plain) else ""


def bracket_address(host: str) -> str:
    """Write a host as in a URL: an IPv6 address needs brackets, as it has colons (RFC 3986, section
    3.2.2)."""
    return f"[{host}]" if ":" in host else host
