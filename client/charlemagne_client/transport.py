"""Requests to the API: sent again until there is an answer, and page after page of a list."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

ATTEMPTS = 6
"""How often a request is sent at most, while nobody answers or the server asks to come again."""
COME_AGAIN = frozenset({429, 502, 503, 504})
SHORTEST, LONGEST = 0.25, 8.0
"""Seconds between two attempts, where the server says nothing of it: they double, with some chance."""
LONGEST_SAID = 120.0
"""Seconds for which a server is believed; whoever would have to wait longer is told so at once."""
PROBLEM = "application/problem+json"


class CharlemagneError(Exception):
    """Base class of the errors of this package."""


class Unreachable(CharlemagneError):  # noqa: N818 -- as people say it
    """Nobody answered. Whether it was done is not known: send it again with the same ``key``."""


class Refused(CharlemagneError):  # noqa: N818 -- as people say it
    """The server says no, because: the ``code`` never changes, the ``field`` is that of the body, ``detail``
    a sentence in the language of the client; ``errors`` has every field that could not be read. With status
    412, ``current`` is the resource as it is now."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code: str = problem.get("code") or ""
        self.field: str | None = problem.get("field")
        self.detail: str = problem.get("detail") or ""
        self.errors: tuple[Mapping[str, Any], ...] = tuple(problem.get("errors") or ())
        self.current: Any = problem.get("current")
        where = f" ({self.field})" if self.field else ""
        super().__init__(f"{status} {self.code}{where}: {self.detail}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: its ``path`` with the query. ``operation`` is that of the schema."""

    operation: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """``headers`` by their names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Read(dict[str, Any]):
    """A resource as the server answered it, with its ``etag``."""

    def __init__(self, values: Mapping[str, Any], *, etag: str) -> None:
        super().__init__(values)
        self.etag = etag


def etag_of(answer: object) -> str:
    """The ETag of what a method returned, for ``if_match``; "" where the server gave none."""
    return answer.etag if isinstance(answer, Read) else ""


Send = Callable[[Asked], Answer]
"""Sends a request once. Raises OSError or HTTPException where no answer came."""


class Connections:
    """Sends over one connection a thread, which stays open."""

    def __init__(self, server: str, timeout: float = 30) -> None:
        self._address, self._timeout = urlsplit(server), timeout
        self._kept = threading.local()

    def __call__(self, asked: Asked) -> Answer:
        connection = self._connection()
        try:
            path = self._address.path.rstrip("/") + asked.path
            connection.request(asked.method, path, asked.body, dict(asked.headers))
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException):
            connection.close()
            raise
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(status=response.status, headers=headers, body=body)

    def _connection(self) -> HTTPConnection:
        kept: HTTPConnection | None = getattr(self._kept, "connection", None)
        if kept is None:
            kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
            kept = kind(self._address.netloc, timeout=self._timeout)
            self._kept.connection = kept
        return kept


class Caller:
    """A caller with a club's key, or without one. May be used by several threads."""

    def __init__(
        self, server: str, token: str = "", *, language: str = "en", send: Send | None = None
    ) -> None:
        self._send = send or Connections(server)
        self._headers = {"Accept": f"application/json, {PROBLEM}", "Accept-Language": language}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def _call(
        self,
        operation: str,
        method: str,
        path: str,
        names: tuple[str | int, ...] = (),
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        key: str = "",
        if_match: str = "",
    ) -> Any:
        """Send a request and return the response; ``names`` go into the path. With ``if_match``, nothing is
        done unless the resource still has this ETag. Raises Refused, Unreachable."""
        filled = path.format(*(quote(str(name), safe="") for name in names))
        said = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        headers, content = dict(self._headers), None
        if method != "GET":
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid4())}
            content = json.dumps(body or {}).encode()
        if if_match:
            headers["If-Match"] = if_match
        return self._send_until_answered(
            Asked(
                operation=operation,
                method=method,
                path=f"{filled}?{said}" if said else filled,
                headers=headers,
                body=content,
            )
        )

    def _pages(
        self, operation: str, path: str, names: tuple[str | int, ...], query: Mapping[str, Any]
    ) -> Iterator[Any]:
        """Every row of a list, a page at a time."""
        page = self._call(operation, "GET", path, names, query=query)
        yield from page["results"]
        while page["next"]:
            filled = path.format(*(quote(str(name), safe="") for name in names))
            further = f"{filled}?{urlsplit(page['next']).query}"
            asked = Asked(
                operation=operation, method="GET", path=further, headers=dict(self._headers), body=None
            )
            page = self._send_until_answered(asked)
            yield from page["results"]

    def _send_until_answered(self, asked: Asked) -> Any:
        """Sends it until there is an answer: every write bears a key, by which its repeat is known."""
        for attempt in range(1, ATTEMPTS + 1):
            pause = min(LONGEST, SHORTEST * 2 ** (attempt - 1)) * random.uniform(0.5, 1)  # noqa: S311
            try:
                answer = self._send(asked)
            except (OSError, HTTPException) as error:
                if attempt == ATTEMPTS:
                    raise Unreachable(f"{asked.method} {asked.path}: {error!r}") from error
            else:
                said = _said_pause(answer)
                if answer.status not in COME_AGAIN or attempt == ATTEMPTS or said > LONGEST_SAID:
                    return _read_body(answer)
                pause = said or pause
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")


def _said_pause(answer: Answer) -> float:
    """The seconds of ``Retry-After``; 0 where it says nothing."""
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isdigit() else 0.0


def _read_body(answer: Answer) -> Any:
    kind = answer.headers.get("content-type", "").partition(";")[0]
    is_json = kind in ("application/json", PROBLEM)
    said = json.loads(answer.body) if is_json and answer.body else None
    if answer.status < 300 and (is_json or not answer.body):
        return Read(said, etag=answer.headers.get("etag", "")) if isinstance(said, dict) else said
    raise Refused(answer.status, said if isinstance(said, dict) else {"detail": f"an answer of type {kind}"})
