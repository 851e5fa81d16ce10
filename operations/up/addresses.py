"""Addresses at which this computer can be reached."""

import errno
import socket
import sys
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, ip_network

from operations.terminal import Stop, format_terminal_text

from .interfaces import Address, interface_addresses

ANY_HOST = {"0.0.0.0", "::", ""}  # noqa: S104
HOST_VARIABLE = "CHARLEMAGNE_LISTENS_AT"
"""Variable that tells the processes at which host ``up`` listens."""
HTTP_PORT_VARIABLE, HTTPS_PORT_VARIABLE = "CHARLEMAGNE_HTTP_PORT", "CHARLEMAGNE_HTTPS_PORT"
"""Variables that tell the processes the two ports of ``up --https``."""
STARTED_VARIABLE = "CHARLEMAGNE_STARTED_AT"
"""Variable that tells the processes when ``up`` was started."""
HOSTS_VARIABLE = "CHARLEMAGNE_HOSTS"
"""Variable that tells the processes their host names."""
BACKLOG = 2_048
"""Connections that may wait for a web process; the system may allow fewer."""
HOST_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
"""Characters of a host name; others are written with these (``xn--…``)."""


class AddressKind(StrEnum):
    """Ways to reach an address, the likeliest for phones first."""

    NETWORK = "network"
    NAME = "name"
    VIRTUAL = "virtual"
    VPN = "vpn"


INTERFACES = {
    AddressKind.VPN: (
        *("tun", "tap", "utun", "wg", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "proton", "cscotun"),
        *("gpd", "outline", "mullvad"),
    ),
    AddressKind.VIRTUAL: (
        *("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "vnic", "lxc", "lxd", "cni", "podman"),
        *("incus", "mpqemubr", "dummy", "awdl", "llw", "anpi", "feth"),
    ),
}
"""How the names of interfaces begin that lead to no phone."""
NETWORKS = {
    AddressKind.VPN: [ip_network("100.64.0.0/10")],
    AddressKind.VIRTUAL: [
        *map(ip_network, ("192.168.56.0/24", "192.168.64.0/24", "192.168.122.0/24", "169.254.0.0/16")),
    ],
}
"""Networks of Tailscale; of VirtualBox, macOS and libvirt; and of computers without any."""
ADAPTER_NETWORK = IPv4Network("172.16.0.0/12")
"""Where Docker, WSL and Hyper-V take a network, and in it the first address for this computer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAddress:
    """An address or a name of this computer."""

    host: str
    way: AddressKind = AddressKind.NETWORK

    def build_url(self, port: int, scheme: str = "http") -> str:
        return f"{scheme}://{format_url_host(self.host)}:{port}/"


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
            raise Stop(format_terminal_text("port-taken", port=port, option=option, other=port + 1)) from None
        raise Stop(format_terminal_text("port-refused", host=host, port=port, reason=error.strerror)) from None
    return listener


def build_local_url(host: str, port: int, scheme: str = "http") -> str:
    """Return the address for a browser on this computer."""
    return f"{scheme}://{'localhost' if host in ANY_HOST else format_url_host(host)}:{port}/"


def build_network_url(host: str, port: int, scheme: str = "http") -> str | None:
    """Return the likeliest address for the phones in the hall; None without a network, or if only this
    computer is served."""
    addresses = own_addresses(host)
    return addresses[0].build_url(port, scheme) if addresses else None


def own_addresses(host: str) -> list[HostAddress]:
    """Return the addresses under which others may see a program that listens at the host, the likeliest
    first."""
    if host not in ANY_HOST:
        is_local_only = host in {"localhost", "::1"} or host.startswith("127.")
        return [] if is_local_only else [HostAddress(host=host)]
    outgoing_host = _outgoing_address()
    kinds_by_host = {
        str(address): classify_address(interface, address)
        for interface, address in interface_addresses()
        if (address.version == 4 or host == "::") and not _is_unusable(address)
    }
    addresses = [HostAddress(host=address, way=way) for address, way in kinds_by_host.items()]
    kinds = list(AddressKind)
    return sorted(addresses, key=lambda one: (kinds.index(one.way), ":" in one.host, one.host != outgoing_host))


def _is_unusable(address: Address) -> bool:
    """Check for addresses of this computer alone, and for those that a URL cannot have."""
    return address.is_loopback or address.is_unspecified or (address.version == 6 and address.is_link_local)


def classify_address(interface: str, address: Address) -> AddressKind:
    """Tell how an address is reached from its interface and its network."""
    for kind, prefixes in INTERFACES.items():
        if interface.lower().startswith(prefixes):
            return kind
    for kind, networks in NETWORKS.items():
        if any(address in network for network in networks):
            return kind
    is_adapter = not interface and address in ADAPTER_NETWORK and address.packed[-1] == 1
    return AddressKind.VIRTUAL if is_adapter else AddressKind.NETWORK


def _outgoing_address() -> str:
    """Return the address from which this computer sends to the internet; "" without any.

    Connecting a datagram socket asks the system which way it would send, and sends nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def list_reachable_names(host: str) -> set[str]:
    """Return all names and addresses of this computer: for itself, for others, and by mDNS where the network
    has it."""
    mdns_names = {local_name()} - {""}
    return {"localhost", "127.0.0.1", "::1"} | mdns_names | {address.host for address in own_addresses(host)}


def local_name() -> str:
    """Return the name of this computer by mDNS; "" if it has none that can be written so."""
    label = normalize_host_name(socket.gethostname().partition(".")[0])
    return f"{label}.local" if label and "_" not in label and label != "localhost" else ""


def normalize_host_name(name: str) -> str:
    """Return a host name as browsers send it: lower case, accents as ``xn--…``; "" if it is none.

    >>> normalize_host_name("PC-Andr\u00e9.local."), normalize_host_name("PC_Jean"), normalize_host_name("a b")
    ('xn--pc-andr-hya.local', 'pc_jean', '')
    """
    try:
        ascii_name = name.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
    return ascii_name if HOST_NAME_CHARACTERS.issuperset(ascii_name) else ""


def format_url_host(host: str) -> str:
    """Write a host as in a URL: an IPv6 address needs brackets, as it has colons (RFC 3986, section
    3.2.2)."""
    return f"[{host}]" if ":" in host else host
