"""Mark hands on phones over a bad network while server processes are killed, and count lost or doubled hands.

A real `up` in its own data folder, and phones that run the page's own modules in Node.js (`phones.mjs`), one a
table; between them `tests/spoiling_proxy.py` spoils one request in four. The phones mark on without a network,
undo and correct hands, and reload their pages. With ``--trouble 0.04`` their browsers close, wipe, fill and block
the database, and evict cached pages. The web process, the worker or `up` itself is killed (kill −9) at random
moments and restarted. In the end the matches are computed from the marks, and compared with the log, the summary
of each match, the standings, and each phone's screen. The seed determines the possible marks, the faults of
requests, and the kills by number of hands, but not the order of requests at the server.

With ``--put-back N`` the data folder is replaced N times by a copy made some hands earlier, while the phones mark
on: the phones restore the missing hands. With ``--new-laptop N`` an empty folder takes its place N times, with
another signing key and only the event's file of some hands earlier.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.hall import Hall, open_hall
from bench.hall.room import EVENT_FILE
from bench.hall.server import Server
from errors import Refusal
from operations.data_dir import PROJECT
from rules import CANADIAN, TRICKS, MatchFormat, MatchState, Side, fold, read_record
from tests import external_tools
from tests.spoiling_proxy import Delay, Fault, FaultKind, SpoilingProxy, Status

SPOILED_SHARE = 0.25
KINDS: tuple[FaultKind, ...] = (
    *Fault,
    *map(Status, (401, 403, 404, 408, 413, 429, 500, 502, 511)),
    *map(Delay, (0.2, 1.0, 9.0)),  # after the last one, the phone has given up and sent the request again
)
TARGETS = ("web", "web", "worker", "up")
CHOICES = 12
"""Number of different hands that are marked at a table."""
BEAT_MS = 1_000
"""Average milliseconds between two taps at a table; people play a hand in two minutes or more."""
PAUSE_MS = 100
"""Milliseconds until a phone sends waiting hands again; pages wait three seconds."""
TIMEOUT_SECONDS = 300.0  # within which a phone must report something, and the worker must finish

EVENT_KINDS = ("marked", "recorded", "refused", "shown")

Event = dict[str, Any]
"""A line of JSON from ``bench/phones.mjs``."""


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``hands`` marked, ``acknowledged``, ``lost``, ``doubled`` and ``refused``, and ``equal``.

    ``equal``: whether match summaries, standings and phones agree with the marks. The other keys are ``seed``,
    ``restarts``, ``put_back``, ``new_laptop``, ``seconds_to_serve`` (the longest restart) and ``seconds``. Exits with
    status 1 if a hand is lost or doubled, or if anything is not equal.
    """
    parser = argparse.ArgumentParser(prog="bench offline")
    parser.add_argument("--hands", type=int, default=600, help="at all tables")
    parser.add_argument("--kills", type=int, help="(default: one in 300 hands, two at least)")
    parser.add_argument("--put-back", type=int, default=0, help="how often the data folder goes back to a copy")
    parser.add_argument(
        "--new-laptop", type=int, default=0, help="how often an empty folder goes on with the event's file"
    )
    parser.add_argument("--trouble", type=float, default=0.0, help="share of taps at which a browser loses its data")
    parser.add_argument("--phones", type=int, default=8, help="each at a table of its own")
    parser.add_argument("--processes", type=int, default=1, help="web processes")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of an earlier run")
    options = parser.parse_args(argv)
    print(f"seed {options.seed}", flush=True)
    hands = -(-options.hands // options.phones)
    dice = Random(options.seed)
    with open_hall(tables=options.phones, hands=hands) as venue:
        started = time.monotonic()
        plan = {f"/t/{table['code']}": _choose_hands(dice, CHOICES) for table in venue.tables}
        kills = _plan_kills(dice, options.kills or max(2, options.hands // 300), hands * options.phones)
        actions = (_copy_folder, _restore_copy) * options.put_back + (
            _export_event_file,
            _import_event_file,
        ) * options.new_laptop
        moments = _plan_actions(dice, actions, hands * options.phones)
        with (
            Server(venue.environment, "--processes", str(options.processes)) as server,
            SpoilingProxy(server.port, _build_spoiler(options.seed)) as proxy,
            _run_phones(plan, proxy.url, options.seed, options.trouble) as phone_events,
        ):
            events, recorded, waits = [], 0, []
            for event in phone_events:
                events.append(event)
                recorded += event["event"] == "recorded"
                if kills and recorded >= kills[0][0]:
                    waits.append(server.kill(kills.pop(0)[1]))
                if moments and recorded >= moments[0][0]:
                    server.restart(partial(moments.pop(0)[1], venue))
            figures = _compare(venue, events, MatchFormat(hands=hands))
    figures = {"seed": options.seed, **figures, "restarts": len(waits)}
    figures |= {
        "put_back": options.put_back,
        "new_laptop": options.new_laptop,
        "seconds_to_serve": round(max(waits, default=0), 1),
        "seconds": round(time.monotonic() - started, 1),
    }
    if figures["lost"] or figures["doubled"] or not figures["equal"]:
        sys.exit(json.dumps(figures))
    return figures


def _choose_hands(dice: Random, count: int) -> list[str]:
    """Choose different hands, in the notation of the table page's keys: ``A-6-7``."""
    hands: dict[str, None] = {}
    while len(hands) < count:
        notation = f"{dice.choice('AB')}-{dice.choice(CANADIAN.playable).key}-{dice.randint(0, TRICKS)}"
        with suppress(Refusal):
            read_record(CANADIAN, _parse_notation(notation))
            hands[notation] = None
    return list(hands)


def _parse_notation(notation: str) -> dict[str, str]:
    side, _, rest = notation.partition("-")
    contract, _, tricks = rest.rpartition("-")
    return {"side": side, "contract": contract, "tricks": tricks}


def _plan_kills(dice: Random, count: int, hands: int) -> list[tuple[int, str]]:
    """Return pairs of a number of recorded hands and the process to kill then."""
    return [(hand_count, dice.choice(TARGETS)) for hand_count in sorted(dice.sample(range(1, hands), count))]


FolderAction = Callable[[Hall], object]


def _plan_actions(dice: Random, actions: Sequence[FolderAction], hands: int) -> list[tuple[int, FolderAction]]:
    """Return pairs of a number of recorded hands and the action on the data folder then, in order."""
    moments = sorted(dice.sample(range(hands // 10, hands * 7 // 10), len(actions)))
    return list(zip(moments, actions, strict=True))


def _copy_folder(venue: Hall) -> None:
    shutil.copytree(venue.folder, _get_copy_path(venue))


def _restore_copy(venue: Hall) -> None:
    shutil.rmtree(venue.folder)
    shutil.move(_get_copy_path(venue), venue.folder)


def _get_copy_path(venue: Hall) -> Path:
    return venue.folder.with_name(f"{venue.folder.name}-copy")


def _export_event_file(venue: Hall) -> None:
    venue.run_role("take_file")


def _import_event_file(venue: Hall) -> None:
    file = (venue.folder / EVENT_FILE).read_bytes()
    shutil.rmtree(venue.folder)
    venue.folder.mkdir()
    (venue.folder / EVENT_FILE).write_bytes(file)
    venue.run_role("bring_in")


def _build_spoiler(seed: int) -> Any:
    """Return a function that chooses the fault of a request, or None."""
    dice = Random(seed)
    return lambda method, path, count: dice.choice(KINDS) if dice.random() < SPOILED_SHARE else None


@contextmanager
def _run_phones(plan: dict[str, list[str]], url: str, seed: int, trouble: float) -> Iterator[Iterator[Event]]:
    """Run the phones, and yield their events until all hands are done."""
    node = external_tools.find_node()
    if node is None:
        sys.exit("The phones run the page's own modules under Node.js: install it (apt install nodejs).")
    phone_plans = [{"path": path, "said": hands} for path, hands in plan.items()]
    request = {"url": url, "seed": seed, "beat": BEAT_MS, "pause": PAUSE_MS}
    request |= {"trouble": trouble, "phones": phone_plans}
    with tempfile.TemporaryDirectory(prefix="charlemagne-phones-") as folder:
        phones = subprocess.Popen(
            [node, _lay_out_modules(Path(folder))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert phones.stdin is not None
        assert phones.stdout is not None
        try:
            with phones.stdin as start:
                start.write(json.dumps(request))
            yield _read_events(phones)
        finally:
            phones.kill()
            phones.wait()


def _read_events(phones: subprocess.Popen[str]) -> Iterator[Event]:
    assert phones.stdout is not None
    while True:
        silence = threading.Timer(TIMEOUT_SECONDS, phones.kill)
        silence.start()
        line = phones.stdout.readline()
        silence.cancel()
        if not line:
            break
        yield json.loads(line)
    if phones.wait() != 0:
        raise RuntimeError("the phones did not come to their end")


def _lay_out_modules(folder: Path) -> Path:
    """Copy the modules to a folder with the ``package.json`` that older versions of Node.js need."""
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    shutil.copytree(PROJECT / "static/js", folder / "static/js")
    (folder / "tests/scripts").mkdir(parents=True)
    shutil.copy(PROJECT / "tests/scripts/indexeddb.js", folder / "tests/scripts")
    (folder / "bench").mkdir()
    return Path(shutil.copy(PROJECT / "bench/phones.mjs", folder / "bench"))


def _compare(venue: Hall, events: list[Event], match_format: MatchFormat) -> dict[str, Any]:
    """Compare the phones with the log, the summaries and the standings, once the worker is done."""
    tables = json.loads(venue.run_role("tables"))
    events_by_kind = {kind: [each for each in events if each["event"] == kind] for kind in EVENT_KINDS}
    keys = {kind: {each["key"] for each in events_by_kind[kind]} for kind in ("marked", "recorded", "refused")}
    expected = {
        str(table["match"]): _fold_table(events_by_kind["marked"], f"/t/{table['code']}", match_format)
        for table in tables
    }
    shown = {each["table"]: each["shown"] for each in events_by_kind["shown"]}
    log = json.loads(venue.run_role("log"))
    is_equal = all(
        _build_summary(expected[match]).items() <= log["summaries"][match].items()
        and shown.get(f"/t/{table['code']}") == _build_summary(expected[match])
        for table in tables
        for match in [str(table["match"])]
    )
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while is_equal and not _are_equal(log, expected):
        is_equal = time.monotonic() < deadline
        log = json.loads(venue.run_role("log"))
    key_counts = Counter(key for _, _, key, _ in log["marks"])
    unanswered = keys["marked"] - keys["recorded"] - keys["refused"]
    conflicts = sum(status in ("echo", "rival") for *_, status in log["marks"])
    return {
        "hands": len(keys["marked"]),
        "acknowledged": len(keys["recorded"]),
        "lost": len(unanswered | (keys["recorded"] - key_counts.keys())),
        "doubled": key_counts.total() - len(key_counts) + len(key_counts.keys() - keys["marked"]) + conflicts,
        "refused": len(keys["refused"]),
        "equal": is_equal,
    }


def _fold_table(events: list[Event], table: str, match_format: MatchFormat) -> MatchState:
    """Compute the match of a table from the last value of each hand."""
    last_hands: dict[int, str | None] = {each["number"]: each["said"] for each in events if each["table"] == table}
    places = [
        (number, read_record(CANADIAN, _parse_notation(notation)))
        for number, notation in sorted(last_hands.items())
        if notation is not None
    ]
    return fold(CANADIAN, match_format, places)


def _build_summary(state: MatchState) -> dict[str, Any]:
    """Return the summary that is stored of a match in this state."""
    return {
        "running": list(state.game.points),
        "games_won": list(state.games_won),
        "points": list(state.points),
        "winner": state.winner and state.winner.name,
        "next": len(state.lines) + 1,
    }


def _are_equal(log: dict[str, Any], expected: dict[str, MatchState]) -> bool:
    """Return whether the standings agree with matches that ended in these states."""
    values = {}
    for match, state in expected.items():
        for side, (entry,) in zip(Side, log["sides"][match], strict=True):
            points, opponent_points = state.points[side], state.points[1 - side]
            values[entry] = [int(state.winner == side), state.games_won[side], points - opponent_points, points]
    found = {
        row["entry"]: [row[name] for name in ("match_wins", "games_won", "difference", "points_for")]
        for row in log["standings"]
    }
    return found == values and list(found.values()) == sorted(values.values(), reverse=True)
