"""First starts in hostile environments: each works, or ends with one sentence that says what to do."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from operations import bootstrap, data_dir, environment, packages
from operations.data_dir import PROJECT
from operations.environment import Environment
from operations.terminal import Stop

from .conftest import build_environment as variables_of_tests
from .small_project import BARE_PYTHON, build_project, require_package, start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names the files of an environment as Unix does")

HOSTILE_PIP = {
    "PIP_TARGET": "elsewhere",
    "PIP_USER": "1",
    "PIP_PREFIX": "elsewhere",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_CONSTRAINT": "missing.txt",
    "PIP_NO_BINARY": ":all:",
    "PIP_DRY_RUN": "1",
    "PIP_QUIET": "3",
    "PIP_LOG": "/dev/full",
    "PIP_PYTHON": "/bin/false",
    "PIP_NO_INDEX": "1",
}
HOSTILE_VARIABLES = {
    "LC_ALL": "xx_XX.unknown",
    "LANG": "en_US.ISO-8859-1",
    "TMPDIR": "/nowhere",
    "HOME": "/nowhere",
    "VIRTUAL_ENV": "/nowhere",
    "PYTHONNOUSERSITE": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in a folder with a space and an accent."""
    return build_project(tmp_path / "soirée du club")


@pytest.mark.long
def test_first_start_ignores_hostile_variables_and_umask(project: Path, tmp_path: Path) -> None:
    require_package(project, stick := tmp_path / "clé USB")
    (tmp_path / "pip.conf").write_text("this is no configuration", encoding="utf-8")
    hostile = HOSTILE_PIP | HOSTILE_VARIABLES | {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf")}
    started = start(project, UMASK="77", PACKAGES=str(stick), **hostile)
    assert started.returncode == 0, started.stderr
    assert list((project / ".venv").glob("lib/python*/site-packages/deck.py"))


@pytest.mark.long("makes many environments; the test of all at once is not long")
@pytest.mark.parametrize("name", HOSTILE_PIP)
def test_first_start_ignores_pip_settings(name: str, project: Path, tmp_path: Path) -> None:
    require_package(project, stick := tmp_path / "stick")
    started = start(project, PIP_CONFIG_FILE=os.devnull, PIP_FIND_LINKS=str(stick), **{name: HOSTILE_PIP[name]})
    assert started.returncode == 0, started.stderr
    assert list((project / ".venv").glob("lib/python*/site-packages/deck.py"))


@pytest.mark.long
@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONPATH": "{shadows}"},
        {"PYTHONSAFEPATH": "1"},
        {"PYTHONWARNINGS": "error", "PYTHONOPTIMIZE": "2", "PYTHONINSPECT": ""},
        {"PYTHONSTARTUP": "{shadows}/tempfile.py", "PYTHONUSERBASE": "{shadows}"},
        {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=lambda variables: next(iter(variables)),
)
def test_command_ignores_python_variables(variables: dict[str, str], tmp_path: Path) -> None:
    for module in ("tempfile", "secrets", "json", "operations"):
        (tmp_path / f"{module}.py").write_text("raise ImportError('not the real one')", encoding="utf-8")
    given = {name: value.format(shadows=tmp_path) for name, value in variables.items()}
    ended = subprocess.run(
        [BARE_PYTHON, PROJECT / "manage.py", "version"],
        cwd=tmp_path, env=variables_of_tests(**given),
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("Charlemagne ")


def test_read_only_program_folder_puts_the_environment_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(environment, "PROJECT", tmp_path / "file" / "program")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = environment._find_usable_environment()
    assert found.folder.parent == tmp_path / "cache" / "charlemagne"


def test_disk_without_execute_permission_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> None:
        raise OSError(errno.EACCES, "noexec")

    monkeypatch.setattr(environment, "_check_place", refuse)
    monkeypatch.setenv(data_dir.DATA_VARIABLE, str(tmp_path))
    with pytest.raises(Stop, match="on a disk that may run programs") as stop:
        environment._find_usable_environment()
    assert f"{tmp_path / 'environment'}: noexec" in str(stop.value)


def test_an_account_without_home_is_asked_for_a_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_no_home() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", raise_no_home)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", True)
    monkeypatch.delenv(data_dir.DATA_VARIABLE, raising=False)
    with pytest.raises(Stop, match="Your account has no home folder"):
        data_dir.data_folder()


def test_unknown_home_in_a_path_gets_one_sentence() -> None:
    with pytest.raises(Stop, match="begins with ~, but that account has no home folder"):
        data_dir.resolve_user_path("~nobody-of-that-name/data")


@pytest.mark.slow
def test_help_needs_no_environment(project: Path) -> None:
    for folder in ("config", "operations", "scoring"):
        shutil.copytree(PROJECT / folder, project / folder, dirs_exist_ok=True)
    shutil.copy(PROJECT / "manage.py", project)
    shown = subprocess.run(
        [BARE_PYTHON, project / "manage.py", "up", "--help"],
        env=variables_of_tests(), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert shown.stdout.startswith("usage: python3 manage.py up "), shown.stderr
    assert not (project / ".venv").exists()


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_closed_stream_is_replaced_by_the_null_device(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, name, None)
    assert bootstrap.main(["manage.py", "version"]) == 0
    assert getattr(sys, name).name == os.devnull


@pytest.mark.parametrize("option", ["link", "link/data", None])
def test_link_to_a_missing_disk_starts_no_new_club(
    option: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("link", "data"):
        (tmp_path / name).symlink_to(tmp_path / "unplugged")
    monkeypatch.setattr(data_dir, "PROJECT", tmp_path)
    monkeypatch.delenv(data_dir.DATA_VARIABLE)
    if option:
        monkeypatch.setenv(data_dir.DATA_VARIABLE, str(tmp_path / option))
    with pytest.raises(Stop, match=f"is a link to {tmp_path / 'unplugged'}, which is missing. Connect that disk"):
        data_dir.data_folder()


@pytest.mark.parametrize("name", ["circle", "x" * 300])
def test_path_that_cannot_be_opened_gets_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    folder = data_dir.resolve_user_path(str(tmp_path / name))
    with pytest.raises(Stop, match="Cannot write to the data folder"):
        bootstrap._check_data_folder("up", folder)


def test_read_only_clone_keeps_its_data_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert data_dir.get_default_folder() == tmp_path / "home" / "charlemagne-data"


def test_progress_is_reported_for_packages_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (python := tmp_path / "python").write_text("#!/bin/sh\nfor n in 0 1 2 3 4 5 6 7 8 9; do echo Processing $n; done\n")
    python.chmod(0o755)
    (lock := tmp_path / "lock").write_text("deck==1.0\n" * 20)
    packages._run_pip(python, "install", [], lock, tmp_path / "log", tmp_path)
    assert "10 of 20\n" in capsys.readouterr().out


@pytest.mark.parametrize("error", ["certificate is not yet valid", "certificate has expired"])
def test_wrong_date_of_the_computer_is_suspected(error: str, tmp_path: Path) -> None:
    (log := tmp_path / "log").write_text(f"SSLCertVerificationError: certificate verify failed: {error}")
    assert f"{time.strftime('%Y-%m-%d')}, the date of this computer." in packages._format_failure(log, None, {})


@pytest.mark.long
def test_log_named_in_an_error_exists(project: Path) -> None:
    require_package(project, project / "stick")
    (project / "stick" / "deck_of_tests-1.0-py3-none-any.whl").write_bytes(b"no wheel")
    refused = start(project, PACKAGES=str(project / "stick"))
    log = Environment(project / ".venv").log
    assert f"(details: {log})" in refused.stderr
    assert log.exists()
