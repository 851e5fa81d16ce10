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
"""Attempts at most, while no answer comes or the server asks to retry."""
RETRY_STATUSES = frozenset({429, 502, 503, 504})
MIN_PAUSE, MAX_PAUSE = 0.25, 8.0
"""Seconds between two attempts, if the server names none: doubled each time, with jitter."""
MAX_RETRY_AFTER = 120.0
"""Longest pause that a server may ask for, in seconds; a longer one is an error at once."""
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
        field_text = f" ({self.field})" if self.field else ""
        super().__init__(f"{status} {self.code}{field_text}: {self.detail}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRequest:
    """A request: its ``path`` with the query. ``operation`` is that of the schema."""

    operation: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiResponse:
    """``headers`` by their names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Resource(dict[str, Any]):
    """A resource as the server answered it, with its ``etag``."""

    def __init__(self, values: Mapping[str, Any], *, etag: str) -> None:
        super().__init__(values)
        self.etag = etag


def get_etag(resource: object) -> str:
    """The ETag of what a method returned, for ``if_match``; "" where the server gave none."""
    return resource.etag if isinstance(resource, Resource) else ""


Send = Callable[[ApiRequest], ApiResponse]
"""Sends a request once. Raises OSError or HTTPException where no answer came."""


class ConnectionPool:
    """Sends over one connection a thread, which stays open."""

    def __init__(self, server: str, timeout: float = 30) -> None:
        self._address, self._timeout = urlsplit(server), timeout
        self._local = threading.local()

    def __call__(self, request: ApiRequest) -> ApiResponse:
        connection = self._get_connection()
        try:
            path = self._address.path.rstrip("/") + request.path
            connection.request(request.method, path, request.body, dict(request.headers))
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException):
            connection.close()
            raise
        headers = {name.lower(): value for name, value in response.getheaders()}
        return ApiResponse(status=response.status, headers=headers, body=body)

    def _get_connection(self) -> HTTPConnection:
        connection: HTTPConnection | None = getattr(self._local, "connection", None)
        if connection is None:
            kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
            connection = kind(self._address.netloc, timeout=self._timeout)
            self._local.connection = connection
        return connection


class Caller:
    """A caller with a club's key, or without one. May be used by several threads."""

    def __init__(self, server: str, token: str = "", *, language: str = "en", send: Send | None = None) -> None:
        self._send = send or ConnectionPool(server)
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
        filled_path = path.format(*(quote(str(name), safe="") for name in names))
        query_text = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        headers, content = dict(self._headers), None
        if method != "GET":
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid4())}
            content = json.dumps(body or {}).encode()
        if if_match:
            headers["If-Match"] = if_match
        return self._send_until_answered(
            ApiRequest(
                operation=operation,
                method=method,
                path=f"{filled_path}?{query_text}" if query_text else filled_path,
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
            filled_path = path.format(*(quote(str(name), safe="") for name in names))
            page_path = f"{filled_path}?{urlsplit(page['next']).query}"
            request = ApiRequest(
                operation=operation, method="GET", path=page_path, headers=dict(self._headers), body=None
            )
            page = self._send_until_answered(request)
            yield from page["results"]

    def _send_until_answered(self, request: ApiRequest) -> Any:
        """Sends it until there is an answer: every write bears a key, by which its repeat is known."""
        for attempt in range(1, ATTEMPTS + 1):
            pause = min(MAX_PAUSE, MIN_PAUSE * 2 ** (attempt - 1)) * random.uniform(0.5, 1)  # noqa: S311
            try:
                response = self._send(request)
            except (OSError, HTTPException) as error:
                if attempt == ATTEMPTS:
                    raise Unreachable(f"{request.method} {request.path}: {error!r}") from error
            else:
                retry_after = _parse_retry_after(response)
                if response.status not in RETRY_STATUSES or attempt == ATTEMPTS or retry_after > MAX_RETRY_AFTER:
                    return _read_body(response)
                pause = retry_after or pause
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")


def _parse_retry_after(response: ApiResponse) -> float:
    """The seconds of ``Retry-After``; 0 where it says nothing."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else 0.0


def _read_body(response: ApiResponse) -> Any:
    kind = response.headers.get("content-type", "").partition(";")[0]
    is_json = kind in ("application/json", PROBLEM)
    data = json.loads(response.body) if is_json and response.body else None
    if response.status < 300 and (is_json or not response.body):
        return Resource(data, etag=response.headers.get("etag", "")) if isinstance(data, dict) else data
    raise Refused(response.status, data if isinstance(data, dict) else {"detail": f"an answer of type {kind}"})
