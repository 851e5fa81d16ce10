"""Build the program for this system, with a Python of its own: `python3 -m installers.build FOLDER`.

It needs the package index, and on Windows Inno Setup. Standard library only.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from config import __version__
from operations.data_dir import PROJECT

HERE = Path(__file__).resolve().parent
NAME = f"charlemagne-{__version__}"


def main(folder: Path) -> int:
    """Build in the folder, and print the files to publish."""
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    python = _make_environment(work / "environment")
    packages = _lay_out(python, work / "packages")
    _join(python, packages, work)
    for built in PACK.get(sys.platform, pack_for_linux)(work / "joined", folder):
        print(f"{built} ({built.stat().st_size / 1e6:.0f} MB)")
    return 0


def _make_environment(folder: Path) -> Path:
    """Make an environment with PyInstaller, and return its Python."""
    _run(sys.executable, "-m", "venv", "--clear", folder)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    _run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "--requirement",
        HERE / "requirements.txt",
    )
    return python


def _lay_out(python: Path, folder: Path) -> Path:
    """Install the program and its packages as files, compiled: the folder may be read-only later."""
    shutil.rmtree(folder, ignore_errors=True)
    install: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--target",
        folder,
    ]
    _run(*install, "--require-hashes", "--requirement", PROJECT / "requirements.txt")
    _run(*install, PROJECT)
    _run(python, "-m", "compileall", "-q", "-j0", "--invalidation-mode", "unchecked-hash", folder)
    return folder


def _join(python: Path, packages: Path, work: Path) -> None:
    told = {"PACKAGES": packages, "PROJECT": PROJECT, "VERSION": __version__}
    _run(
        *(python, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
        *("--workpath", work / "pyinstaller", "--distpath", work / "joined", HERE / "charlemagne.spec"),
        **{f"INSTALLER_{name}": str(value) for name, value in told.items()},
    )


def pack_for_linux(joined: Path, folder: Path) -> list[Path]:
    archive = folder / f"{NAME}-linux-{platform.machine()}.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(joined / "Charlemagne", "Charlemagne")
    return [archive]


def pack_for_macos(joined: Path, folder: Path) -> list[Path]:
    image = folder / f"{NAME}-macos-{platform.machine()}.dmg"
    source = folder / "work" / "image"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    shutil.move(joined / "Charlemagne.app", source)
    (source / "Applications").symlink_to("/Applications")
    _run(
        "hdiutil", "create", "-volname", "Charlemagne", "-srcfolder", source, "-ov", "-format", "UDZO", image
    )
    return [image]


def pack_for_windows(joined: Path, folder: Path) -> list[Path]:
    archive = shutil.make_archive(str(folder / f"{NAME}-windows"), "zip", joined, "Charlemagne")
    defined = {"Version": __version__, "Source": joined / "Charlemagne", "Name": f"{NAME}-windows"}
    named = [f"/D{name}={value}" for name, value in defined.items()]
    _run("iscc", "/Qp", f"/O{folder}", *named, HERE / "charlemagne.iss")
    return [Path(archive), folder / f"{NAME}-windows.exe"]


PACK = {"darwin": pack_for_macos, "win32": pack_for_windows}


def _run(*command: str | Path, **variables: str) -> None:
    subprocess.run([str(part) for part in command], check=True, cwd=PROJECT, env=os.environ | variables)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
