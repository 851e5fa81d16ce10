"""Place of a data folder: copied while in use, synchronized by a cloud service, or on a network disk.

Standard library only.
"""

import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

from operations.data_dir import PROGRAM
from operations.terminal import print_error_line

from .lock import PLACE_NOTE, read_note

SERVICES = {
    "OneDrive": r"onedrive\b.*",
    "Dropbox": r"dropbox\b.*",
    "iCloud": r"icloud ?drive|mobile documents|com~apple~clouddocs",
    "Google Drive": r"google ?drive\b.*|my drive|mon disque",
}
"""Services that synchronize folders, and the names of their folders."""
NETWORK_FILE_SYSTEMS = re.compile(
    r"nfs\d?|cifs|smb\w*|afpfs|webdav|davfs2?|9p|ceph|glusterfs|fuse\.(?:sshfs|rclone|s3fs)"
)
"""File systems on which SQLite's locks do not hold."""


def describe_place(folder: Path) -> str:
    """Return the folder with the name of this computer, in one line of Unicode, which names need not be."""
    place = f"{folder.resolve()} ({platform.node()})"
    return " ".join(place.encode(errors="backslashreplace").decode().splitlines())


def find_copy_origin(folder: Path) -> str:
    """Return where an `up` used this folder when it was copied; "" if none did."""
    origin = read_note(folder, PLACE_NOTE)
    return "" if origin == describe_place(folder) else origin


def warn_about_place(folder: Path) -> None:
    """Warn at the start about a copied, synchronized or remote folder."""
    if origin := find_copy_origin(folder):
        print_error_line("copied-in-use", folder=folder, origin=origin)
    if service := synchronizing_service(folder):
        print_error_line("folder-synchronized", folder=folder, service=service, program=PROGRAM)
    if kind := network_file_system(folder):
        print_error_line("folder-on-network", folder=folder, kind=kind, program=PROGRAM)


def synchronizing_service(folder: PurePath) -> str:
    """Return the cloud service in whose folder this one is; "" if in none."""
    for service, names in SERVICES.items():
        if any(re.fullmatch(names, part, re.IGNORECASE) for part in folder.parts):
            return service
    return ""


def network_file_system(folder: Path) -> str:
    """Return the kind of network file system that the folder is on; "" for a disk of this computer."""
    if sys.platform == "win32":
        import ctypes

        is_remote = ctypes.windll.kernel32.GetDriveTypeW(f"{folder.anchor}\\") == 4
        return "SMB" if is_remote or folder.drive.startswith("\\\\") else ""
    parents = {folder, *folder.parents}
    mounts = [(len(place.parts), kind) for place, kind in _mounts() if place in parents]
    _, kind = max(mounts, default=(0, ""))
    return kind if NETWORK_FILE_SYSTEMS.fullmatch(kind) else ""


def _mounts() -> Iterator[tuple[Path, str]]:
    """List mount points with their kinds of file system."""
    if sys.platform == "linux":
        for line in Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines():
            _, place, kind, *_ = line.split(" ")
            yield Path(re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), place)), kind
    else:
        output = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False).stdout
        for place, kind in re.findall(r" on (/.*) \((\w+)[,)]", output):
            yield Path(place), kind
