"""Mark a night over HTTP while its server is under attack: times, memory and wrongly refused players.

Phones mark a hand a second each on a real ``up``; other phones scan QR codes and type table codes for the
first time. Meanwhile another process attacks: requests that never end, guessed table codes, bodies of 200 MB,
and workbooks that unpack to far more, sent with and without a session. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

from bench.hall import Hall, open_hall
from bench.hall.server import Server

HALF_OPEN = 300
LARGE = 200 * 1024 * 1024
PIECE = b"x" * 65_536
TOKEN = "x" * 32
"""The same CSRF token in a form and in its cookie."""
TIMEOUT_SECONDS = 60.0
"""Seconds after which a mark counts as an error."""
MB = 1024 * 1024


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``served_p50_ms``, ``served_p99_ms`` and ``slowest_ms`` of a mark, and these figures:

    - ``memory_at_start_mb``, ``memory_peak_mb``: memory of all server processes, in MiB
    - ``right_codes``, ``right_codes_refused``: correct cards and codes that were sent, and refused
    - ``hands``, ``errors``, ``first_errors``: recorded hands, errors of the players, and up to five messages
    - ``attackers_met``: answers to the attackers, counted by ``KIND_STATUS``
    """
    parser = argparse.ArgumentParser(prog="bench abuse")
    parser.add_argument("--tables", type=int, default=25, help="tables, each with one phone")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--guesses", type=int, default=50, help="wrong codes a second")
    parser.add_argument("--peace", action="store_true", help="without any attack, to compare")
    options = parser.parse_args(argv)
    with open_hall(tables=options.tables) as venue:
        desk = json.loads(venue.run_role("desk"))
        with Server(venue.environment) as server:
            night = Night(port=server.port, deadline=time.monotonic() + options.seconds)
            attack = Attack(port=server.port, seconds=options.seconds, guesses=options.guesses, **desk)
            results = multiprocessing.get_context("spawn").Queue()
            attacker = multiprocessing.get_context("spawn").Process(target=attack.run, args=(results,))
            if not options.peace:
                attacker.start()
            night.run(venue, server)
            answers: dict[str, int] = {} if options.peace else results.get(timeout=120)
            if not options.peace:
                attacker.join()
    return {
        "served_p50_ms": round(1000 * statistics.median(night.times), 1),
        "served_p99_ms": round(1000 * statistics.quantiles(night.times, n=100)[98], 1),
        "slowest_ms": round(1000 * max(night.times), 1),
        "memory_at_start_mb": night.memory[0] // MB,
        "memory_peak_mb": max(night.memory) // MB,
        "right_codes": night.newcomers,
        "right_codes_refused": len(night.refusals),
        "hands": len(night.times),
        "errors": len(night.errors),
        "first_errors": (night.errors + night.refusals)[:5],
        "attackers_met": dict(sorted(answers.items())),
    }


