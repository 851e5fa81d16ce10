"""Random matches folded twice, by the server's rules and by a phone's: is there a difference?

Tables play by any system and house rules, in any format; two phones mark at each, correct, undo and differ,
with a network and without, mark twice or too late, and post nonsense now and then. Compared are the record of
each form, what becomes of each mark, whether it is read aloud, what waits then, and every value of the fold,
and in the end that after each place; of what is refused, why.
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
"""So many matches are told in one line."""
PHONE = "bench/two_folds/phone.mjs"


def main(argv: list[str]) -> dict[str, Any]:
    """Matches, marks, differences and seconds. Status 1 on a difference, of which the first is told."""
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
    """The figures of so many matches; ``first`` is the first mark of which the two say different things."""
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
    """The first value of a match of which the phone says something else, with the forms until then."""
    for mark, (server_value, phone_value) in enumerate(zip(table.expected["said"], phone["said"], strict=True)):
        if server_value != phone_value:
            forms = [post["form"] for post in table.match["posts"][: mark + 1]]
            names = [name for name in server_value | phone_value if server_value.get(name) != phone_value.get(name)]
            values = {name: [server_value.get(name), phone_value.get(name)] for name in names}
            return {"mark": mark + 1, "server, phone": values, "forms": forms}
    names = [name for name in ("statuses", "steps") if table.expected[name] != phone[name]]
    return {"server, phone": {name: [table.expected[name], phone[name]] for name in names}}


def _iter_batches(node: str, matches: int, seed: int) -> Iterator[tuple[range, list[PhoneMatch], list[dict[str, Any]]]]:
    """Tables, some at once, with what the phone says of them. While it folds, the next ones play."""
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
    """A phone that answers each line with a line. Its modules are in a folder that says what they are, as
    older versions of node want it."""
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
