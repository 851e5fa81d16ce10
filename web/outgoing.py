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

from errors import Refusal, get_or_refuse

TIMEOUT = 10.0
"""The default seconds from the first packet to the last byte of the response."""
MAX_RESPONSE_BYTES = 64 * 1024
MAX_URL_LENGTH = 500

Address = IPv4Address | IPv6Address

PRIVATE_NETWORKS = tuple(
    IPv4Network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # a cloud's metadata service at a public-looking address
    )
)
PUBLIC_NETWORK_6 = IPv6Network("2000::/3")
PRIVATE_NETWORKS_6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
IPV4_IN_IPV6_NETWORKS = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
"""Networks of IPv6 whose last 32 bits are the IPv4 address of the destination."""


class RequestNotSentError(Exception):
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
        if any(address in network for network in IPV4_IN_IPV6_NETWORKS):
            return is_public(IPv4Address(address.packed[-4:]))
        return address in PUBLIC_NETWORK_6 and not any(address in network for network in PRIVATE_NETWORKS_6)
    return not any(address in network for network in PRIVATE_NETWORKS)


def check_address(address: str, *, field: str = "address") -> str:
    """Check an address from that ``field``, and return it. A name is only resolved when something is sent.

    Refuses: address_unreadable, address_not_https, address_not_public.
    """
    parts = get_or_refuse(_parse_url(address), "address_unreadable", field=field)
    if parts.scheme != "https" and not settings.LOCAL_TARGETS:
        raise Refusal("address_not_https", field=field)
    host = str(parts.hostname)
    try:
        is_open = _is_allowed(ip_address(host), is_https=parts.scheme == "https")
    except ValueError:
        is_open = "." in host.strip(".") or bool(settings.LOCAL_TARGETS)
    if not is_open:
        raise Refusal("address_not_public", field=field)
    return address


def get_url_host(address: str) -> str:
    """Return the host, by which people know the address; the rest may contain secrets."""
    return urlsplit(address).hostname or ""


def post_url(
    address: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_RESPONSE_BYTES,
) -> RemoteResponse:
    """Post to an address and return the response, whatever its status, within ``timeout`` seconds and
    ``max_bytes`` bytes. Raises RequestNotSentError: address_unreadable, address_not_https, address_not_public,
    no_such_host, certificate_refused, not_reached (connection refused), no_answer (in time)."""
    return _send_request("POST", address, body, headers, timeout, max_bytes)


def get_url(
    address: str, headers: Mapping[str, str], *, timeout: float = TIMEOUT, max_bytes: int = MAX_RESPONSE_BYTES
) -> RemoteResponse:
    """Get what is at an address, like ``post_url``. Raises RequestNotSentError, as ``post_url`` does."""
    return _send_request("GET", address, None, headers, timeout, max_bytes)


def _send_request(
    method: str, address: str, body: bytes | None, headers: Mapping[str, str], timeout: float, max_bytes: int
) -> RemoteResponse:
    parts = _parse_url(address)
    if parts is None:
        raise RequestNotSentError("address_unreadable")
    if not connection.in_atomic_block:
        connection.close()  # others may use it meanwhile: the pool has fewer than there are senders
    deadline = time.monotonic() + timeout
    try:
        with _open_connection(parts, deadline) as http_connection:
            path = address.partition(parts.netloc)[2]
            http_connection.request(method, path if path.startswith("/") else f"/{path}", body, dict(headers))
            response = http_connection.getresponse()
            content = response.read(max_bytes)
            if time.monotonic() >= deadline:  # it was cut off, which looks like an end
                raise TimeoutError
            etag = response.getheader("ETag", "")
            return RemoteResponse(status=response.status, content=content, etag=etag)
    except ssl.SSLCertVerificationError as error:
        raise RequestNotSentError("certificate_refused") from error
    except (OSError, HTTPException, ValueError) as error:
        raise RequestNotSentError("no_answer" if time.monotonic() >= deadline else "not_reached") from error


def _parse_url(address: str) -> SplitResult | None:
    """Return the parts of an address; None if it is malformed, or has more than a destination."""
    is_printable = len(address) <= MAX_URL_LENGTH and address.isprintable() and " " not in address
    try:
        parts = urlsplit(address)
        is_complete = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    has_extras = "@" in parts.netloc or "#" in address or "\\" in address
    return parts if is_printable and is_complete and not has_extras and address.isascii() else None


@contextmanager
def _open_connection(parts: SplitResult, deadline: float) -> Iterator[HTTPConnection]:
    """Open a connection that is cut at that time, however slowly the other side sends."""
    host, is_https = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if is_https else 80)
    tcp_socket = _connect(_resolve_addresses(host, port, is_https=is_https), port, deadline)
    socket_copy = tcp_socket.dup()
    timer = Timer(max(0.0, deadline - time.monotonic()), _shut_down, [socket_copy])
    timer.daemon = True
    timer.start()
    http_connection = (
        HTTPSConnection(host, port, context=_get_ssl_context()) if is_https else HTTPConnection(host, port)
    )
    try:
        http_connection.sock = (
            _get_ssl_context().wrap_socket(tcp_socket, server_hostname=host) if is_https else tcp_socket
        )
        yield http_connection
    finally:
        timer.cancel()
        http_connection.close()
        tcp_socket.close()
        socket_copy.close()


def _shut_down(open_socket: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        open_socket.shutdown(socket.SHUT_RDWR)


def _resolve_addresses(host: str, port: int, *, is_https: bool) -> list[str]:
    """Return all addresses of the name. One that is not allowed excludes the others."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise RequestNotSentError("no_such_host") from error
    addresses = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
    if not all(_is_allowed(ip_address(each), is_https=is_https) for each in addresses):
        raise RequestNotSentError("address_not_public" if is_https else "address_not_https")
    return addresses


def _is_allowed(address: Address, *, is_https: bool) -> bool:
    """Return whether the address is allowed: public ones by https, and configured local ones by http, too."""
    is_allowed = any(address in ip_network(each) for each in settings.LOCAL_TARGETS)
    return is_allowed or (is_https and is_public(address))


def _connect(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Connect to the first address that responds."""
    error: OSError = OSError("no address")
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout=max(0.1, deadline - time.monotonic()))
        except OSError as failed:
            error = failed
    raise error


@cache
def _get_ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()
