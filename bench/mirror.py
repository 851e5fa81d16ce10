"""Mirror a night between two installations over a bad network, and count lost or doubled changes.

A laptop and its public site each run a real `up`; the network between them spoils a third of the requests. Hands
are marked at the leader, the night is handed over and back, and processes of either are killed (kill −9), half of
them just during a handover.

In the end both must be equal, and each recorded hand must be at both, once. The seed determines the marks, the
handovers, the kills and the spoiled requests.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bench.hall.server import Server
from operations.data_dir import DATA_VARIABLE, PROJECT
from tests.spoiling_proxy import Delay, Fault, FaultKind, SpoilingProxy

TABLES = 4
SPOILED_SHARE = 0.33
KINDS: tuple[FaultKind, ...] = (
    *(Fault.RESET, Fault.DROP_BEFORE, Fault.DROP_ANSWER, Fault.CUT_BODY, Fault.DUPLICATE, Fault.PORTAL),
    *map(Delay, (0.3, 2.0)),
)
TARGETS = ("web", "worker", "long-worker", "outgoing-worker", "up")
TIMEOUT_SECONDS = 300.0  # until the other leads, or both are equal


class Installation:
    """One installation: its server, and a process that marks hands in its data folder."""

    def __init__(self, environment: dict[str, str], tables: int) -> None:
        self._room = subprocess.Popen(
            [sys.executable, "-m", "bench.hall.installation", str(tables)],
            cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._read()
        self.server = Server(environment)

    def call(self, action: str, **arguments: Any) -> Any:
        assert self._room.stdin is not None
        print(json.dumps({"do": action, **arguments}), file=self._room.stdin, flush=True)
        return self._read()

    def _read(self) -> Any:
        assert self._room.stdout is not None
        return json.loads(self._room.stdout.readline())

    def end(self) -> None:
        self._room.kill()
        self._room.wait()


@contextmanager
def run_installation(folder: Path, tables: int) -> Iterator[Installation]:
    folder.mkdir()
    environment = {
        **os.environ,
        DATA_VARIABLE: str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CHARLEMAGNE_LOCAL_TARGETS": "127.0.0.0/8",
        "DATABASE_URL": "",  # each its own SQLite file
    }
    process = Installation(environment, tables)
    try:
        with process.server:
            yield process
    finally:
        process.end()


def main(argv: list[str]) -> dict[str, Any]:
    """Return recorded ``changes``, those ``lost`` or ``doubled``, and whether both are ``equal``.

    The other keys are ``seed``, ``handings`` (handovers), ``kills``, ``requests`` and ``seconds``. Exits with
    status 1 if a change is lost or doubled, or the installations are not equal.
    """
    parser = argparse.ArgumentParser(prog="bench mirror")
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--tables", type=int, default=TABLES, help="at which the changes are made")
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--handings", type=int, help="there and back again (default: one in 100 changes)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of an earlier run")
    options = parser.parse_args(argv)
    print(f"seed {options.seed}", flush=True)
    dice, started = Random(options.seed), time.monotonic()
    handings = 2 * (options.handings or max(1, options.changes // 200))
    moments = sorted(dice.sample(range(1, options.changes), handings))
    kills = _plan_kills(dice, options.kills, moments, options.changes)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="charlemagne-mirror-")))
        laptop = stack.enter_context(run_installation(folder / "laptop", options.tables))
        site = stack.enter_context(run_installation(folder / "site", 0))
        network = stack.enter_context(SpoilingProxy(site.server.port))
        laptop.call("pair", link=f"{network.url}/mirror/pairings#{site.call('link')}")
        network.spoil = _build_spoiler(options.seed)
        leader, other = laptop, site
        for number in range(options.changes):
            if number in moments:
                leader.call("hand_over")
            for target in kills[number]:
                dice.choice((laptop, site)).server.kill(target)
            if number in moments:
                leader, other = other, leader
                _wait(lambda: leader.call("look")["leads"], "the other does not lead")  # noqa: B023
            table = dice.randrange(options.tables)
            if not leader.call("change", name=f"change {number}", table=table, side=dice.choice("AB")):
                raise RuntimeError("nobody leads")
        figures = _compare(laptop, site, options.changes)
    figures = {"seed": options.seed, "changes": options.changes, **figures, "handings": handings}
    figures |= {"kills": options.kills, "requests": len(network.requests)}
    figures |= {"seconds": round(time.monotonic() - started, 1)}
    if figures["lost"] or figures["doubled"] or not figures["equal"]:
        sys.exit(json.dumps(figures))
    return figures


def _plan_kills(dice: Random, count: int, handings: list[int], changes: int) -> dict[int, list[str]]:
    """Return the processes to kill before each change: every other one just after a handover."""
    targets_by_change: dict[int, list[str]] = {number: [] for number in range(changes)}
    for number in range(count):
        before = dice.choice(handings) if number % 2 else dice.randrange(changes)
        targets_by_change[before].append(dice.choice(TARGETS))
    return targets_by_change


def _build_spoiler(seed: int) -> Any:
    """Return a function that chooses the fault of a request, or None."""
    dice = Random(seed)
    return lambda method, path, count: dice.choice(KINDS) if dice.random() < SPOILED_SHARE else None


def _wait(condition: Any, message: str) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(message)
        time.sleep(0.2)


def _compare(laptop: Installation, site: Installation, changes: int) -> dict[str, Any]:
    """Compare both installations, once they are equal or the time is over."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        states = [each.call("look") for each in (laptop, site)]
        is_equal = states[0]["sum"] == states[1]["sum"]
        if is_equal or time.monotonic() > deadline:
            break
        time.sleep(0.5)
    expected = {f"change {number}" for number in range(changes)}
    names = [Counter(each["names"]) for each in states]
    return {
        "lost": len({name for name in expected if not all(counts[name] for counts in names)}),
        "doubled": sum(counts.total() - len(counts) for counts in names),
        "equal": is_equal,
    }
