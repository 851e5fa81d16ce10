"""Hostile bytes to every reader of what people bring: a reader takes them, or refuses them with a sentence.

Inputs are good ones, spoiled: bytes and lines lost, doubled, swapped, changed, cut, mixed with those of
another input. A seed says each of them again. Anything but a value or a ``Refusal`` is a crash.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import django

from errors import Refusal
from operations.data_dir import PROJECT

Reader = Callable[[bytes], object]
VECTORS = PROJECT / "tests" / "vectors"
NASTY = (
    *(b"\x00", b"\xff", b"9" * 400, b"-", b"\t", b'"', b"=", b"{", b"]", b"\r", b"\n\n", b":", b";"),
    *("\u202e".encode(), "\ud7ff".encode(), "½".encode(), "١".encode()),
    *(b"e308", b"null", b"true", b"BEGIN:VCARD"),
)
MOST_TOLD = 20


def main(argv: list[str]) -> dict[str, Any]:
    """How many inputs each reader took and refused, and the crashes, each by the seed that says it again."""
    parser = argparse.ArgumentParser(prog="bench fuzz")
    parser.add_argument("--inputs", type=int, default=100_000, help="in all, over every reader")
    parser.add_argument("--seed", type=int, default=1, help="of the first input")
    parser.add_argument("--only", default="", help="the name of one reader")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(argv)
    begun = time.perf_counter()
    runs = [
        Run(
            seeds=range(options.seed + place, options.seed + options.inputs, options.processes),
            only=options.only,
        )
        for place in range(options.processes)
    ]
    with get_context("spawn").Pool(options.processes) as pool:
        found = pool.map(Run.tried, runs)
    counts: Counter[str] = sum((each.counts for each in found), Counter())
    crashes = [crash for each in found for crash in each.crashes]
    slowest = max(each.slowest for each in found)
    seconds = time.perf_counter() - begun
    return {
        "inputs": options.inputs,
        "seconds": round(seconds, 1),
        "inputs_per_second": round(options.inputs / seconds, 1),
        "slowest_ms": round(1000 * slowest[0], 1),
        "slowest": slowest[1],
        **dict(sorted(counts.items())),
        "crashes": len(crashes),
        "first_crashes": crashes[:MOST_TOLD],
    }


@dataclass(kw_only=True)
class Run:
    """The inputs of these seeds, one after the other, in a process."""

    seeds: range
    only: str
    counts: Counter[str] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    def tried(self) -> Run:
        django.setup()
        readers = {name: each for name, each in _readers().items() if self.only in ("", name)}
        for seed in self.seeds:
            name = list(readers)[seed % len(readers)]
            self._try(name, seed, *readers[name])
        return self

    def _try(self, name: str, seed: int, read: Reader, good: Sequence[bytes]) -> None:
        content, since = spoiled(good, Random(seed)), time.perf_counter()
        try:
            read(content)
            self.counts[f"{name}_taken"] += 1
        except Refusal:
            self.counts[f"{name}_refused"] += 1
        except Exception as error:  # noqa: BLE001 (that there is none is what is tried)
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.crashes.append(f"{name} {seed}: {type(error).__name__} {place.name}:{place.lineno}")
        self.slowest = max(self.slowest, (time.perf_counter() - since, f"{name} {seed}"))


def spoiled(good: Sequence[bytes], dice: Random) -> bytes:
    """One of the good inputs after up to eight accidents."""
    content = bytearray(dice.choice(good))
    for _ in range(dice.randrange(9)):
        at = dice.randrange(len(content) + 1)
        to = min(len(content), at + dice.randrange(1, 40))
        match dice.randrange(7):
            case 0:
                del content[at:to]
            case 1:
                content[at:at] = content[at:to] * dice.choice((1, 2, 50))
            case 2:
                content[at:to] = dice.randbytes(to - at)
            case 3:
                content[at:at] = dice.choice(NASTY)
            case 4:
                del content[at:]
            case 5:
                other = dice.choice(good)
                content[at:to] = other[at : at + dice.randrange(200)]
            case _:
                lines = content.split(b"\n")
                dice.shuffle(lines)
                content = bytearray(b"\n".join(lines))
    return bytes(content)


def _readers() -> dict[str, tuple[Reader, list[bytes]]]:
    """By name, what reads, and good inputs of it."""
    from clubs.people_import import read_people
    from engine.draws import trf
    from operations.backup import open_backup
    from rules import CANADIAN, read_match_text
    from scoring.bundles import Kind, bundle_key, bundles_in, frames_of
    from tests.support.workbooks import an_open_sheet, an_open_workbook
    from tournaments.entries.entry_import import read_entry_list, read_entry_sheet
    from tournaments.event_files.reading import read_event_file
    from tournaments.imports.hand_sheets import read_hand_sheet
    from tournaments.imports.recorded_nights import files_in_zip, read_night, recorded_nights
    from web.sheets.workbooks import grids_of_workbook

    def bundle(text: str) -> None:
        for each in bundles_in(text):
            each.value(bundle_key(each.code))

    def backup(content: bytes) -> None:
        open_backup(io.BytesIO(content)).check()  # type: ignore[arg-type] # a path or a file, to who unpacks it

    def workbook(content: bytes) -> object:
        return grids_of_workbook(content, file="list.xlsx")

    night = {name: _first_lines(content) for name, content in next(iter(recorded_nights().values())).items()}

    def night_with(name: str) -> tuple[Reader, list[bytes]]:
        return lambda content: read_night(night | {name: content}), [night[name]]

    frames = frames_of(
        Kind.HANDS, "123456", {"entries": [{"path": "/agree", "values": {}}] * 9}, bundle_key("123456")
    )
    reports = [file.read_bytes() for file in sorted((VECTORS / "draws").glob("*.trf"))]
    matches = [_first_match(file) for file in sorted((VECTORS / "hands").iterdir()) if file.is_file()]
    return {
        "report": (_of_text(trf.read_report), reports),
        "match": (_of_text(read_match_text), matches),
        "people": (_of_text(read_people), [_PEOPLE, _CARDS]),
        "event": (read_event_file, [_event()]),
        "bundle": (_of_text(bundle), [" ".join(frames).encode()]),
        "workbook": (workbook, [_workbook()]),
        "open_workbook": (workbook, [an_open_workbook(an_open_sheet(["Nom", "Tél"], ["Lise Roy", 418]))]),
        "entries": (_of_text(lambda text: read_entry_list(text, size=2)), [_ENTRIES]),
        "entry_sheet": (_of_text(lambda text: read_entry_sheet(text, file="", size=2)), [_ENTRY_SHEET]),
        "hand_sheet": (
            _of_text(lambda text: read_hand_sheet(text, file="", ruleset=CANADIAN)),
            [night["hands.csv"]],
        ),
        "night_settings": night_with("night.json"),
        "night_tables": night_with("tables.csv"),
        "night_hands": night_with("hands.csv"),
        "night_zip": (lambda content: read_night(files_in_zip(content)), [_zip(night)]),
        "backup": (backup, [_zip({"backup.json": _MANIFEST, "clubs.Club.jsonl": b""})]),
    }


def _first_match(file: Path) -> bytes:
    """The first match of a file that has many, and five of its hands."""
    match = file.read_text(encoding="utf-8").split("# games won")[1].partition("\n")[2]
    return "\n\n".join(match.split("\n\n")[:6]).encode()


def _of_text(read: Callable[[str], object]) -> Reader:
    return lambda content: read(content.decode(errors="replace"))


_PEOPLE = "Nom;Téléphone;Courriel\nÉdith Roy;418 555-0101;e@example.org\nRoy, Jean-Guy;;\n".encode()
_CARDS = b"BEGIN:VCARD\nVERSION:3.0\nFN;ENCODING=QUOTED-PRINTABLE:=C3=89dith Roy\nTEL:418\nEND:VCARD\n" * 3


_ENTRIES = "Édith Roy / Jean-Guy Roy\nLise Roy & Paul Roy; Les As\nRita Cyr et Luc Cyr\n".encode()
_ENTRY_SHEET = "Équipe;Joueur 1;Joueur 2;Section\nA;Édith Roy;Jean-Guy Roy;\nB;Lise Roy;Luc Cyr;\n".encode()
_MANIFEST = json.dumps(
    {
        "charlemagne_backup": 1,
        "club": None,
        "tables": {"clubs.Club": {"rows": 0, "sha256": hashlib.sha256().hexdigest()}},
    }
).encode()


def _first_lines(content: bytes) -> bytes:
    """So many that it is read in a millisecond."""
    return b"\n".join(content.split(b"\n")[:20])


def _zip(files: Mapping[str, bytes]) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return kept.getvalue()


def _event() -> bytes:
    """What has the parts of an event's file, each with a value that is nearly one."""
    from tournaments.event_files.form import MARK, VERSION

    plain = {MARK: VERSION, "event": {"name": "Soirée", "held_on": "2026-11-17"}, "rounds": [{"number": 1}]}
    return json.dumps(plain, ensure_ascii=False, indent=1).encode()


def _workbook() -> bytes:
    from openpyxl import Workbook

    book, file = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (["Nom", "Téléphone"], ["Édith Roy", 4185550101], ["=1+1", 2.5]):
        sheet.append(row)
    book.save(file)
    return file.getvalue()
