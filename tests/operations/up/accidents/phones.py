"""Phones that mark continuously, and resend a hand until it is acknowledged, as the program's own do."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from contextlib import closing
from typing import Any, Self
from uuid import uuid4

from tests.support.waiting import TIMEOUT_SECONDS, wait_until

RETRY_SECONDS = 0.2
"""Seconds until a hand is sent again."""
PAUSE = 0.1
"""Seconds between two hands.

Of four phones, one or two have a hand under way at any moment; the processor is free for the work after an
accident.
"""


class Phones:
    """One phone at each table.

    ``acknowledged`` holds the keys of hands that the server has confirmed; ``met`` counts statuses and errors.
    """

    def __init__(self, port: int, tables: list[dict[str, Any]]) -> None:
        self.acknowledged: list[str] = []
        self.met: Counter[object] = Counter()
        self._port, self._is_over = port, threading.Event()
        self._threads = [threading.Thread(target=self._mark, args=[table]) for table in tables]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        self.wait_for_more()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def wait_for_more(self, hands: int = 12) -> float:
        """Wait for this many more acknowledged hands; return the seconds until the first of them."""
        so_far, begun = len(self.acknowledged), time.monotonic()
        wait_until(lambda: len(self.acknowledged) > so_far)
        took = time.monotonic() - begun
        wait_until(lambda: len(self.acknowledged) >= so_far + hands)
        return took

    def _mark(self, table: dict[str, Any]) -> None:
        path = f"/api/tables/{table['code']}/hands"
        number = len(json.loads(self._send_request("GET", path.removesuffix("/hands"))[1])["marks"])
        while not self._is_over.is_set():
            number += 1
            hand = {"side": "A", "contract": "6", "tricks": 7}
            key = str(uuid4())
            body = {"match": table["match"], "entry_key": key, "number": number, "hand": hand}
            while self._send_request("POST", path, json.dumps(body))[0] not in {200, 201}:
                time.sleep(RETRY_SECONDS)
            self.acknowledged.append(key)
            time.sleep(PAUSE)

    def _send_request(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_SECONDS)) as connection:
            try:
                connection.request(method, path, body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer_text = answer.read().decode()
            except (OSError, http.client.HTTPException) as error:
                self.met[type(error).__name__] += 1
                return 0, ""
            self.met[answer.status] += 1
            return answer.status, answer_text
