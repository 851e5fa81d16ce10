"""Virtual environment beside manage.py: creation, reuse and repair.

The project of these tests has no packages, which keeps them quick.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .small_project import build_project, require_package, start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names the files of an environment as Unix does")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return build_project(tmp_path / "program")


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStart:
    project: Path
    result: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> FirstStart:
    project = build_project(tmp_path_factory.mktemp("made") / "program")
    return FirstStart(project=project, result=start(project))


@pytest.fixture
def made(first_start: FirstStart, tmp_path: Path) -> Path:
    """Return a copy of the project after its first start: creating an environment takes long."""
    assert first_start.result.returncode == 0, first_start.result.stderr
    copy = shutil.copytree(first_start.project, tmp_path / "program", symlinks=True)
    change_stamp(copy, path=str(copy / ".venv"))
    return copy


def read_stamp(project: Path) -> Any:
    return json.loads((project / ".venv" / "installed.json").read_text(encoding="utf-8"))


def change_stamp(project: Path, **values: str) -> None:
    (project / ".venv" / "installed.json").write_text(json.dumps(read_stamp(project) | values), "utf-8")


def require_a_package(project: Path) -> None:
    wanted = f"nothing-of-that-name==1.0 --hash=sha256:{'0' * 64}\n"
    (project / "requirements.txt").write_text(wanted, encoding="utf-8")


@pytest.mark.long
def test_first_start_creates_the_environment_and_the_next_reuses_it(first_start: FirstStart) -> None:
    project, first = first_start.project, first_start.result
    assert first.returncode == 0, first.stderr
    assert "creating a virtual environment" in first.stdout
    assert f"ran in {project / '.venv'}" in first.stdout
    assert start(project).stdout == f"ran in {project / '.venv'}\n"


@pytest.mark.long("makes an environment; the test of the first start is not long")
def test_concurrent_first_starts_create_one_environment(project: Path) -> None:
    with ThreadPoolExecutor() as both:
        starts = list(both.map(lambda _: start(project), range(2)))
    assert [one.returncode for one in starts] == [0, 0], [one.stderr for one in starts]
    assert sum("creating a virtual environment" in one.stdout for one in starts) == 1


@pytest.mark.long
def test_changed_lock_is_installed_at_the_next_start(made: Path) -> None:
    (made / "requirements.txt").write_text("# changed\n", encoding="utf-8")
    again = start(made)
    assert "Installing" in again.stdout
    assert "creating a virtual environment" not in again.stdout


@pytest.mark.long
def test_development_lock_also_serves_ordinary_commands(made: Path) -> None:
    assert "Installing" in start(made, "dev").stdout
    assert "Installing" not in start(made).stdout


@pytest.mark.long("makes an environment; the test of the first start is not long")
def test_interrupted_environment_is_recreated(made: Path) -> None:
    (made / ".venv" / "installed.json").write_text("{}", encoding="utf-8")
    (made / ".venv" / "left behind").touch()
    again = start(made, python=str(made / ".venv" / "bin" / "python"))
    assert again.returncode == 0, again.stderr
    assert "an installation was interrupted" in again.stdout
    assert not (made / ".venv" / "left behind").exists()


@pytest.mark.long("makes an environment; the test of the first start is not long")
def test_environment_without_its_python_is_recreated(made: Path) -> None:
    for link in (made / ".venv" / "bin").glob("python*"):
        link.unlink()
    assert start(made).returncode == 0


@pytest.mark.long("makes an environment; the test of the first start is not long")
@pytest.mark.parametrize("mark", ["abi", "machine"])
def test_environment_for_another_python_or_machine_is_recreated(mark: str, made: Path) -> None:
    change_stamp(made, **{mark: "another"})
    (made / "requirements.txt").write_text("# changed as well\n", encoding="utf-8")
    again = start(made)
    assert again.returncode == 0, again.stderr
    assert "Python or this computer has changed" in again.stdout
    assert start(made).stdout == f"ran in {made / '.venv'}\n"


@pytest.mark.long("makes an environment; the test of the first start is not long")
def test_environment_is_recreated_after_a_python_upgrade(made: Path, tmp_path: Path) -> None:
    require_package(made, tmp_path / "stick")
    stick = {"PACKAGES": str(tmp_path / "stick")}
    assert start(made, **stick).returncode == 0
    (library,) = (made / ".venv" / "lib").glob("python3*")
    library.rename(library.with_name("python3.10"))
    change_stamp(made, abi=".cpython-310.so")
    again = start(made, **stick)
    assert again.returncode == 0, again.stderr
    assert "Python or this computer has changed" in again.stdout


@pytest.mark.slow
def test_copied_program_uses_its_own_environment_offline(made: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(made, tmp_path / "copy", symlinks=True)
    again = start(copy, PIP_INDEX_URL="http://127.0.0.1:9/")
    assert again.stdout == f"ran in {copy / '.venv'}\n"
    assert read_stamp(copy)["path"] == str(copy / ".venv")


@pytest.mark.long("makes an environment; the test of the first start is not long")
def test_dangling_environment_link_is_replaced(project: Path) -> None:
    (project / ".venv").symlink_to(project / "gone")
    started = start(project)
    assert started.returncode == 0, started.stderr
    assert (project / ".venv").is_dir()
    assert not (project / "gone").exists()


@pytest.mark.long
def test_packages_are_installed_from_a_folder_offline(made: Path, tmp_path: Path) -> None:
    require_package(made, stick := tmp_path / "stick")
    installed = start(made, PACKAGES=str(stick), PIP_INDEX_URL="http://127.0.0.1:9/")
    assert installed.returncode == 0, installed.stderr
    assert "Installed." in installed.stdout


@pytest.mark.long
def test_package_missing_from_the_folder_is_named(made: Path, tmp_path: Path) -> None:
    require_a_package(made)
    refused = start(made, PACKAGES=str(tmp_path))
    assert refused.stderr.startswith(f"{tmp_path} has no package nothing-of-that-name for this computer.")


@pytest.mark.long
def test_package_that_fails_to_load_is_reported(made: Path, tmp_path: Path) -> None:
    require_package(made, stick := tmp_path / "stick", code="raise ImportError('no such symbol')")
    refused = start(made, PACKAGES=str(stick))
    assert "one cannot be loaded: ImportError: no such symbol." in refused.stderr
    assert "Installed." not in refused.stdout
    assert read_stamp(made) == {}


@pytest.mark.long
def test_failed_download_gets_one_sentence_and_can_be_repaired(made: Path) -> None:
    require_a_package(made)
    refused = start(made, PIP_CONFIG_FILE=os.devnull, PIP_INDEX_URL=made.as_uri())
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1
    assert f"Installing the packages from {made.as_uri()} failed" in refused.stderr
    assert read_stamp(made) == {}


@pytest.mark.long
def test_unreachable_registry_gets_one_sentence(made: Path) -> None:
    require_a_package(made)
    index = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://me:secret@127.0.0.1:9/simple"}
    refused = start(made, **index)
    assert "downloaded: http://127.0.0.1:9/simple cannot be reached. Connect" in refused.stderr
    refused = start(made, **index, PIP_PROXY="http://127.0.0.1:8")
    assert "reached through the proxy http://127.0.0.1:8. Connect" in refused.stderr


def test_a_python_without_venv_gets_one_sentence(project: Path) -> None:
    hide = (
        "import importlib.util as u, runpy\n"
        "found = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'ensurepip' else found(name, *rest)\n"
        "runpy.run_path('here.py', run_name='__main__')\n"
    )
    refused = start(project, "-c", hide)
    assert refused.stderr.startswith("This Python cannot create virtual environments.")


def test_user_installation_creates_no_environment(project: Path) -> None:
    installed = project / "charlemagne-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: charlemagne\nVersion: 1.0\n")
    assert "ran in" in start(project).stdout
    assert not (project / ".venv").exists()
