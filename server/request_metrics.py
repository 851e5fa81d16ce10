"""Metrics of the requests of a web process: how many by route and status, and how long they took.

With a log for programs, also a line for each. A route is the pattern of an address, never the address: those
of tables and links are secrets.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from live.asgi import ROUTE, Application, Scope
from live.streams import PATH as STREAMS
from operations.metrics.exposition import Sample

logger = logging.getLogger("charlemagne.requests")

BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Upper bounds of the histogram, in seconds; people notice waits above the third, 0.3."""
UNKNOWN_ROUTE = "-"
"""Route of an address that does not exist (404)."""
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
RECEIPT_HEADER, RECORDED = b"charlemagne-entry", b" recorded"

Kind = tuple[str, str, str]
"""Method, route and status."""
KIND = "charlemagne.kind"
"""Key of the measured kind in a request's scope."""


class RouteMiddleware(MiddlewareMixin):
    """Middleware that notes the route by which Django has answered, for the metrics."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.resolver_match is not None:
            getattr(request, "scope", {})[ROUTE] = request.resolver_match.route
        return response


class RequestMetrics:
    """The counters. Requests are counted on the event loop; any thread may read them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buckets: dict[Kind, list[int]] = {}
        self._seconds: Counter[Kind] = Counter()
        self._hands = 0

    def count(self, kind: Kind, seconds: float, *, is_hand: bool) -> None:
        with self._lock:
            buckets = self._buckets.setdefault(kind, [0] * (len(BOUNDS) + 1))
            buckets[sum(seconds > bound for bound in BOUNDS)] += 1
            self._seconds[kind] += seconds  # type: ignore[assignment]  # a Counter of floats
            self._hands += is_hand

    def iter_samples(self) -> Iterator[Sample]:
        with self._lock:
            counts = [(kind, list(bucket), self._seconds[kind]) for kind, bucket in self._buckets.items()]
            hands = self._hands
        for (method, route, status), buckets, seconds in counts:
            labels = {"method": method, "route": route, "status": status}
            name = "charlemagne_request_seconds"
            cumulative = list(accumulate(buckets))
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), cumulative, strict=True):
                yield Sample(f"{name}_bucket", {**labels, "le": bound}, count)
            yield Sample(f"{name}_sum", labels, seconds)
            yield Sample(f"{name}_count", labels, cumulative[-1])
        yield Sample("charlemagne_hands_acknowledged_total", {}, hands)


def is_measured(scope: Scope) -> bool:
    """Check whether it is a request that ends with its answer, and no stream."""
    return scope["type"] == "http" and not scope["path"].startswith(STREAMS)


class MeasuredApplication:
    """Wrapper of the application that counts each request when it has ended.

    Streams, which end when their reader leaves, are counted while they are open.
    """

    def __init__(self, application: Application, metrics: RequestMetrics) -> None:
        self._application, self._measures = application, metrics

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not is_measured(scope):
            await self._application(scope, receive, send)
            return
        started, status, is_hand = time.perf_counter(), 0, False

        async def count_and_send(message: Any) -> None:
            nonlocal status, is_hand
            if message["type"] == "http.response.start":
                status = message["status"]
                is_hand = any(
                    name.lower() == RECEIPT_HEADER and value.endswith(RECORDED) for name, value in message["headers"]
                )
            await send(message)

        try:
            await self._application(scope, receive, count_and_send)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else UNKNOWN_ROUTE
            is_file = scope["path"].startswith(settings.STATIC_URL)
            route = scope.get(ROUTE, "static/" if is_file else UNKNOWN_ROUTE)
            scope[KIND] = kind = (method, route, str(status))
            self._measures.count(kind, seconds, is_hand=is_hand)
            values = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
            logger.info("answered", extra={"fields": values})
