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
from tests import parts

if TYPE_CHECKING:
    from bench.two_folds.tables import Told

AT_ONCE = 200
"""So many matches are told in one line."""
PHONE = "bench/two_folds/phone.mjs"


def main(argv: list[str]) -> dict[str, Any]:
    """Matches, marks, differences and seconds. Status 1 on a difference, of which the first is told."""
    parser = argparse.ArgumentParser(prog="bench folds")
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    node = parts.node()
    if node is None:
        sys.exit("The phone's fold runs under Node.js: install it (apt install nodejs).")
    figures = compared(node, **vars(options))
    if figures["differences"]:
        sys.exit(json.dumps(figures))
    return figures


def compared(node: str, *, matches: int, seed: int) -> dict[str, Any]:
    """The figures of so many matches; ``first`` is the first mark of which the two say different things."""
    begun = time.perf_counter()
    marks, different = 0, []
    for numbers, tables, said in _told(node, matches, seed):
        marks += sum(len(table.expected["said"]) for table in tables)
        for number, table, phone in zip(numbers, tables, said, strict=True):
            if phone != table.expected:
                different.append({"match": number} | difference(table, phone))
    return {
        "matches": matches,
        "marks": marks,
        "differences": len(different),
        "seconds": round(time.perf_counter() - begun, 1),
        "first": min(different, key=lambda each: len(str(each)), default=None),
    }


def difference(table: Told, phone: dict[str, Any]) -> dict[str, Any]:
    """The first value of a match of which the phone says something else, with the forms until then."""
    for mark, (here, there) in enumerate(zip(table.expected["said"], phone["said"], strict=True)):
        if here != there:
            forms = [post["form"] for post in table.match["posts"][: mark + 1]]
            names = [name for name in here | there if here.get(name) != there.get(name)]
            told = {name: [here.get(name), there.get(name)] for name in names}
            return {"mark": mark + 1, "server, phone": told, "forms": forms}
    names = [name for name in ("statuses", "steps") if table.expected[name] != phone[name]]
    return {"server, phone": {name: [table.expected[name], phone[name]] for name in names}}


def _told(node: str, matches: int, seed: int) -> Iterator[tuple[range, list[Told], list[dict[str, Any]]]]:
    """Tables, some at once, with what the phone says of them. While it folds, the next ones play."""
    from bench.two_folds.tables import a_table

    with a_phone(node) as (ask, answer):
        waiting: tuple[range, list[Told]] | None = None
        for start in range(0, matches, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, matches))
            tables = [a_table(seed, number) for number in numbers]
            if waiting is not None:
                yield *waiting, json.loads(answer.readline())
            print(json.dumps([table.match for table in tables]), file=ask, flush=True)
            waiting = numbers, tables
        if waiting is not None:
            yield *waiting, json.loads(answer.readline())


@contextmanager
def a_phone(node: str) -> Iterator[tuple[IO[str], IO[str]]]:
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
