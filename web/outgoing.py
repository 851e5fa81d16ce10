"""HTTP requests to addresses that users entered, but never to this computer or the hall's network.

A name is resolved once, all its addresses are checked, and the connection goes to one that was
checked: changing the name a moment later has no effect. Redirects are not followed, and proxies
of the environment are not used.
"""

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import connection

from errors import Refusal

PATIENCE = 10.0
"""The default seconds from the first packet to the last byte of the response."""
LARGEST_ANSWER = 64 * 1024
LONGEST_ADDRESS = 500

Address = IPv4Address | IPv6Address

NOT_PUBLIC = tuple(
    IPv4Network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # a cloud's metadata service at a public-looking address
    )
)
PUBLIC_6 = IPv6Network("2000::/3")
NOT_PUBLIC_6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
BEARS_IPV4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
"""Networks of IPv6 whose last 32 bits are the IPv4 address of the destination."""


class NotSent(Exception):  # noqa: N818 -- not an error of ours: it is tried again later
    """There was no response, or the address is not allowed: ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteResponse:
    status: int
    content: bytes
    etag: str = ""

    @property
    def text(self) -> str:
        """The content as text; undecodable bytes are replaced."""
        return self.content.decode(errors="replace").replace("\0", "")


def is_public(address: Address) -> bool:
    """Return whether the address is on the public internet."""
    if isinstance(address, IPv6Address):
        if any(address in network for network in BEARS_IPV4):
            return is_public(IPv4Address(address.packed[-4:]))
        return address in PUBLIC_6 and not any(address in network for network in NOT_PUBLIC_6)
    return not any(address in network for network in NOT_PUBLIC)


def check_address(address: str, *, field: str = "address") -> str:
    """Check an address from that ``field``, and return it. A name is only resolved when something is sent.

    Refuses: address_unreadable, address_not_https, address_not_public.
    """
    parts = _parts_of(address)
    if parts is None:
        raise Refusal("address_unreadable", field=field)
    if parts.scheme != "https" and not settings.LOCAL_TARGETS:
        raise Refusal("address_not_https", field=field)
    host = str(parts.hostname)
    try:
        is_open = _may_be_asked(ip_address(host), is_secret=parts.scheme == "https")
    except ValueError:
        is_open = "." in host.strip(".") or bool(settings.LOCAL_TARGETS)
    if not is_open:
        raise Refusal("address_not_public", field=field)
    return address


def host_of(address: str) -> str:
    """Return the host, by which people know the address; the rest may contain secrets."""
    return urlsplit(address).hostname or ""


def post(
    address: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    patience: float = PATIENCE,
    most: int = LARGEST_ANSWER,
) -> RemoteResponse:
    """Post to an address and return the response, whatever its status, within ``patience`` seconds and
    ``most`` bytes. Raises NotSent: address_unreadable, address_not_https, address_not_public, no_such_host,
    certificate_refused, not_reached (connection refused), no_answer (in time)."""
    return _ask("POST", address, body, headers, patience, most)


def get(
    address: str, headers: Mapping[str, str], *, patience: float = PATIENCE, most: int = LARGEST_ANSWER
) -> RemoteResponse:
    """Get what is at an address, like ``post``. Raises NotSent, as ``post`` does."""
    return _ask("GET", address, None, headers, patience, most)


def _ask(
    method: str, address: str, body: bytes | None, headers: Mapping[str, str], patience: float, most: int
) -> RemoteResponse:
    parts = _parts_of(address)
    if parts is None:
        raise NotSent("address_unreadable")
    if not connection.in_atomic_block:
        connection.close()  # others may use it meanwhile: the pool has fewer than there are senders
    until = time.monotonic() + patience
    try:
        with _line_to(parts, until) as line:
            path = address.partition(parts.netloc)[2]
            line.request(method, path if path.startswith("/") else f"/{path}", body, dict(headers))
            response = line.getresponse()
            content = response.read(most)
            if time.monotonic() >= until:  # it was cut off, which looks like an end
                raise TimeoutError
            etag = response.getheader("ETag", "")
            return RemoteResponse(status=response.status, content=content, etag=etag)
    except ssl.SSLCertVerificationError as error:
        raise NotSent("certificate_refused") from error
    except (OSError, HTTPException, ValueError) as error:
        raise NotSent("no_answer" if time.monotonic() >= until else "not_reached") from error


def _parts_of(address: str) -> SplitResult | None:
    """Return the parts of an address; None if it is malformed, or has more than a destination."""
    is_plain = len(address) <= LONGEST_ADDRESS and address.isprintable() and " " not in address
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    says_more = "@" in parts.netloc or "#" in address or "\\" in address
    return parts if is_plain and is_whole and not says_more and address.isascii() else None


@contextmanager
def _line_to(parts: SplitResult, until: float) -> Iterator[HTTPConnection]:
    """Open a connection that is cut at that time, however slowly the other side sends."""
    host, is_secret = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if is_secret else 80)
    opened = _connect(_checked_addresses(host, port, is_secret=is_secret), port, until)
    handle = opened.dup()
    cut = Timer(max(0.0, until - time.monotonic()), _cut_line, [handle])
    cut.daemon = True
    cut.start()
    line = HTTPSConnection(host, port, context=_tls()) if is_secret else HTTPConnection(host, port)
    try:
        line.sock = _tls().wrap_socket(opened, server_hostname=host) if is_secret else opened
        yield line
    finally:
        cut.cancel()
        line.close()
        opened.close()
        handle.close()


def _cut_line(line: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        line.shutdown(socket.SHUT_RDWR)


def _checked_addresses(host: str, port: int, *, is_secret: bool) -> list[str]:
    """Return all addresses of the name. One that is not allowed excludes the others."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotSent("no_such_host") from error
    addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
    if not all(_may_be_asked(ip_address(each), is_secret=is_secret) for each in addresses):
        raise NotSent("address_not_public" if is_secret else "address_not_https")
    return addresses


def _may_be_asked(address: Address, *, is_secret: bool) -> bool:
    """Return whether the address is allowed: public ones by https, and configured local ones by http, too."""
    is_allowed = any(address in ip_network(each) for each in settings.LOCAL_TARGETS)
    return is_allowed or (is_secret and is_public(address))


def _connect(addresses: list[str], port: int, until: float) -> socket.socket:
    """Connect to the first address that responds."""
    error: OSError = OSError("no address")
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout=max(0.1, until - time.monotonic()))
        except OSError as failed:
            error = failed
    raise error


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
