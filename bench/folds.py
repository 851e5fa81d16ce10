"""Compare the server's and the phone's computation of random matches.

Tables play by any ruleset, house rules and format. Two phones mark at each: they correct, undo, disagree, go
offline, mark twice or too late, and sometimes post nonsense. Compared after each mark are the parsed form, the
status of the mark, whether the hand is read aloud, the pending marks, and every value of the match state; of
a refused mark, the reason; and at the end, the state after each hand.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from operations.data_dir import PROJECT
from tests import external_tools

if TYPE_CHECKING:
    from bench.two_folds.tables import PhoneMatch

MATCHES_PER_BATCH = 200
"""Number of matches in one line of JSON."""
PHONE = "bench/two_folds/phone.mjs"


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``matches``, ``marks``, ``differences``, ``seconds``, and ``first``, the shortest difference.

    Exits with status 1 if there is a difference.
    """
    parser = argparse.ArgumentParser(prog="bench folds")
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    node = external_tools.find_node()
    if node is None:
        sys.exit("The phone's fold runs under Node.js: install it (apt install nodejs).")
    figures = compare_folds(node, **vars(options))
    if figures["differences"]:
        sys.exit(json.dumps(figures))
    return figures


def compare_folds(node: str, *, matches: int, seed: int) -> dict[str, Any]:
    """Return the figures of ``matches`` matches; ``first`` is the shortest difference found, or None."""
    started = time.perf_counter()
    marks, differences = 0, []
    for numbers, tables, answers in _iter_batches(node, matches, seed):
        marks += sum(len(table.expected["said"]) for table in tables)
        for number, table, phone in zip(numbers, tables, answers, strict=True):
            if phone != table.expected:
                differences.append({"match": number} | find_difference(table, phone))
    return {
        "matches": matches,
        "marks": marks,
        "differences": len(differences),
        "seconds": round(time.perf_counter() - started, 1),
        "first": min(differences, key=lambda each: len(str(each)), default=None),
    }


def find_difference(table: PhoneMatch, phone: dict[str, Any]) -> dict[str, Any]:
    """Return the first value of a match that differs on the phone, with the forms posted until then."""
    for mark, (server_value, phone_value) in enumerate(zip(table.expected["said"], phone["said"], strict=True)):
        if server_value != phone_value:
            forms = [post["form"] for post in table.match["posts"][: mark + 1]]
            names = [name for name in server_value | phone_value if server_value.get(name) != phone_value.get(name)]
            values = {name: [server_value.get(name), phone_value.get(name)] for name in names}
            return {"mark": mark + 1, "server, phone": values, "forms": forms}
    names = [name for name in ("statuses", "steps") if table.expected[name] != phone[name]]
    return {"server, phone": {name: [table.expected[name], phone[name]] for name in names}}


def _iter_batches(node: str, matches: int, seed: int) -> Iterator[tuple[range, list[PhoneMatch], list[dict[str, Any]]]]:
    """Yield tables in batches with the phone's answers. While it computes, the next batch is played."""
    from bench.two_folds.tables import play_table

    with run_phone(node) as (ask, answer):
        previous_batch: tuple[range, list[PhoneMatch]] | None = None
        for start in range(0, matches, MATCHES_PER_BATCH):
            numbers = range(start, min(start + MATCHES_PER_BATCH, matches))
            tables = [play_table(seed, number) for number in numbers]
            if previous_batch is not None:
                yield *previous_batch, json.loads(answer.readline())
            print(json.dumps([table.match for table in tables]), file=ask, flush=True)
            previous_batch = numbers, tables
        if previous_batch is not None:
            yield *previous_batch, json.loads(answer.readline())


@contextmanager
def run_phone(node: str) -> Iterator[tuple[IO[str], IO[str]]]:
    """Run a phone in Node.js, which answers each line with a line, and yield its input and output.

    Older versions of Node.js need a ``package.json`` that declares modules, hence the folder.
    """
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as name:
        folder = Path(name)
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        shutil.copytree(PROJECT / "static/js/table", folder / "static/js/table")
        (folder / PHONE).parent.mkdir(parents=True)
        shutil.copy(PROJECT / PHONE, folder / PHONE)
        phone = subprocess.Popen(
            [node, folder / PHONE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert phone.stdin is not None
        assert phone.stdout is not None
        try:
            yield phone.stdin, phone.stdout
        finally:
            phone.stdin.close()
            phone.wait()
            phone.stdout.close()
