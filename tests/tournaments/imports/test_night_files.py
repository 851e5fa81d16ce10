"""Reading the files of a night from a folder or a zip archive."""

import random
import struct
import zipfile
from pathlib import Path

import pytest

from errors import Refusal
from tests.builders import get_refusal, get_refusal_code
from tournaments.imports.recorded_nights.files import (
    MAX_BYTES,
    NIGHT_FILES,
    SAMPLES_FOLDER,
    match_file_name,
    read_folder,
    read_zip,
    recorded_nights,
)

from .night_sheets import RIGHT, build_zip_file


class TestNightFolder:
    def test_folder_yields_only_the_night_files(self, tmp_path: Path) -> None:
        for name, content in RIGHT.items():
            (tmp_path / name).write_bytes(content)
        (tmp_path / "expected.json").write_text("{}")
        assert read_folder(tmp_path) == RIGHT

    def test_incomplete_folder_yields_its_files(self, tmp_path: Path) -> None:
        (tmp_path / "hands.csv").write_bytes(b"round\n")
        (tmp_path / "tables.csv").mkdir()
        assert read_folder(tmp_path) == {"hands.csv": b"round\n"}

    def test_missing_folder_is_refused(self, tmp_path: Path) -> None:
        assert get_refusal_code(read_folder, tmp_path / "nowhere") == "no_such_folder"
        (tmp_path / "file").touch()
        assert get_refusal_code(read_folder, tmp_path / "file") == "no_such_folder"

    def test_folder_with_an_oversized_file_is_refused(self, tmp_path: Path) -> None:
        with (tmp_path / "hands.csv").open("wb") as large:
            large.truncate(MAX_BYTES + 1)
        refusal = get_refusal(read_folder, tmp_path)
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
def test_night_file_is_recognized_by_its_name(name: str, file: str | None) -> None:
    assert match_file_name(name) == file


class TestNightZip:
    @pytest.mark.parametrize("folder", ["", "night/", "my nights/tuesday/", "night\\"])
    def test_zip_yields_the_files_from_any_folder(self, folder: str) -> None:
        packed = build_zip_file({folder + name: content for name, content in RIGHT.items()})
        assert read_zip(packed) == RIGHT

    def test_uncompressed_zip_is_read(self) -> None:
        assert read_zip(build_zip_file(RIGHT, zipfile.ZIP_STORED)) == RIGHT

    def test_extra_files_of_a_mac_zip_are_ignored(self) -> None:
        more = {"__MACOSX/night/._hands.csv": b"\x00", "night/": b"", ".DS_Store": b"\x00"}
        assert read_zip(build_zip_file(RIGHT | more)) == RIGHT

    def test_zip_without_night_files_yields_nothing(self) -> None:
        assert read_zip(build_zip_file({"holiday.jpg": b""})) == {}

    def test_zip_with_two_nights_is_refused(self) -> None:
        two = {f"{night}/{name}": content for night in ("monday", "tuesday") for name, content in RIGHT.items()}
        refusal = get_refusal(read_zip, build_zip_file(two))
        assert (refusal.code, refusal.details) == ("file_twice", {"file": "night.json"})

    @pytest.mark.parametrize("content", [b"", b"PK", b"round,table\n", b"PK\x05\x06" + b"\x00" * 10])
    def test_invalid_zip_is_refused(self, content: bytes) -> None:
        assert get_refusal_code(read_zip, content) == "not_a_zip"

    def test_zip_bomb_is_refused_before_unpacking(self) -> None:
        bomb = build_zip_file({"hands.csv": b"\x00" * (MAX_BYTES + 1)})
        assert len(bomb) < MAX_BYTES / 100
        refusal = get_refusal(read_zip, bomb)
        assert (refusal.code, refusal.details) == (
            "file_too_large",
            {"file": "hands.csv", "most": MAX_BYTES},
        )

    def test_zip_with_an_understated_size_is_refused(self) -> None:
        bomb = bytearray(build_zip_file({"hands.csv": b"\x00" * (MAX_BYTES + 1)}))
        directory = bomb.index(b"PK\x01\x02")
        struct.pack_into("<I", bomb, directory + 24, 10)
        assert get_refusal_code(read_zip, bytes(bomb)) == "not_a_zip"

    @pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_zip_with_unusual_compression_is_refused(self, packing: int) -> None:
        assert get_refusal_code(read_zip, build_zip_file(RIGHT, packing)) == "not_a_zip"

    def test_encrypted_zip_is_refused(self) -> None:
        locked = bytearray(build_zip_file({"hands.csv": b"round\n"}))
        for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            locked[locked.index(header) + flags] |= 1
        assert get_refusal_code(read_zip, bytes(locked)) == "not_a_zip"

    @pytest.mark.slow
    def test_damaged_zip_is_read_or_refused(self) -> None:
        whole, chance = build_zip_file(RIGHT), random.Random(1)
        for _ in range(2_000):
            damaged = bytearray(whole)
            for _ in range(chance.choice((1, 1, 4))):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            end = chance.choice((len(damaged), chance.randrange(len(damaged))))
            assert is_refused_or_read(bytes(damaged[:end]))


def is_refused_or_read(content: bytes) -> bool:
    try:
        files = read_zip(content)
    except Refusal as refusal:
        return refusal.code in {"not_a_zip", "file_too_large", "file_twice"}
    return all(RIGHT[name] == found for name, found in files.items())


def test_bundled_sample_nights_are_complete() -> None:
    assert sorted(recorded_nights()) == sorted(path.name for path in SAMPLES_FOLDER.iterdir())
    assert len(recorded_nights()) == 3
    for files in recorded_nights().values():
        assert set(files) == set(NIGHT_FILES)
