"""Feed corrupted input to every parser of outside data: it must accept it, or refuse it with a message.

Inputs are valid files with bytes and lines lost, doubled, swapped, changed, cut, or mixed with another file's.
A seed reproduces each. Any outcome but a value or a ``Refusal`` is a crash.
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
NASTY_BYTES = (
    *(b"\x00", b"\xff", b"9" * 400, b"-", b"\t", b'"', b"=", b"{", b"]", b"\r", b"\n\n", b":", b";"),
    *("\u202e".encode(), "\ud7ff".encode(), "½".encode(), "١".encode()),
    *(b"e308", b"null", b"true", b"BEGIN:VCARD"),
)
MAX_SHOWN_CRASHES = 20


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``NAME_taken`` and ``NAME_refused`` by reader, ``crashes`` with their seeds, and times.

    The other keys are ``inputs``, ``seconds``, ``inputs_per_second``, ``slowest_ms``, ``slowest`` (reader and
    seed) and ``first_crashes``.
    """
    parser = argparse.ArgumentParser(prog="bench fuzz")
    parser.add_argument("--inputs", type=int, default=100_000, help="in all, over every reader")
    parser.add_argument("--seed", type=int, default=1, help="of the first input")
    parser.add_argument("--only", default="", help="the name of one reader")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(argv)
    started = time.perf_counter()
    runs = [
        Run(
            seeds=range(options.seed + place, options.seed + options.inputs, options.processes),
            reader_name=options.only,
        )
        for place in range(options.processes)
    ]
    with get_context("spawn").Pool(options.processes) as pool:
        found = pool.map(Run.run, runs)
    counts: Counter[str] = sum((each.counts for each in found), Counter())
    crashes = [crash for each in found for crash in each.crashes]
    slowest = max(each.slowest for each in found)
    seconds = time.perf_counter() - started
    return {
        "inputs": options.inputs,
        "seconds": round(seconds, 1),
        "inputs_per_second": round(options.inputs / seconds, 1),
        "slowest_ms": round(1000 * slowest[0], 1),
        "slowest": slowest[1],
        **dict(sorted(counts.items())),
        "crashes": len(crashes),
        "first_crashes": crashes[:MAX_SHOWN_CRASHES],
    }


@dataclass(kw_only=True)
class Run:
    """A process's share of the seeds, run one after the other."""

    seeds: range
    reader_name: str
    counts: Counter[str] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    def run(self) -> Run:
        django.setup()
        readers = {name: each for name, each in build_readers().items() if self.reader_name in ("", name)}
        for seed in self.seeds:
            name = list(readers)[seed % len(readers)]
            self._run_reader(name, seed, *readers[name])
        return self

    def _run_reader(self, name: str, seed: int, read: Reader, good: Sequence[bytes]) -> None:
        content, started = corrupt(good, Random(seed)), time.perf_counter()
        try:
            read(content)
            self.counts[f"{name}_taken"] += 1
        except Refusal:
            self.counts[f"{name}_refused"] += 1
        except Exception as error:  # noqa: BLE001 (that there is none is what is tried)
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.crashes.append(f"{name} {seed}: {type(error).__name__} {place.name}:{place.lineno}")
        self.slowest = max(self.slowest, (time.perf_counter() - started, f"{name} {seed}"))


def corrupt(good: Sequence[bytes], dice: Random) -> bytes:
    """Return one of the good inputs after up to eight corruptions."""
    content = bytearray(dice.choice(good))
    for _ in range(dice.randrange(9)):
        start = dice.randrange(len(content) + 1)
        end = min(len(content), start + dice.randrange(1, 40))
        match dice.randrange(7):
            case 0:
                del content[start:end]
            case 1:
                content[start:start] = content[start:end] * dice.choice((1, 2, 50))
            case 2:
                content[start:end] = dice.randbytes(end - start)
            case 3:
                content[start:start] = dice.choice(NASTY_BYTES)
            case 4:
                del content[start:]
            case 5:
                other = dice.choice(good)
                content[start:end] = other[start : start + dice.randrange(200)]
            case _:
                lines = content.split(b"\n")
                dice.shuffle(lines)
                content = bytearray(b"\n".join(lines))
    return bytes(content)


