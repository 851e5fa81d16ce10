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

INSTALLERS_FOLDER = Path(__file__).resolve().parent
NAME = f"charlemagne-{__version__}"


def main(folder: Path) -> int:
    """Build in the folder, and print the files to publish."""
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    python = _make_environment(work / "environment")
    packages = _install_packages(python, work / "packages")
    _run_pyinstaller(python, packages, work)
    for package in PACKERS.get(sys.platform, pack_for_linux)(work / "joined", folder):
        print(f"{package} ({package.stat().st_size / 1e6:.0f} MB)")
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
        INSTALLERS_FOLDER / "requirements.txt",
    )
    return python


def _install_packages(python: Path, folder: Path) -> Path:
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
    shutil.rmtree(folder / "drf_spectacular_sidecar/static/drf_spectacular_sidecar/redoc")  # never served
    _run(python, "-m", "compileall", "-q", "-j0", "--invalidation-mode", "unchecked-hash", folder)
    return folder


def _run_pyinstaller(python: Path, packages: Path, work: Path) -> None:
    variables = {"PACKAGES": packages, "PROJECT": PROJECT, "VERSION": __version__}
    _run(
        *(python, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
        *("--workpath", work / "pyinstaller", "--distpath", work / "joined", INSTALLERS_FOLDER / "charlemagne.spec"),
        **{f"INSTALLER_{name}": str(value) for name, value in variables.items()},
    )


def pack_for_linux(program_folder: Path, folder: Path) -> list[Path]:
    archive = folder / f"{NAME}-linux-{platform.machine()}.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(program_folder / "Charlemagne", "Charlemagne")
    return [archive]


def pack_for_macos(program_folder: Path, folder: Path) -> list[Path]:
    image = folder / f"{NAME}-macos-{platform.machine()}.dmg"
    source = folder / "work" / "image"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    shutil.move(program_folder / "Charlemagne.app", source)
    (source / "Applications").symlink_to("/Applications")
    _run("hdiutil", "create", "-volname", "Charlemagne", "-srcfolder", source, "-ov", "-format", "UDZO", image)
    return [image]


def pack_for_windows(program_folder: Path, folder: Path) -> list[Path]:
    archive = shutil.make_archive(str(folder / f"{NAME}-windows"), "zip", program_folder, "Charlemagne")
    definitions = {"Version": __version__, "Source": program_folder / "Charlemagne", "Name": f"{NAME}-windows"}
    options = [f"/D{name}={value}" for name, value in definitions.items()]
    _run("iscc", "/Qp", f"/O{folder}", *options, INSTALLERS_FOLDER / "charlemagne.iss")
    return [Path(archive), folder / f"{NAME}-windows.exe"]


PACKERS = {"darwin": pack_for_macos, "win32": pack_for_windows}


def _run(*command: str | Path, **variables: str) -> None:
    subprocess.run([str(part) for part in command], check=True, cwd=PROJECT, env=os.environ | variables)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
