"""Hands marked by phones through a network that spoils one request in four, while processes are killed.

A real `up` in a data folder of its own, and phones on the page's own modules, under node (`phones.mjs`);
between them `tests/spoiling_proxy.py`. At random moments the web process, the worker or `up` itself is
killed (kill −9) and started again. In the end what the phones marked, and were told, is held against the
log, the summary of every match, and the standings. The seed says which hands are marked, what goes wrong
with which request, and after how many hands what is killed; who comes first at the server, it does not say.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bench.hall import Hall, hall
from bench.hall.server import Server
from operations.data_dir import PROJECT
from rules import CANADIAN, TRICKS, MatchFormat, MatchState, Refusal, Side, fold, read_record
from tests import parts
from tests.spoiling_proxy import Delay, Fault, Spoiled, SpoilingProxy, Status

SPOILED = 0.25
KINDS: tuple[Spoiled, ...] = (
    *Fault,
    *map(Status, (401, 403, 404, 408, 413, 429, 500, 502, 511)),
    *map(Delay, (0.2, 1.0, 9.0)),  # the last one arrives when the phone has given up, and sent it again
)
TARGETS = ("web", "web", "worker", "up")
TABLES_OF_A_PHONE = 2
PAUSE_MS = 100
"""Until a phone sends again what waits; pages wait three seconds."""
PATIENCE = 300.0  # seconds in which some phone has to say something, and the worker has to be done

Event = dict[str, Any]
"""A line of ``bench/phones.mjs``."""


def main(argv: list[str]) -> dict[str, Any]:
    """How many hands were lost though a phone was told that they are recorded, left a phone without a word,
    or stand twice in the log; whether all that follows from the log equals what the phones marked; and the
    longest time from a kill until the next answer."""
    parser = argparse.ArgumentParser(prog="bench chaos")
    parser.add_argument("--hands", type=int, default=600, help="at all tables")
    parser.add_argument("--kills", type=int, help="(default: one in 150 hands, two at least)")
    parser.add_argument("--phones", type=int, default=8, help=f"each at {TABLES_OF_A_PHONE} tables")
    parser.add_argument("--processes", type=int, default=1, help="web processes")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of an earlier run")
    options = parser.parse_args(argv)
    print(f"seed {options.seed}", flush=True)
    tables = options.phones * TABLES_OF_A_PHONE
    hands = -(-options.hands // tables)
    dice = Random(options.seed)
    with hall(tables=tables, hands=hands) as here:
        plan = {f"/t/{table['code']}": _hands(dice, hands) for table in here.tables}
        kills = _kills(dice, options.kills or max(2, options.hands // 150), hands * tables)
        with (
            Server(here.environment, "--processes", str(options.processes)) as server,
            SpoilingProxy(server.port, _weather(options.seed)) as proxy,
            _phones(plan, proxy.url, options.seed) as heard,
        ):
            events, recorded, waits = [], 0, []
            for event in heard:
                events.append(event)
                recorded += event["event"] == "recorded"
                if kills and recorded >= kills[0][0]:
                    waits.append(server.kill(kills.pop(0)[1]))
            figures = _compared(here, plan, events, hands)
    return {
        "seed": options.seed,
        "hands": hands * tables,
        **figures,
        "kills": len(waits),
        "seconds_to_serve": round(max(waits), 1),
    }


def _hands(dice: Random, count: int) -> list[str]:
    """As the keys of the table screen say them: ``A-6-7``."""
    hands: list[str] = []
    while len(hands) < count:
        side, contract = dice.choice("AB"), dice.choice(CANADIAN.played).key
        said = f"{side}-{contract}-{dice.randint(0, TRICKS)}"
        try:
            read_record(CANADIAN, _plain(said))
        except Refusal:
            continue
        hands.append(said)
    return hands


def _plain(said: str) -> dict[str, str]:
    side, _, rest = said.partition("-")
    contract, _, tricks = rest.rpartition("-")
    return {"side": side, "contract": contract, "tricks": tricks}


def _kills(dice: Random, count: int, hands: int) -> list[tuple[int, str]]:
    """After how many recorded hands what is killed."""
    return [(after, dice.choice(TARGETS)) for after in sorted(dice.sample(range(1, hands), count))]


def _weather(seed: int) -> Any:
    """What goes wrong with a request."""
    dice = Random(seed)
    return lambda method, path, count: dice.choice(KINDS) if dice.random() < SPOILED else None


@contextmanager
def _phones(plan: dict[str, list[str]], url: str, seed: int) -> Iterator[Iterator[Event]]:
    """What the phones say, until all their hands are done with."""
    node = parts.node()
    if node is None:
        sys.exit("The phones run the page's own modules under Node.js: install it (apt install nodejs).")
    tables = [{"path": path, "hands": hands} for path, hands in plan.items()]
    theirs = [tables[first : first + TABLES_OF_A_PHONE] for first in range(0, len(tables), TABLES_OF_A_PHONE)]
    asked = {"url": url, "seed": seed, "pause": PAUSE_MS, "phones": theirs}
    with tempfile.TemporaryDirectory(prefix="charlemagne-phones-") as folder:
        phones = subprocess.Popen(
            [node, _laid_out(Path(folder))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert phones.stdin is not None
        assert phones.stdout is not None
        try:
            with phones.stdin as start:
                start.write(json.dumps(asked))
            yield _lines(phones)
        finally:
            phones.kill()
            phones.wait()


def _lines(phones: subprocess.Popen[str]) -> Iterator[Event]:
    assert phones.stdout is not None
    while True:
        silence = threading.Timer(PATIENCE, phones.kill)
        silence.start()
        line = phones.stdout.readline()
        silence.cancel()
        if not line:
            break
        yield json.loads(line)
    if phones.wait() != 0:
        raise RuntimeError("the phones did not come to their end")


def _laid_out(folder: Path) -> Path:
    """The modules in a folder that says what they are, as older versions of node want it."""
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for name in ("bench/phones.mjs", "static/js/answers.js", "static/js/outbox.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, folder / name)
    return folder / "bench" / "phones.mjs"


def _compared(here: Hall, plan: dict[str, list[str]], events: list[Event], hands: int) -> dict[str, Any]:
    """The phones against the log and all that follows from it, once the worker is done."""
    said = Counter(event["event"] for event in events)
    marked = {(each["table"], each["place"]) for each in events if each["event"] == "marked"}
    expected = {}
    for table in here.tables:
        path = f"/t/{table['code']}"
        theirs = [hand for place, hand in enumerate(plan[path]) if (path, place) in marked]
        expected[str(table["match"])] = _folded(theirs, MatchFormat(hands=hands))
    log = json.loads(here.in_room("log"))
    is_equal = all(
        _summary(state).items() <= log["summaries"][match].items() for match, state in expected.items()
    )
    until = time.monotonic() + PATIENCE
    while is_equal and not _are_equal(log, expected):
        is_equal = time.monotonic() < until
        log = json.loads(here.in_room("log"))
    keys = {key for _, _, key in log["marks"]}
    return {
        "acknowledged": said["recorded"],
        "lost": sum(each["event"] == "recorded" and each["key"] not in keys for each in events),
        "dropped_by_phone": said["dropped"],
        "refused": said["refused"],
        "doubled": len(log["marks"]) - len({(match, number) for match, number, _ in log["marks"]}),
        "equal": is_equal,
    }


def _folded(hands: list[str], match_format: MatchFormat) -> MatchState:
    places = [(number, read_record(CANADIAN, _plain(said))) for number, said in enumerate(hands, start=1)]
    return fold(CANADIAN, match_format, places)


def _summary(state: MatchState) -> dict[str, Any]:
    """What is kept of a match in this state."""
    return {
        "running": list(state.game.points),
        "games_won": list(state.games_won),
        "points": list(state.points),
        "winner": state.winner and state.winner.name,
        "next": len(state.lines) + 1,
    }


def _are_equal(log: dict[str, Any], expected: dict[str, MatchState]) -> bool:
    """Whether the standings are those of matches that ended so."""
    values = {}
    for match, state in expected.items():
        for side, (entry,) in zip(Side, log["sides"][match], strict=True):
            points, against = state.points[side], state.points[1 - side]
            values[entry] = [int(state.winner == side), state.games_won[side], points - against, points]
    found = {
        row["entry"]: [row[name] for name in ("match_wins", "games_won", "difference", "points_for")]
        for row in log["standings"]
    }
    return found == values and list(found.values()) == sorted(values.values(), reverse=True)
