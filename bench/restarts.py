"""Open a page while the web process is killed again and again, and count the answers."""

from __future__ import annotations

import argparse
import http.client
import threading
import time
from collections import Counter

from bench.hall import open_hall
from bench.hall.server import Server

READERS = 4


def main(argv: list[str]) -> dict[str, float]:
    """Return ``answered``, ``refused`` and ``broken`` requests, and ``longest_wait_s`` for an answer.

    Each request has its own connection; ``refused`` means that no process listened.
    """
    parser = argparse.ArgumentParser(prog="bench restarts")
    parser.add_argument("--looks", type=int, default=700)
    parser.add_argument("--kills", type=int, default=3, help="of the web process, spread over the looks")
    parser.add_argument("--processes", type=int, default=1, help="web processes")
    options = parser.parse_args(argv)
    looks: list[tuple[str, float]] = []

    def look(port: int) -> None:
        while len(looks) < options.looks:
            started = time.monotonic()
            looks.append((_get_outcome(port), time.monotonic() - started))

    with open_hall(tables=1) as venue, Server(venue.environment, "--processes", str(options.processes)) as server:
        readers = [threading.Thread(target=look, args=(server.port,)) for _ in range(READERS)]
        for reader in readers:
            reader.start()
        for kill in range(1, options.kills + 1):
            while len(looks) < kill * options.looks / (options.kills + 1):
                time.sleep(0.01)
            server.kill("web")
        for reader in readers:
            reader.join()
    outcomes = Counter(outcome for outcome, _ in looks)
    waits = [seconds for outcome, seconds in looks if outcome == "answered"]
    return {
        **{outcome: outcomes[outcome] for outcome in ("answered", "refused", "broken")},
        "longest_wait_s": round(max(waits), 1),
    }


def _get_outcome(port: int) -> str:
    """Request the front page: "answered", "refused" or "broken"."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
    except ConnectionRefusedError:
        time.sleep(0.02)
        return "refused"
    except (OSError, http.client.HTTPException):
        return "broken"
    finally:
        connection.close()
    return "answered" if answer.status == 200 else "broken"
