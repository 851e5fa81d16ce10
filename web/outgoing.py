"""Messages to an address that somebody typed: never to this computer, nor to the hall's own network.

A name is resolved once, each of its addresses is looked at, and the connection goes to exactly one that was
looked at: who changes the name a moment later has changed nothing. Redirections are not followed, and no
proxy of the environment is asked.
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

from rules import Refusal

PATIENCE = 10.0
"""Seconds from the first packet to the last byte of the answer, where nobody says how many."""
LARGEST_ANSWER = 64 * 1024
LONGEST_ADDRESS = 500

Address = IPv4Address | IPv6Address

NOT_PUBLIC = tuple(
    IPv4Network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # a cloud's metadata at an address that looks like any other
    )
)
PUBLIC_6 = IPv6Network("2000::/3")
NOT_PUBLIC_6 = tuple(IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
BEARS_IPV4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
"""Their last 32 bits are where it goes."""


class NotSent(Exception):  # noqa: N818 -- not an error of ours: it is tried again later
    """Nobody answered, or nobody may be asked there: ``code`` says why."""

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
        """As far as it is one."""
        return self.content.decode(errors="replace").replace("\0", "")


def is_public(address: Address) -> bool:
    """Whether it is somewhere on the internet, and nowhere nearer."""
    if isinstance(address, IPv6Address):
        if any(address in network for network in BEARS_IPV4):
            return is_public(IPv4Address(address.packed[-4:]))
        return address in PUBLIC_6 and not any(address in network for network in NOT_PUBLIC_6)
    return not any(address in network for network in NOT_PUBLIC)


def check_address(address: str, *, field: str = "address") -> str:
    """As it is kept; a name is resolved only when something is sent. It was typed into that ``field``.

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
    """By which people know it; it says nothing of what may be secret in the rest."""
    return urlsplit(address).hostname or ""


def post(
    address: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    patience: float = PATIENCE,
    most: int = LARGEST_ANSWER,
) -> RemoteResponse:
    """The answer, whatever its status, in so many seconds at most, and so many bytes of it. Raises NotSent:
    address_unreadable, address_not_https, address_not_public, no_such_host, certificate_refused, not_reached
    (who is there takes nothing), no_answer (in time)."""
    return _ask("POST", address, body, headers, patience, most)


def get(
    address: str, headers: Mapping[str, str], *, patience: float = PATIENCE, most: int = LARGEST_ANSWER
) -> RemoteResponse:
    """What is at that address, likewise. Raises NotSent, as ``post`` does."""
    return _ask("GET", address, None, headers, patience, most)


def _ask(
    method: str, address: str, body: bytes | None, headers: Mapping[str, str], patience: float, most: int
) -> RemoteResponse:
    parts = _parts_of(address)
    if parts is None:
        raise NotSent("address_unreadable")
    until = time.monotonic() + patience
    try:
        with _line_to(parts, until) as line:
            path = address.partition(parts.netloc)[2]
            line.request(method, path if path.startswith("/") else f"/{path}", body, dict(headers))
            response = line.getresponse()
            content = response.read(most)
            if time.monotonic() >= until:  # it was cut, which looks like an end
                raise TimeoutError
            etag = response.getheader("ETag", "")
            return RemoteResponse(status=response.status, content=content, etag=etag)
    except ssl.SSLCertVerificationError as error:
        raise NotSent("certificate_refused") from error
    except (OSError, HTTPException, ValueError) as error:
        raise NotSent("no_answer" if time.monotonic() >= until else "not_reached") from error


def _parts_of(address: str) -> SplitResult | None:
    """None where it cannot be read, or says more than where to go."""
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
    """An open connection, which is cut at that moment, however slowly the other side speaks."""
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
    with suppress(OSError):  # it has ended
        line.shutdown(socket.SHUT_RDWR)


def _checked_addresses(host: str, port: int, *, is_secret: bool) -> list[str]:
    """All that the name stands for. One that may not be asked shuts out the others."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotSent("no_such_host") from error
    addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
    if not all(_may_be_asked(ip_address(each), is_secret=is_secret) for each in addresses):
        raise NotSent("address_not_public" if is_secret else "address_not_https")
    return addresses


def _may_be_asked(address: Address, *, is_secret: bool) -> bool:
    """The internet by https; what the installation was told to allow, by http too."""
    is_allowed = any(address in ip_network(each) for each in settings.LOCAL_TARGETS)
    return is_allowed or (is_secret and is_public(address))


def _connect(addresses: list[str], port: int, until: float) -> socket.socket:
    """To the first of them that answers."""
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
