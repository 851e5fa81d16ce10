"""The program as a package: built, installed beside nothing of its source, and started by its own name."""

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
from tests.support.waiting import PATIENCE, wait_until

from .conftest import Up, environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names the files of an environment as Unix does")


def run(*command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=PROJECT, env=environment(**more), capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("built")
    ended = run(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture(scope="module")
def bin_folder(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment in which the wheel was installed. What it needs comes from ours."""
    folder = tmp_path_factory.mktemp("installed")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder)
    assert made.returncode == 0, made.stderr
    python = folder / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    installed = run(
        sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel
    )
    assert installed.returncode == 0, installed.stderr
    (packages,) = folder.glob("lib/python*/site-packages")
    ours = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "needed.pth").write_text(f"{ours}\n", encoding="utf-8")
    return folder / "bin"


@pytest.fixture(scope="module")
def up(bin_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """The installed program, started from a folder in which nothing lies."""
    folder = tmp_path_factory.mktemp("up")
    up = Up(folder / "data", project=folder, program=[bin_folder / "charlemagne"])
    try:
        wait_until(up.answers)
        wait_until(up.all_children_run)
        yield up
    finally:
        up.end()


def fetched(up: Up, path: str) -> bytes:
    with urlopen(f"http://127.0.0.1:{up.port}{path}", timeout=PATIENCE) as answer:
        assert answer.status == 200
        return bytes(answer.read())


@pytest.mark.long("the package is installed and started")
def test_it_serves_its_first_page_with_styles_pictures_and_scripts(up: Up) -> None:
    page = fetched(up, "/fr" + urlsplit(up.first_link()).path).decode()
    assert "Rien à installer sur les téléphones." in page
    named = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    assert {path.rpartition(".")[2] for path in named} >= {"css", "js", "svg"}
    for path in named:
        assert fetched(up, path)


def test_its_version_stands_at_the_foot_of_a_page(up: Up) -> None:
    assert f"Charlemagne {__version__}</p>" in fetched(up, "/sign-in").decode()


@pytest.mark.slow
def test_its_source_archive_builds_the_same_package_again(up: Up, built: Path, tmp_path: Path) -> None:
    with tarfile.open(fileobj=BytesIO(fetched(up, "/source.tar.gz"))) as sources:
        sources.extractall(tmp_path, filter="data")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=tmp_path / f"charlemagne-{__version__}", check=True, capture_output=True)
    again, first = (next(folder.rglob("*.whl")) for folder in (tmp_path, built))
    assert contents(again) == contents(first)


def contents(wheel: Path) -> dict[str, int]:
    with ZipFile(wheel) as packed:
        return {each.filename: each.CRC for each in packed.infolist()}


def test_all_its_parts_come_from_the_package(up: Up) -> None:
    for pid in up.children().values():
        assert PROJECT not in Path(f"/proc/{pid}/cwd").resolve().parents
        assert Path(f"/proc/{pid}/cwd").resolve() != PROJECT


@pytest.mark.slow
def test_it_tells_its_version(bin_folder: Path) -> None:
    for argument in ("--version", "version"):
        assert run(bin_folder / "charlemagne", argument).stdout == f"Charlemagne {__version__}\n"
        assert run(sys.executable, "manage.py", argument).stdout == f"Charlemagne {__version__}\n"


@pytest.mark.slow
def test_what_it_says_to_type_begins_with_its_own_name(bin_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("k" * 60, encoding="ascii")
    (tmp_path / "charlemagne.sqlite3").write_text("no database", encoding="ascii")
    refused = run(bin_folder / "charlemagne", "up", "--data", tmp_path)
    assert refused.returncode == 2
    assert f": charlemagne restore BACKUP.zip --data {tmp_path}-2, then charlemagne up " in refused.stderr


@pytest.mark.long("the package is installed and started")
def test_without_a_folder_it_takes_one_in_the_home_of_whoever_starts_it(
    bin_folder: Path, tmp_path: Path
) -> None:
    assert run(bin_folder / "charlemagne", "showmigrations", "jobs", HOME=str(tmp_path)).returncode == 0
    assert (tmp_path / "charlemagne-data" / "charlemagne.sqlite3").exists()


@pytest.mark.slow
def test_it_begins_no_empty_club_there_where_an_older_program_has_data_inside(
    bin_folder: Path, tmp_path: Path
) -> None:
    inside, outside = tmp_path / "charlemagne-0.2" / "data", tmp_path / "charlemagne-data"
    inside.mkdir(parents=True)
    (inside / "charlemagne.sqlite3").touch()
    refused = run(bin_folder / "charlemagne", "up", HOME=str(tmp_path))
    assert refused.returncode == 2
    assert f"type mv {inside} {outside}, then start again" in refused.stderr
    assert not outside.exists()


@pytest.mark.slow
def test_the_wheel_has_no_other_package_than_its_own(built: Path, bin_folder: Path) -> None:
    (packages,) = bin_folder.parent.glob("lib/python*/site-packages")
    assert {path.name for path in packages.iterdir()} == {
        "charlemagne", f"charlemagne-{__version__}.dist-info", "needed.pth",
    }  # fmt: skip


@pytest.mark.slow
def test_the_source_archive_holds_what_the_package_is_made_of(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        names = set(sources.getnames())
    root = f"charlemagne-{__version__}"
    parts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for part in parts["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        assert any(name.startswith(f"{root}/{part}/") for name in names), part
    assert {f"{root}/{name}" for name in ("charlemagne.py", "manage.py", "CHANGELOG.md")} <= names
