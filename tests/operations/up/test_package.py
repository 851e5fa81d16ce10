"""The program as a package: built, installed without its source, and started by its command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from config import __version__
from operations.data_dir import PROJECT
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import RunningUp, build_environment

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="names the files of an environment as Unix does"),
    pytest.mark.slow,
]


def run(*command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=PROJECT, env=build_environment(**more), capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("built")
    ended = run(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture(scope="module")
def bin_folder(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of commands in an environment that has the wheel and shares our dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder)
    assert made.returncode == 0, made.stderr
    python = folder / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    installed = run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel)
    assert installed.returncode == 0, installed.stderr
    (packages,) = folder.glob("lib/python*/site-packages")
    ours = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "needed.pth").write_text(f"{ours}\n", encoding="utf-8")
    return folder / "bin"


@pytest.fixture(scope="module")
def up(bin_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningUp]:
    """Yield the installed program, started from an empty folder."""
    folder = tmp_path_factory.mktemp("up")
    up = RunningUp(folder / "data", project=folder, program=[bin_folder / "charlemagne"])
    try:
        wait_until(up.is_answering)
        wait_until(up.are_all_children_running)
        yield up
    finally:
        up.end()


def fetch(up: RunningUp, path: str) -> bytes:
    with urlopen(f"http://127.0.0.1:{up.port}{path}", timeout=TIMEOUT_SECONDS) as answer:
        assert answer.status == 200
        return bytes(answer.read())


@pytest.mark.long("installs and starts the package")
def test_package_serves_its_first_page_with_static_files(up: RunningUp) -> None:
    page = fetch(up, "/fr" + urlsplit(up.find_first_link()).path).decode()
    assert "Rien à installer sur les téléphones." in page
    named = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    assert {path.rpartition(".")[2] for path in named} >= {"css", "js", "svg"}
    for path in named:
        assert fetch(up, path)


@pytest.mark.long
def test_page_footer_shows_the_version(up: RunningUp) -> None:
    assert f"Charlemagne {__version__}</p>" in fetch(up, "/sign-in").decode()


@pytest.mark.long
def test_downloaded_source_archive_builds_the_same_package(up: RunningUp, built: Path, tmp_path: Path) -> None:
    with tarfile.open(fileobj=BytesIO(fetch(up, "/source.tar.gz"))) as sources:
        sources.extractall(tmp_path, filter="data")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=tmp_path / f"charlemagne-{__version__}", check=True, capture_output=True)
    again, first = (next(folder.rglob("*.whl")) for folder in (tmp_path, built))
    assert list_contents(again) == list_contents(first)


def list_contents(wheel: Path) -> dict[str, int]:
    with ZipFile(wheel) as packed:
        return {each.filename: each.CRC for each in packed.infolist()}


@pytest.mark.long
def test_all_processes_run_from_the_package(up: RunningUp) -> None:
    for pid in up.get_children().values():
        assert PROJECT not in Path(f"/proc/{pid}/cwd").resolve().parents
        assert Path(f"/proc/{pid}/cwd").resolve() != PROJECT


@pytest.mark.long
def test_version_commands_print_the_version(bin_folder: Path) -> None:
    for argument in ("--version", "version"):
        assert run(bin_folder / "charlemagne", argument).stdout == f"Charlemagne {__version__}\n"
        assert run(sys.executable, "manage.py", argument).stdout == f"Charlemagne {__version__}\n"


@pytest.mark.long
def test_error_message_suggests_the_installed_command_name(bin_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("k" * 60, encoding="ascii")
    (tmp_path / "charlemagne.sqlite3").write_text("no database", encoding="ascii")
    refused = run(bin_folder / "charlemagne", "up", "--data", tmp_path)
    assert refused.returncode == 2
    assert f": charlemagne restore BACKUP.zip --data {tmp_path}-2, then charlemagne up " in refused.stderr


@pytest.mark.long("installs and starts the package")
def test_package_defaults_to_a_data_folder_in_the_home(bin_folder: Path, tmp_path: Path) -> None:
    assert run(bin_folder / "charlemagne", "showmigrations", "jobs", HOME=str(tmp_path)).returncode == 0
    assert (tmp_path / "charlemagne-data" / "charlemagne.sqlite3").exists()


@pytest.mark.long
def test_package_refuses_to_start_beside_data_of_an_older_program(bin_folder: Path, tmp_path: Path) -> None:
    inside, outside = tmp_path / "charlemagne-0.2" / "data", tmp_path / "charlemagne-data"
    inside.mkdir(parents=True)
    (inside / "charlemagne.sqlite3").touch()
    refused = run(bin_folder / "charlemagne", "up", HOME=str(tmp_path))
    assert refused.returncode == 2
    assert f"type mv {inside} {outside}, then start again" in refused.stderr
    assert not outside.exists()


def test_wheel_installs_only_its_own_package(built: Path, bin_folder: Path) -> None:
    (packages,) = bin_folder.parent.glob("lib/python*/site-packages")
    assert {path.name for path in packages.iterdir()} == {
        "charlemagne", f"charlemagne-{__version__}.dist-info", "needed.pth",
    }  # fmt: skip


@pytest.mark.long
def test_source_archive_contains_every_part_of_the_package(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        names = set(sources.getnames())
    root = f"charlemagne-{__version__}"
    parts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for part in parts["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        assert any(name.startswith(f"{root}/{part}/") for name in names), part
    assert {f"{root}/{name}" for name in ("charlemagne.py", "manage.py", "CHANGELOG.md")} <= names