def build_readers() -> dict[str, tuple[Reader, list[bytes]]]:
    """Return readers by name, each with valid inputs."""
    from clubs.people_import import parse_people
    from engine.draws import trf
    from operations.backup import open_backup
    from rules import CANADIAN, read_match_text
    from scoring.bundles import Kind, build_frames, derive_bundle_key, parse_bundles
    from tests.support.workbooks import build_open_sheet, build_open_workbook
    from tournaments.entries.entry_import.text_list import read_entry_list
    from tournaments.event_files.parsing import read_event_file
    from tournaments.imports.entry_sheets import read_entry_sheet
    from tournaments.imports.hand_sheets.parser import read_hand_sheet
    from tournaments.imports.recorded_nights.files import read_zip, recorded_nights
    from tournaments.imports.recorded_nights.parser import read_night
    from web.sheets.workbooks import parse_workbook

    def read_bundle(text: str) -> None:
        for each in parse_bundles(text):
            each.read_content(derive_bundle_key(each.code))

    def check_backup(content: bytes) -> None:
        open_backup(io.BytesIO(content)).check()  # type: ignore[arg-type] # a path or a file, to who unpacks it

    def read_workbook(content: bytes) -> object:
        return parse_workbook(content, file="list.xlsx")

    night = {name: _take_first_lines(content) for name, content in next(iter(recorded_nights().values())).items()}

    def build_night_reader(name: str) -> tuple[Reader, list[bytes]]:
        return lambda content: read_night(night | {name: content}), [night[name]]

    frames = build_frames(
        Kind.HANDS, "123456", {"entries": [{"path": "/agree", "values": {}}] * 9}, derive_bundle_key("123456")
    )
    reports = [file.read_bytes() for file in sorted((VECTORS / "draws").glob("*.trf"))]
    matches = [_read_first_match(file) for file in sorted((VECTORS / "hands").iterdir()) if file.is_file()]
    return {
        "report": (_decode_first(trf.read_report), reports),
        "match": (_decode_first(read_match_text), matches),
        "people": (_decode_first(parse_people), [_PEOPLE, _CARDS]),
        "event": (read_event_file, [_build_event_file()]),
        "bundle": (_decode_first(read_bundle), [" ".join(frames).encode()]),
        "workbook": (read_workbook, [_build_workbook()]),
        "open_workbook": (read_workbook, [build_open_workbook(build_open_sheet(["Nom", "Tél"], ["Lise Roy", 418]))]),
        "entries": (_decode_first(lambda text: read_entry_list(text, size=2)), [_ENTRIES]),
        "entry_sheet": (_decode_first(lambda text: read_entry_sheet(text, file="", size=2)), [_ENTRY_SHEET]),
        "hand_sheet": (
            _decode_first(lambda text: read_hand_sheet(text, file="", ruleset=CANADIAN)),
            [night["hands.csv"]],
        ),
        "night_settings": build_night_reader("night.json"),
        "night_tables": build_night_reader("tables.csv"),
        "night_hands": build_night_reader("hands.csv"),
        "night_zip": (lambda content: read_night(read_zip(content)), [_build_zip(night)]),
        "backup": (check_backup, [_build_zip({"backup.json": _MANIFEST, "clubs.Club.jsonl": b""})]),
    }


def _read_first_match(file: Path) -> bytes:
    """Return the first match of a file of many, with five of its hands."""
    match = file.read_text(encoding="utf-8").split("# games won")[1].partition("\n")[2]
    return "\n\n".join(match.split("\n\n")[:6]).encode()


def _decode_first(read: Callable[[str], object]) -> Reader:
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


def _take_first_lines(content: bytes) -> bytes:
    """Return the first lines, few enough to be read in a millisecond."""
    return b"\n".join(content.split(b"\n")[:20])


def _build_zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _build_event_file() -> bytes:
    """Build an incomplete file of an event, whose values are nearly valid."""
    from tournaments.event_files.schema import FORMAT_KEY, VERSION

    event_data = {FORMAT_KEY: VERSION, "event": {"name": "Soirée", "held_on": "2026-11-17"}, "rounds": [{"number": 1}]}
    return json.dumps(event_data, ensure_ascii=False, indent=1).encode()


def _build_workbook() -> bytes:
    from openpyxl import Workbook

    book, file = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (["Nom", "Téléphone"], ["Édith Roy", 4185550101], ["=1+1", 2.5]):
        sheet.append(row)
    book.save(file)
    return file.getvalue()