@dataclass(kw_only=True)
class Night:
    """Phones that mark hands, and phones that open a table for the first time."""

    port: int
    deadline: float
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    newcomers: int = 0
    refusals: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    def run(self, venue: Hall, server: Server) -> None:
        """Run all phones until the deadline, and sample the server's memory."""
        work: list[tuple[Callable[..., None], tuple[Any, ...]]] = [(self._weigh, (server,))]
        work += [(self._mark, (table,)) for table in venue.tables]
        work += [(self._scan_and_type_codes, (venue.tables,))]
        threads = [threading.Thread(target=target, args=args) for target, args in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _mark(self, table: dict[str, Any]) -> None:
        """Mark a hand a second at a table whose QR code was scanned."""
        address = f"/api/tables/{table['code']}/hands?card={table['secret']}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        time.sleep(Random(table["number"]).random())
        number = 1
        while (started := time.monotonic()) < self.deadline:
            hand = {"side": "A", "contract": "6", "tricks": 7}
            body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
            try:
                connection.request("POST", address, json.dumps(body), {"Content-Type": "application/json"})
                answer = connection.getresponse()
                body_text = answer.read()
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(repr(error))
                connection.close()
                continue
            if answer.status == 201:
                self.times.append(time.monotonic() - started)
                number += 1
            else:
                self.errors.append(f"{answer.status} {body_text[:80]!r}")
            time.sleep(max(0.0, 1.0 - (time.monotonic() - started)))

    def _scan_and_type_codes(self, tables: list[dict[str, Any]]) -> None:
        """Open a random table each second as a new phone, by its QR code and by typed letters.

        The requests come from the network address of the attacker who guesses codes.
        """
        dice = Random(1)
        while time.monotonic() < self.deadline:
            table = dice.choice(tables)
            for way in (f"card={table['secret']}", f"letters={table['letters']}"):
                self.newcomers += 1
                try:
                    status, _ = send_request(self.port, "GET", f"/t/{table['code']}?{way}")
                except (OSError, http.client.HTTPException) as error:
                    self.errors.append(repr(error))
                    continue
                if status >= 400:
                    self.refusals.append(f"{status} {way[:7]}")
            time.sleep(1)

    def _weigh(self, server: Server) -> None:
        while time.monotonic() < self.deadline:
            self.memory.append(server.get_total_memory())
            time.sleep(0.1)


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Attackers with a ``session`` and without one, for ``seconds``."""

    port: int
    seconds: int
    guesses: int
    path: str
    session: str

    def run(self, results: Any) -> None:
        """Put the number of answers by kind of request and status into ``results``."""
        os.nice(5)  # leave the processor to the server
        answers: Counter[str] = Counter()
        deadline = time.monotonic() + self.seconds
        session_headers = {"Cookie": f"sessionid={self.session}; csrftoken={TOKEN}"}
        kinds: list[tuple[str, Callable[[], Iterator[int | str]]]] = [
            ("half_open", self._open_half_requests),
            ("guess", self._guess),
            ("large_of_nobody", lambda: self._send_large_bodies("/sign-in", {})),
            ("large_signed_in", lambda: self._send_large_bodies(self.path, session_headers)),
            ("bomb_of_nobody", lambda: self._send_bombs({"Cookie": f"csrftoken={TOKEN}"})),
            *[("bomb_signed_in", lambda: self._send_bombs(session_headers))] * 3,
        ]

        def count_answers(kind: str, steps: Iterator[int | str]) -> None:
            for outcome in steps:
                answers[f"{kind}_{outcome}"] += 1
                if time.monotonic() >= deadline:
                    return

        threads = [threading.Thread(target=count_answers, args=(kind, steps()), daemon=True) for kind, steps in kinds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()) + 5)
        results.put(dict(answers))

    def _open_half_requests(self) -> Iterator[str]:
        """Keep ``HALF_OPEN`` unfinished requests open: replace each connection that the server closes."""
        sockets: list[socket.socket] = []
        while True:
            for one in [*sockets]:
                try:
                    one.send(b"X-More: 1\r\n", socket.MSG_DONTWAIT)
                except OSError:
                    one.close()
                    sockets.remove(one)
                    yield "closed"
            while len(sockets) < HALF_OPEN:
                with contextlib.suppress(OSError):
                    one = socket.create_connection(("127.0.0.1", self.port), timeout=10)
                    one.sendall(b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\n")
                    sockets.append(one)
                    yield "opened"
            time.sleep(1)

    def _guess(self) -> Iterator[int | str]:
        dice = Random(2)
        while True:
            forged = {"X-Forwarded-For": f"198.51.100.{dice.randrange(256)}"}
            yield self._get_status("GET", f"/t/{dice.randrange(1_000_000):06}", None, forged)
            time.sleep(1 / self.guesses)

    def _send_large_bodies(self, path: str, headers: dict[str, str]) -> Iterator[int | str]:
        while True:
            yield self._get_status("POST", path, iter_pieces(), headers | {"Content-Length": str(LARGE)})

    def _send_bombs(self, headers: dict[str, str]) -> Iterator[int | str]:
        from tests.support.bombs import WORKBOOKS

        forms = [build_upload_form(bomb()) for bomb in WORKBOOKS]
        kind = {"Content-Type": "multipart/form-data; boundary=limit"}
        while True:
            for form in forms:
                yield self._get_status("POST", self.path, form, headers | kind)

    def _get_status(self, method: str, path: str, body: Any, headers: dict[str, str]) -> int | str:
        try:
            return send_request(self.port, method, path, body, headers)[0]
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
            return "cut_off"


def iter_pieces() -> Iterator[bytes]:
    for _ in range(LARGE // len(PIECE)):
        yield PIECE


def build_upload_form(content: bytes) -> bytes:
    """Build the body of an import form with this file."""
    token = f'--limit\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{TOKEN}\r\n'
    file = '--limit\r\nContent-Disposition: form-data; name="file"; filename="list.xlsx"\r\n\r\n'
    return token.encode() + file.encode() + content + b"\r\n--limit--\r\n"


def send_request(
    port: int, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    """Send a request on its own connection, and return the status and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    with contextlib.closing(connection):
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
