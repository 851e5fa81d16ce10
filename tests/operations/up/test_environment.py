"""The environment beside manage.py: made, held, repaired. A project without packages keeps it quick."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from operations.data_dir import PROJECT

from .conftest import environment

COMMAND = """
import sys
from pathlib import Path
sys.path.insert(0, str(Path.cwd()))
from operations.terminal import Stop
from operations.environment import run_in_environment
try:
    status = run_in_environment(["here.py", *sys.argv[1:]], is_development="dev" in sys.argv)
except Stop as stop:
    sys.exit(str(stop))
print("ran in", sys.prefix)
sys.exit(status)
"""

BARE_PYTHON: str = getattr(sys, "_base_executable", sys.executable)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names the files of an environment as Unix does")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What it takes to make an environment, with locks that ask for nothing."""
    return _laid_out(tmp_path)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStart:
    project: Path
    ended: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> FirstStart:
    project = _laid_out(tmp_path_factory.mktemp("made"))
    return FirstStart(project=project, ended=start(project))


@pytest.fixture
def made(first_start: FirstStart, tmp_path: Path) -> Path:
    """The same after its first start: a copy, for creating a virtual environment takes a while."""
    assert first_start.ended.returncode == 0, first_start.ended.stderr
    return shutil.copytree(first_start.project, tmp_path / "project", symlinks=True)


def _laid_out(folder: Path) -> Path:
    (folder / "operations").mkdir()
    for name in ("__init__", "file_lock", "environment", "data_dir", "terminal"):
        shutil.copy(PROJECT / "operations" / f"{name}.py", folder / "operations")
    (folder / "manage.py").touch()
    (folder / "requirements.txt").write_text("", encoding="utf-8")
    (folder / "requirements-dev.txt").write_text("# more\n", encoding="utf-8")
    (folder / "here.py").write_text(COMMAND, encoding="utf-8")
    return folder


def start(
    project: Path, *words: str, python: str = BARE_PYTHON, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run it, with a Python that has nothing installed if no other is named."""
    return subprocess.run(
        [python, "-S", "-I", *(words if words[:1] == ("-c",) else ["here.py", *words])],
        cwd=project, env=environment(**variables), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def want_a_package(project: Path) -> None:
    wanted = f"nothing-of-that-name==1.0 --hash=sha256:{'0' * 64}\n"
    (project / "requirements.txt").write_text(wanted, encoding="utf-8")


@pytest.mark.slow
def test_the_first_start_makes_it_and_the_next_uses_it(first_start: FirstStart) -> None:
    project, first = first_start.project, first_start.ended
    assert first.returncode == 0, first.stderr
    assert "creating a virtual environment" in first.stdout
    assert f"ran in {project / '.venv'}" in first.stdout
    assert start(project).stdout == f"ran in {project / '.venv'}\n"


@pytest.mark.long("an environment is made: the first start stays")
def test_two_first_starts_at_once_make_one_and_both_use_it(project: Path) -> None:
    with ThreadPoolExecutor() as both:
        starts = list(both.map(lambda _: start(project), range(2)))
    assert [one.returncode for one in starts] == [0, 0], [one.stderr for one in starts]
    assert sum("creating a virtual environment" in one.stdout for one in starts) == 1


@pytest.mark.slow
def test_another_lock_is_installed_at_the_next_start(made: Path) -> None:
    (made / "requirements.txt").write_text("# changed\n", encoding="utf-8")
    again = start(made)
    assert "Installing" in again.stdout
    assert "creating a virtual environment" not in again.stdout


@pytest.mark.slow
def test_the_development_lock_holds_for_ordinary_commands_too_but_not_the_other_way(made: Path) -> None:
    assert "Installing" in start(made, "dev").stdout
    assert "Installing" not in start(made).stdout


@pytest.mark.long("an environment is made: the first start stays")
def test_one_that_was_cut_off_is_made_anew_also_by_its_own_python(made: Path) -> None:
    (made / ".venv" / "installed.json").write_text("{}", encoding="utf-8")
    (made / ".venv" / "left behind").touch()
    again = start(made, python=str(made / ".venv" / "bin" / "python"))
    assert again.returncode == 0, again.stderr
    assert "creating a virtual environment" in again.stdout
    assert not (made / ".venv" / "left behind").exists()


@pytest.mark.long("an environment is made: the first start stays")
def test_one_whose_python_is_gone_is_made_anew(made: Path) -> None:
    for link in (made / ".venv" / "bin").glob("python*"):
        link.unlink()
    assert start(made).returncode == 0


@pytest.mark.slow
def test_packages_that_cannot_be_had_get_one_sentence_and_leave_it_to_be_repaired(made: Path) -> None:
    want_a_package(made)
    refused = start(made, PIP_CONFIG_FILE=os.devnull, PIP_NO_INDEX="1")
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1
    assert "Installing the packages failed" in refused.stderr
    assert json.loads((made / ".venv" / "installed.json").read_text(encoding="utf-8")) == {}


@pytest.mark.slow
def test_a_registry_out_of_reach_gets_one_sentence(made: Path) -> None:
    want_a_package(made)
    refused = start(made, PIP_CONFIG_FILE=os.devnull, PIP_INDEX_URL="http://127.0.0.1:9/")
    assert refused.stderr.startswith("The packages could not be downloaded: the package registry ")


def test_a_python_without_venv_gets_one_sentence(project: Path) -> None:
    hide = (
        "import importlib.util as u, runpy\n"
        "found = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'ensurepip' else found(name, *rest)\n"
        "runpy.run_path('here.py', run_name='__main__')\n"
    )
    refused = start(project, "-c", hide)
    assert refused.stderr.startswith("This Python cannot create virtual environments.")


def test_nothing_is_made_where_the_project_is_installed_by_its_user(project: Path) -> None:
    installed = project / "charlemagne-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: charlemagne\nVersion: 1.0\n")
    assert "ran in" in start(project).stdout
    assert not (project / ".venv").exists()
