"""Readers of the public pages: each opens one, hears its stream, and fetches what changed when it is told."""

from __future__ import annotations

import re
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from random import Random

from .lines import Line, NoNetwork
from .measures import Measures

STREAM = re.compile(r'data-live="([^"]+)"')
PAGE, PART, OPENED, NEWS = "watcher: page", "watcher: part", "watcher: stream opened", "news on streams"


class Watcher(threading.Thread):
    """Until ``stop`` is set."""

    def __init__(self, server: str, event: str, measures: Measures, stop: threading.Event, seed: str) -> None:
        super().__init__(daemon=True)
        self._line, self._measures, self._stopped = Line(server, measures), measures, stop
        self._chance = Random(seed)  # noqa: S311 -- no secret
        self._page = f"/fr/e/{event}" + self._chance.choice(("", "", "/standings"))

    def run(self) -> None:
        while not self._stopped.is_set():
            try:
                reply = self._line.get(PAGE, self._page)
            except NoNetwork:
                self._stopped.wait(1)
                continue
            if reply.status >= 400:
                self._measures.error(f"{PAGE}: {self._page} answered {reply.status}")
            found = STREAM.search(reply.text)
            if found is None:
                self._stopped.wait(2)
                continue
            self._hear(found[1], reply.headers.get("etag", ""))

    def _hear(self, stream: str, etag: str) -> None:
        """Some news, and then it is cut, as phones are that go into a pocket; the page is opened anew."""
        connection = self._line.connect()
        try:
            with self._measures.time_of(OPENED):
                connection.request("GET", stream, headers={"Accept": "text/event-stream"})
                response = connection.getresponse()
            until = time.monotonic() + self._chance.uniform(10, 60)
            known = heard = b""
            while time.monotonic() < until and not self._stopped.is_set():
                line = response.readline()
                if not line:
                    return
                if line.startswith(b"id:"):
                    known, heard = known or line, line  # the first is that of the page, or nearly
                if line.startswith(b"data:") and heard != known:  # else it is a sign of life
                    known = heard
                    self._measures.count(NEWS)
                    within = float(line[5:].split()[0])
                    self._stopped.wait(self._chance.random() * within)
                    etag = self._part(etag)
        except (OSError, HTTPException, ValueError) as error:
            if not self._stopped.is_set():
                self._measures.error(f"{OPENED}: {error!r}")
        finally:
            connection.close()

    def _part(self, etag: str) -> str:
        with suppress(NoNetwork):
            reply = self._line.ask(
                PART, "GET", self._page, headers={"HX-Request": "true", "If-None-Match": etag}
            )
            if reply.status not in (200, 304):
                self._measures.error(f"{PART}: {self._page} answered {reply.status}")
            return reply.headers.get("etag", etag)
        return etag
