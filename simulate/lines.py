"""One device's way to the server: its connection, its cookies, and the network that it loses now and then."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    RemoteDisconnected,
)
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

from .measures import Measures

PATIENCE = 60.0
"""Seconds until a device gives up on an answer."""
IDLE = 3.0
"""Seconds after which a connection is not used again: the server closes it soon."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class NoNetwork(Exception):  # noqa: N818 -- not an error: it is meant
    """The device has no network, or did not hear the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    text: str


class Line:
    """``is_away``: without a network, as at the far end of a hall."""

    def __init__(self, server: str, measures: Measures, language: str = "fr") -> None:
        self.server, self.measures, self.language = urlsplit(server), measures, language
        self.is_away = False
        self._cookies: dict[tuple[str, str], str] = {}
        self._connection: HTTPConnection | None = None
        self._used_at = 0.0

    @property
    def token(self) -> str:
        """For forms."""
        return next((value for (_, name), value in self._cookies.items() if name == "csrftoken"), "")

    def get(self, kind: str, path: str, **headers: str) -> Reply:
        """The page, wherever it leads. Raises NoNetwork."""
        for _ in range(4):
            reply = self.ask(kind, "GET", path, headers=headers)
            if reply.status not in REDIRECTS:
                return reply
            found = urlsplit(urljoin(path, reply.headers["location"]))
            path = f"{found.path}?{found.query}" if found.query else found.path
        raise RuntimeError(f"{path} leads in a circle")

    def post(
        self, kind: str, path: str, form: Mapping[str, str], *, hears: bool = True, **headers: str
    ) -> Reply:
        """As the page's script sends a form; not ``hears``: the answer is lost. Raises NoNetwork."""
        body = urlencode({**form, "csrfmiddlewaretoken": self.token})
        headers |= {"HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}
        return self.ask(kind, "POST", path, body.encode(), headers, hears=hears)

    def ask(
        self,
        kind: str,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        hears: bool = True,
    ) -> Reply:
        """One request. Whatever breaks that is not meant is an error, and NoNetwork."""
        if self.is_away:
            raise NoNetwork
        said = {"Accept-Language": self.language, "Cookie": self._cookies_for(path), **(headers or {})}
        said = {name.replace("_", "-"): value for name, value in said.items() if value}
        try:
            with self.measures.time_of(kind):
                response = self._send(method, path, body, said, hears=hears)
                text = response.read().decode("utf-8", "replace")
        except (OSError, HTTPException) as error:
            self.close()
            self.measures.error(f"{kind}: {error!r}")
            raise NoNetwork from error
        self._used_at = time.monotonic()
        self._hear(response)
        if response.status >= 500:
            self.measures.error(f"{kind}: {method} {path} answered {response.status}")
        reply_headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(status=response.status, headers=reply_headers, text=text)

    def connect(self) -> HTTPConnection:
        """A new connection, whose answer may go on for ever."""
        kind = HTTPSConnection if self.server.scheme == "https" else HTTPConnection
        return kind(self.server.netloc, timeout=PATIENCE)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], *, hears: bool
    ) -> HTTPResponse:
        """On a kept connection that the server has closed meanwhile, once more on another, as browsers do."""
        kept, self._connection = self._connection, None
        if kept is not None and time.monotonic() - self._used_at < IDLE:
            with suppress(BrokenPipeError, ConnectionResetError, RemoteDisconnected):
                return self._sent_on(kept, method, path, body, headers, hears=hears)
        return self._sent_on(self.connect(), method, path, body, headers, hears=hears)

    def _sent_on(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        *,
        hears: bool,
    ) -> HTTPResponse:
        connection.request(method, path, body, dict(headers))
        if not hears:
            self.measures.count("answers lost on purpose")
            connection.close()
            raise NoNetwork
        response = connection.getresponse()
        self._connection = connection
        return response

    def _cookies_for(self, path: str) -> str:
        sent = [(name, value) for (below, name), value in self._cookies.items() if path.startswith(below)]
        return "; ".join(f"{name}={value}" for name, value in sent)

    def _hear(self, response: HTTPResponse) -> None:
        for line in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                self._cookies[morsel["path"] or "/", name] = morsel.value
