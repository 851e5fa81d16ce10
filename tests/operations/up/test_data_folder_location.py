"""Location of a data folder: copied while in use, synchronized to a cloud, on a network disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from operations.start import place
from operations.start.identity import compute_folder_id
from operations.start.lock import ADDRESS_NOTE, LOCK_FILE, is_unchanged_since_end, read_note, record_address
from operations.start.place import describe_place, network_file_system, synchronizing_service, warn_about_place

SYNCHRONIZED_FOLDERS = [
    (PureWindowsPath(r"C:\Users\Rita\OneDrive\charlemagne-data"), "OneDrive"),
    (PureWindowsPath(r"C:\Users\Rita\OneDrive - Club\data"), "OneDrive"),
    (PurePosixPath("/Users/rita/Library/CloudStorage/OneDrive-Personal/data"), "OneDrive"),
    (PurePosixPath("/home/rita/Dropbox/data"), "Dropbox"),
    (PurePosixPath("/home/rita/Dropbox (Personal)/data"), "Dropbox"),
    (PurePosixPath("/Users/rita/Library/Mobile Documents/com~apple~CloudDocs/data"), "iCloud"),
    (PureWindowsPath(r"C:\Users\Rita\iCloudDrive\data"), "iCloud"),
    (
        PurePosixPath("/Users/rita/Library/CloudStorage/GoogleDrive-rita@club.example/My Drive"),
        "Google Drive",
    ),
    (PureWindowsPath(r"G:\Mon disque\data"), "Google Drive"),
    (PurePosixPath("/home/rita/Google Drive/data"), "Google Drive"),
]
LOCAL_FOLDERS = ["/home/rita/charlemagne-data", "/home/onedriver/data", "/srv/dropboxes/data"]


@pytest.mark.parametrize(("folder", "service"), SYNCHRONIZED_FOLDERS)
def test_cloud_folder_is_recognized_by_its_path(folder: PurePosixPath | PureWindowsPath, service: str) -> None:
    assert synchronizing_service(folder) == service


@pytest.mark.parametrize("folder", LOCAL_FOLDERS)
def test_local_folder_belongs_to_no_cloud_service(folder: str) -> None:
    assert synchronizing_service(PurePosixPath(folder)) == ""


@pytest.mark.parametrize(
    ("kind", "found"), [("nfs4", "nfs4"), ("cifs", "cifs"), ("fuse.sshfs", "fuse.sshfs"), ("ext4", "")]
)
def test_nearest_mount_identifies_a_network_disk(kind: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def iter_mounts() -> Iterator[tuple[Path, str]]:
        yield from [(Path("/"), "ext4"), (Path("/club"), kind), (Path("/club/other"), "ext4")]

    monkeypatch.setattr(place, "_mounts", iter_mounts)
    assert network_file_system(Path("/club/data")) == found
    assert network_file_system(Path("/home/data")) == ""


def test_mounts_of_this_computer_are_listed(tmp_path: Path) -> None:
    assert Path("/") in dict(place._mounts())


def test_start_warns_about_a_folder_copied_while_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original, copy = tmp_path / "original", tmp_path / "copy"
    for folder in (original, copy):
        folder.mkdir()
        record_address(folder, "http://127.0.0.1:8000/", describe_place(original))
    warn_about_place(original)
    assert "copied" not in capsys.readouterr().err
    warn_about_place(copy)
    assert f"in use when it was copied: {copy} comes from {original} (" in capsys.readouterr().err
    assert read_note(copy, ADDRESS_NOTE) == "http://127.0.0.1:8000/"


@pytest.mark.parametrize("name", [b"Donn\xe9es", b"two\nlines"])
def test_folder_with_any_name_is_recognized(name: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / os.fsdecode(name)
    folder.mkdir()
    record_address(folder, "http://127.0.0.1:8000/", describe_place(folder))
    warn_about_place(folder)
    assert capsys.readouterr().err == ""
    assert compute_folder_id(folder) != compute_folder_id(tmp_path)


def test_note_destroyed_by_a_power_failure_is_ignored(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).write_bytes(b"\0\xff\xfe\x80\n")
    assert read_note(tmp_path, ADDRESS_NOTE) == ""
    assert not is_unchanged_since_end(tmp_path, tmp_path / "charlemagne.sqlite3")
