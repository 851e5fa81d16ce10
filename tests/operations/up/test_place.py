"""Places of a data folder: copied while in use, synchronized, on a network disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from operations.start import place
from operations.start.lock import AT, note_address, read_note
from operations.start.place import network_file_system, synchronizing_service, this_place, warn_of_place

SYNCHRONIZED = [
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
NOT_SYNCHRONIZED = ["/home/rita/charlemagne-data", "/home/onedriver/data", "/srv/dropboxes/data"]


@pytest.mark.parametrize(("folder", "service"), SYNCHRONIZED)
def test_a_folder_of_a_cloud_service_is_known_by_its_path(
    folder: PurePosixPath | PureWindowsPath, service: str
) -> None:
    assert synchronizing_service(folder) == service


@pytest.mark.parametrize("folder", NOT_SYNCHRONIZED)
def test_other_folders_are_of_no_service(folder: str) -> None:
    assert synchronizing_service(PurePosixPath(folder)) == ""


@pytest.mark.parametrize(
    ("kind", "found"), [("nfs4", "nfs4"), ("cifs", "cifs"), ("fuse.sshfs", "fuse.sshfs"), ("ext4", "")]
)
def test_the_nearest_mount_says_whether_a_folder_is_on_a_network_disk(
    kind: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mounts() -> Iterator[tuple[Path, str]]:
        yield from [(Path("/"), "ext4"), (Path("/club"), kind), (Path("/club/other"), "ext4")]

    monkeypatch.setattr(place, "_mounts", mounts)
    assert network_file_system(Path("/club/data")) == found
    assert network_file_system(Path("/home/data")) == ""


def test_this_computer_lists_its_mounts(tmp_path: Path) -> None:
    assert Path("/") in dict(place._mounts())


def test_a_folder_that_was_in_use_when_it_was_copied_is_told_of_at_its_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original, copy = tmp_path / "original", tmp_path / "copy"
    for folder in (original, copy):
        folder.mkdir()
        note_address(folder, "http://127.0.0.1:8000/", this_place(original))
    warn_of_place(original)
    assert "copied" not in capsys.readouterr().err
    warn_of_place(copy)
    assert f"in use when it was copied: {copy} comes from {original} (" in capsys.readouterr().err
    assert read_note(copy, AT) == "http://127.0.0.1:8000/"
