"""Network interfaces of this computer: their names and IP addresses. Standard library only."""

import ctypes
import socket
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address

Address = IPv4Address | IPv6Address


class _Interface(ctypes.Structure):
    """The beginning of ``struct ifaddrs``, alike on Linux, macOS and BSD."""


_Interface._fields_ = [
    ("next", ctypes.POINTER(_Interface)),
    ("name", ctypes.c_char_p),
    ("flags", ctypes.c_uint),
    ("address", ctypes.c_void_p),
]


def interface_addresses() -> Iterator[tuple[str, Address]]:
    """Yield each address with its interface's name; on Windows, which has no simple list, without one."""
    if sys.platform == "win32":
        for family, _, _, _, socket_address in socket.getaddrinfo(socket.gethostname(), 0, type=socket.SOCK_STREAM):
            host = str(socket_address[0]).partition("%")[0]
            yield "", IPv6Address(host) if family == socket.AF_INET6 else IPv4Address(host)
        return
    libc, first_interface = ctypes.CDLL(None), ctypes.POINTER(_Interface)()
    if libc.getifaddrs(ctypes.byref(first_interface)):
        return
    try:
        interface = first_interface
        while interface:
            if (address := _read_address(interface.contents.address)) is not None:
                yield interface.contents.name.decode(errors="replace"), address
            interface = interface.contents.next
    finally:
        libc.freeifaddrs(first_interface)


def _read_address(pointer: int | None) -> Address | None:
    """Read a socket address; None if it is none of IP. BSD's has its length before its family."""
    if not pointer:
        return None
    head = ctypes.string_at(pointer, 2)
    family = int.from_bytes(head, sys.byteorder) if sys.platform == "linux" else head[1]
    if family == socket.AF_INET:
        return IPv4Address(ctypes.string_at(pointer + 4, 4))
    if family == socket.AF_INET6:
        return IPv6Address(ctypes.string_at(pointer + 8, 16))
    return None
