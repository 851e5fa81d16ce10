"""Readers of the public pages: each opens one, listens to its stream, and fetches what changed."""

from __future__ import annotations

import re
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from random import Random

from .http_device import HttpDevice, NetworkDown
from .measurements import Measurements

STREAM = re.compile(r'data-live="([^"]+)"')
PAGE, PART, STREAM_OPENED, STREAM_NEWS = "watcher: page", "watcher: part", "watcher: stream opened", "news on streams"


class Watcher(threading.Thread):
    """Reader of a public page, until ``stop`` is set."""

    def __init__(self, server: str, event: str, measures: Measurements, stop: threading.Event, seed: str) -> None:
        super().__init__(daemon=True)
        self._http_device, self._measures, self._stopped = HttpDevice(server, measures), measures, stop
        self._chance = Random(seed)  # noqa: S311 -- no secret
        self._page = f"/fr/e/{event}" + self._chance.choice(("", "", "/standings"))

    def run(self) -> None:
        while not self._stopped.is_set():
            try:
                reply = self._http_device.get(PAGE, self._page)
            except NetworkDown:
                self._stopped.wait(1)
                continue
            if reply.status >= 400:
                self._measures.record_error(f"{PAGE}: {self._page} answered {reply.status}")
            stream_match = STREAM.search(reply.text)
            if stream_match is None:
                self._stopped.wait(2)
                continue
            self._read_stream(stream_match[1], reply.headers.get("etag", ""))

    def _read_stream(self, stream: str, etag: str) -> None:
        """Read a stream for a while and then cut it, as when a phone goes into a pocket.

        The page is opened again afterwards.
        """
        connection = self._http_device.connect()
        try:
            with self._measures.measure_time(STREAM_OPENED):
                connection.request("GET", stream, headers={"Accept": "text/event-stream"})
                response = connection.getresponse()
            deadline = time.monotonic() + self._chance.uniform(10, 60)
            known_id = latest_id = b""
            while time.monotonic() < deadline and not self._stopped.is_set():
                line = response.readline()
                if not line:
                    return
                if line.startswith(b"id:"):
                    known_id, latest_id = known_id or line, line  # the first is the page's revision, or close to it
                if line.startswith(b"data:") and latest_id != known_id:  # otherwise it is a heartbeat
                    known_id = latest_id
                    self._measures.count(STREAM_NEWS)
                    max_delay = float(line[5:].split()[0])
                    self._stopped.wait(self._chance.random() * max_delay)
                    etag = self._fetch_part(etag)
        except (OSError, HTTPException, ValueError) as error:
            if not self._stopped.is_set():
                self._measures.record_error(f"{STREAM_OPENED}: {error!r}")
        finally:
            connection.close()

    def _fetch_part(self, etag: str) -> str:
        with suppress(NetworkDown):
            reply = self._http_device.request(
                PART, "GET", self._page, headers={"HX-Request": "true", "If-None-Match": etag}
            )
            if reply.status not in (200, 304):
                self._measures.record_error(f"{PART}: {self._page} answered {reply.status}")
            return reply.headers.get("etag", etag)
        return etag
