"""The files of a night, out of a folder or a zip."""

import random
import struct
import zipfile
from pathlib import Path

import pytest

from errors import Refusal
from tests.builders import code_of, refusal_of
from tournaments.imports.recorded_nights import (
    FILES,
    RECORDED,
    file_named,
    files_in_folder,
    files_in_zip,
    recorded_nights,
)
from tournaments.imports.recorded_nights.files import MOST_BYTES

from .night_sheets import RIGHT, zipped


class TestAFolder:
    def test_gives_the_files_of_the_night_and_no_others(self, tmp_path: Path) -> None:
        for name, content in RIGHT.items():
            (tmp_path / name).write_bytes(content)
        (tmp_path / "expected.json").write_text("{}")
        assert files_in_folder(tmp_path) == RIGHT

    def test_gives_what_there_is(self, tmp_path: Path) -> None:
        (tmp_path / "hands.csv").write_bytes(b"round\n")
        (tmp_path / "tables.csv").mkdir()
        assert files_in_folder(tmp_path) == {"hands.csv": b"round\n"}

    def test_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        assert code_of(files_in_folder, tmp_path / "nowhere") == "no_such_folder"
        (tmp_path / "file").touch()
        assert code_of(files_in_folder, tmp_path / "file") == "no_such_folder"

    def test_with_a_file_too_large_is_refused(self, tmp_path: Path) -> None:
        with (tmp_path / "hands.csv").open("wb") as large:
            large.truncate(MOST_BYTES + 1)
        refusal = refusal_of(files_in_folder, tmp_path)
        assert (refusal.code, refusal.details["file"]) == ("file_too_large", "hands.csv")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Entries.XLSX", "entries.csv"),
        ("hands.txt", "hands.csv"),
        ("a\\b/tables.csv", "tables.csv"),
        ("night.json", "night.json"),
        ("night.csv", None),
        ("entries.pdf", None),
    ],
)
def test_a_file_of_the_night_is_known_by_its_name(name: str, file: str | None) -> None:
    assert file_named(name) == file


class TestAZip:
    @pytest.mark.parametrize("folder", ["", "night/", "my nights/tuesday/", "night\\"])
    def test_gives_the_files_in_whatever_folder(self, folder: str) -> None:
        packed = zipped({folder + name: content for name, content in RIGHT.items()})
        assert files_in_zip(packed) == RIGHT

    def test_without_packing_is_as_good(self) -> None:
        assert files_in_zip(zipped(RIGHT, zipfile.ZIP_STORED)) == RIGHT

    def test_of_a_mac_has_more_in_it(self) -> None:
        more = {"__MACOSX/night/._hands.csv": b"\x00", "night/": b"", ".DS_Store": b"\x00"}
        assert files_in_zip(zipped(RIGHT | more)) == RIGHT

    def test_without_the_files_gives_none(self) -> None:
        assert files_in_zip(zipped({"holiday.jpg": b""})) == {}

    def test_of_two_nights_is_refused(self) -> None:
        two = {
            f"{night}/{name}": content for night in ("monday", "tuesday") for name, content in RIGHT.items()
        }
        refusal = refusal_of(files_in_zip, zipped(two))
        assert (refusal.code, refusal.details) == ("file_twice", {"file": "night.json"})

    @pytest.mark.parametrize("content", [b"", b"PK", b"round,table\n", b"PK\x05\x06" + b"\x00" * 10])
    def test_that_is_none_is_refused(self, content: bytes) -> None:
        assert code_of(files_in_zip, content) == "not_a_zip"

    def test_that_would_unpack_to_too_much_is_refused_before_it_does(self) -> None:
        bomb = zipped({"hands.csv": b"\x00" * (MOST_BYTES + 1)})
        assert len(bomb) < MOST_BYTES / 100
        refusal = refusal_of(files_in_zip, bomb)
        assert (refusal.code, refusal.details) == (
            "file_too_large",
            {"file": "hands.csv", "most": MOST_BYTES},
        )

    def test_that_declares_less_than_it_holds_is_refused(self) -> None:
        bomb = bytearray(zipped({"hands.csv": b"\x00" * (MOST_BYTES + 1)}))
        directory = bomb.index(b"PK\x01\x02")
        struct.pack_into("<I", bomb, directory + 24, 10)
        assert code_of(files_in_zip, bytes(bomb)) == "not_a_zip"

    @pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_packed_in_an_unusual_way_is_refused(self, packing: int) -> None:
        assert code_of(files_in_zip, zipped(RIGHT, packing)) == "not_a_zip"

    def test_that_asks_for_a_password_is_refused(self) -> None:
        locked = bytearray(zipped({"hands.csv": b"round\n"}))
        for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            locked[locked.index(header) + flags] |= 1
        assert code_of(files_in_zip, bytes(locked)) == "not_a_zip"

    def test_damaged_anywhere_is_refused_or_read(self) -> None:
        whole, chance = zipped(RIGHT), random.Random(1)
        for _ in range(2_000):
            damaged = bytearray(whole)
            for _ in range(chance.choice((1, 1, 4))):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            end = chance.choice((len(damaged), chance.randrange(len(damaged))))
            assert is_refused_or_read(bytes(damaged[:end]))


def is_refused_or_read(content: bytes) -> bool:
    try:
        files = files_in_zip(content)
    except Refusal as refusal:
        return refusal.code in {"not_a_zip", "file_too_large", "file_twice"}
    return all(RIGHT[name] == found for name, found in files.items())


def test_the_nights_that_come_with_the_program_are_whole() -> None:
    assert sorted(recorded_nights()) == sorted(path.name for path in RECORDED.iterdir())
    assert len(recorded_nights()) == 3
    for files in recorded_nights().values():
        assert set(files) == set(FILES)
