"""A device's connection to the server, with its cookies and a network that is sometimes lost."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, RemoteDisconnected
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

from .measurements import Measurements

TIMEOUT = 60.0
"""Seconds until a device gives up waiting for an answer."""
MAX_IDLE = 3.0
"""Seconds after which an idle connection is not reused, since the server soon closes it."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class NetworkDown(Exception):  # noqa: N818 -- not an error: it is meant
    """The device is offline, or did not receive the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceResponse:
    status: int
    headers: Mapping[str, str]
    text: str


class HttpDevice:
    """Device that sends HTTP requests; ``is_offline`` means no network, as at the far end of a hall."""

    def __init__(self, server: str, measures: Measurements, language: str = "fr") -> None:
        self.server, self.measures, self.language = urlsplit(server), measures, language
        self.is_offline = False
        self._cookies: dict[tuple[str, str], str] = {}
        self._connection: HTTPConnection | None = None
        self._used_at = 0.0

    @property
    def csrf_token(self) -> str:
        return next((value for (_, name), value in self._cookies.items() if name == "csrftoken"), "")

    def get(self, kind: str, path: str, **headers: str) -> DeviceResponse:
        """Return the page, after any redirects. Raises NetworkDown."""
        for _ in range(4):
            reply = self.request(kind, "GET", path, headers=headers)
            if reply.status not in REDIRECTS:
                return reply
            target = urlsplit(urljoin(path, reply.headers["location"]))
            path = f"{target.path}?{target.query}" if target.query else target.path
        raise RuntimeError(f"{path} leads in a circle")

    def submit(
        self, kind: str, path: str, form: Mapping[str, str], *, reads_response: bool = True, **headers: str
    ) -> DeviceResponse:
        """Send a form as the page's script does; without ``reads_response``, its answer is lost. Raises NetworkDown."""
        body = urlencode({**form, "csrfmiddlewaretoken": self.csrf_token})
        headers |= {"HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}
        return self.request(kind, "POST", path, body.encode(), headers, reads_response=reads_response)

    def request(
        self,
        kind: str,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        reads_response: bool = True,
    ) -> DeviceResponse:
        """Send one request. An unintended failure is recorded as an error. Raises NetworkDown."""
        if self.is_offline:
            raise NetworkDown
        all_headers = {"Accept-Language": self.language, "Cookie": self._format_cookies(path), **(headers or {})}
        all_headers = {name.replace("_", "-"): value for name, value in all_headers.items() if value}
        try:
            with self.measures.measure_time(kind):
                response = self._send(method, path, body, all_headers, reads_response=reads_response)
                text = response.read().decode("utf-8", "replace")
        except (OSError, HTTPException) as error:
            self.close()
            self.measures.record_error(f"{kind}: {error!r}")
            raise NetworkDown from error
        self._used_at = time.monotonic()
        self._store_cookies(response)
        if response.status >= 500:
            self.measures.record_error(f"{kind}: {method} {path} answered {response.status}")
        reply_headers = {name.lower(): value for name, value in response.getheaders()}
        return DeviceResponse(status=response.status, headers=reply_headers, text=text)

    def connect(self) -> HTTPConnection:
        """Return a new connection, whose answer may never end."""
        kind = HTTPSConnection if self.server.scheme == "https" else HTTPConnection
        return kind(self.server.netloc, timeout=TIMEOUT)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], *, reads_response: bool
    ) -> HTTPResponse:
        """Send on the open connection; if the server has closed it, send on a new one, as browsers do."""
        reused, self._connection = self._connection, None
        if reused is not None and time.monotonic() - self._used_at < MAX_IDLE:
            with suppress(BrokenPipeError, ConnectionResetError, RemoteDisconnected):
                return self._send_on_connection(reused, method, path, body, headers, reads_response=reads_response)
        return self._send_on_connection(self.connect(), method, path, body, headers, reads_response=reads_response)

    def _send_on_connection(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        *,
        reads_response: bool,
    ) -> HTTPResponse:
        connection.request(method, path, body, dict(headers))
        if not reads_response:
            self.measures.count("answers lost on purpose")
            connection.close()
            raise NetworkDown
        response = connection.getresponse()
        self._connection = connection
        return response

    def _format_cookies(self, path: str) -> str:
        cookies = [(name, value) for (prefix, name), value in self._cookies.items() if path.startswith(prefix)]
        return "; ".join(f"{name}={value}" for name, value in cookies)

    def _store_cookies(self, response: HTTPResponse) -> None:
        for header in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(header).items():
                self._cookies[morsel["path"] or "/", name] = morsel.value
