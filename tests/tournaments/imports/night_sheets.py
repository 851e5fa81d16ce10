"""A small valid night for tests to break, and helpers that list its refusals."""

import io
import zipfile
from collections.abc import Mapping

from errors import Refusal
from tournaments.imports.recorded_nights.files import Files
from tournaments.imports.recorded_nights.parser import read_night

NIGHT = b'{"ruleset": "canadian", "games_to_win": 1}'
ENTRIES = b"""entry,player_1,player_2
1,Jeannine Roy,Marcel Dub\xc3\xa9
2,Ghislaine Cyr,Normand Ouellet
3,Lise Albert,Paul Albert
4,Rita Hudon,Yvon Hudon
"""
TABLES = b"""round,table,side_a,side_b
1,1,1,2
1,2,3,4
2,1,1,3
2,2,2,4
"""
HANDS = b"""round,table,hand,dealer,side,contract,trump,tricks,outcome
1,1,1,0,A,6,H,7,made
1,1,2,1,A,gros_charlemagne,S,8,made
1,2,1,2,,pass,,,passed_out
1,2,2,3,B,gros_charlemagne,D,,made
2,1,1,0,,,,,misdeal
2,1,2,0,A,gros_charlemagne,C,8,made
2,2,1,0,B,mulot,,1,failed
"""
RIGHT: dict[str, bytes] = {
    "night.json": NIGHT,
    "entries.csv": ENTRIES,
    "tables.csv": TABLES,
    "hands.csv": HANDS,
}

RefusalRow = tuple[str, int | None, str | None, str]
"""File, line, column and code of a refusal."""


def change_files(**files: bytes | None) -> Files:
    """Return the night with some files replaced: ``hands=…`` is hands.csv, and None removes a file."""
    names = {name.partition(".")[0]: name for name in RIGHT}
    changed = {names[stem]: content for stem, content in files.items()}
    return {name: content for name, content in {**RIGHT, **changed}.items() if content is not None}


def replace_line(file: bytes, line: int, text: str) -> bytes:
    """Return the file with one line replaced; line 1 has the column names."""
    lines = file.decode().splitlines()
    lines[line - 1 : line] = [text]
    return "\n".join(lines).encode()


def list_refusals(refusals: list[Refusal]) -> list[RefusalRow]:
    return [(each.details["file"], each.details.get("line"), each.field, each.code) for each in refusals]


def get_refusals(**files: bytes | None) -> list[RefusalRow]:
    """Return the refusals of the night with these files replaced."""
    night, refusals = read_night(change_files(**files))
    assert night is None
    return list_refusals(refusals)


def build_zip_file(files: Mapping[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", packing) as packed:
        for name, file in files.items():
            packed.writestr(name, file)
    return content.getvalue()
