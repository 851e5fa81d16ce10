"""Checks that every command runs before it begins."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from operations import data_dir
from operations.data_dir import DATABASE_FILE, KEY_FILE, PROJECT, check_other_programs
from operations.terminal import Stop

from .conftest import FRENCH, FirstCommand, build_environment, run_manage

OLD_PYTHON = """
import runpy, sys
sys.version_info = (3, 8, 1)
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.long
def test_outdated_python_gets_one_sentence() -> None:
    for language, sentence in [
        ({}, "Charlemagne needs Python 3.11 or newer; this is Python 3.8.\n"),
        (FRENCH, "Charlemagne demande Python 3.11 ou plus récent; ici, c'est Python 3.8.\n"),
    ]:
        refused = subprocess.run(
            [sys.executable, "-c", OLD_PYTHON],
            cwd=PROJECT, env=build_environment(**language), capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert (refused.returncode, refused.stderr) == (2, sentence)


def test_manage_script_parses_on_old_pythons() -> None:
    source = (PROJECT / "manage.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 4))
    assert ":=" not in source
    assert 'f"' not in source


@pytest.mark.long
def test_command_prepares_its_data_folder_once(first_command: FirstCommand, tmp_path: Path) -> None:
    first, folder = first_command.result, tmp_path / "a" / "new folder"
    shutil.copytree(first_command.folder, folder)
    assert first.returncode == 0, first.stderr
    assert "[X] 0001_squashed" in first.stdout
    assert "Preparing" in first.stderr
    assert not run_manage("showmigrations", "jobs", f"--data={folder}").stderr
    assert not run_manage("showmigrations", "jobs", CHARLEMAGNE_DATA=str(folder)).stderr


@pytest.mark.long
def test_unwritable_data_folder_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = run_manage("up", "--data", str(tmp_path / "file" / "data"))
    assert refused.returncode == 2
    assert refused.stderr == (
        f"Cannot write to the data folder {tmp_path / 'file' / 'data'} (Not a directory). "
        "Choose another one: --data FOLDER.\n"
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "command", [["backup", "saved.zip"], ["seal_contacts"], ["move", "elsewhere"], ["rebuild_matches"]]
)
def test_maintenance_command_does_not_create_an_installation(command: list[str], tmp_path: Path) -> None:
    empty, none = tmp_path / "empty", tmp_path / "none"
    empty.mkdir()
    for folder in (empty, none):
        refused = run_manage(*command, "--data", str(folder))
        assert refused.returncode == 2
        assert refused.stderr == f"Data folder not found: {folder}. Name the right one: --data FOLDER.\n"
    assert not list(empty.iterdir())
    assert not none.exists()


@pytest.mark.slow
def test_help_names_the_default_data_folder() -> None:
    help_text = " ".join(run_manage("up", "--help").stdout.split())
    assert f"data folder (default: {data_dir.get_default_folder()})" in help_text


def test_default_data_folder_is_outside_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, home = tmp_path / "charlemagne-0.2", tmp_path / "home"
    program.mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", program)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert data_dir.get_default_folder() == home / "charlemagne-data"


@pytest.mark.parametrize("what", ["data", ".git"])
def test_existing_data_or_a_clone_keeps_the_folder_inside_the_program(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / what).mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", tmp_path)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", False)
    assert data_dir.get_default_folder() == tmp_path / "data"


def test_start_refuses_if_another_version_has_data_inside(
    home_with_two_programs: Path,
) -> None:
    home, inside = home_with_two_programs, home_with_two_programs / "charlemagne-0.2" / "data"
    with pytest.raises(Stop) as stop:
        check_other_programs(data_dir.get_default_folder())
    assert f"mv {inside} {home / 'charlemagne-data'}, then start again" in str(stop.value)
    inside.rename(data_dir.get_default_folder())
    check_other_programs(data_dir.get_default_folder())


def test_start_accepts_a_named_folder_or_foreign_data(
    home_with_two_programs: Path,
) -> None:
    inside = home_with_two_programs / "charlemagne-0.2" / "data"
    check_other_programs(home_with_two_programs / "new-club")
    (inside / DATABASE_FILE).rename(inside / "other.sqlite3")
    check_other_programs(data_dir.get_default_folder())


@pytest.fixture
def home_with_two_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with an older version that has data in its folder, and a new one that never started."""
    older, newer = tmp_path / "charlemagne-0.2", tmp_path / "charlemagne-0.3"
    (older / "data").mkdir(parents=True)
    (older / "data" / DATABASE_FILE).touch()
    newer.mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", newer)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["backup", "{folder}/saved.zip"], "Backup written and verified:"),
        (["rebuild_matches"], "Matches checked: 0"),
        (["standings", "nothing"], "This event does not exist."),
        (["restore", "none.zip"], "File not found: none.zip."),
    ],
)
def test_command_uses_the_language_of_the_terminal(
    command: list[str], words: str, tmp_path: Path, prepared_folder: Path
) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    ended = run_manage(*(word.format(folder=tmp_path) for word in command), "--data", str(data))
    assert words in ended.stdout + ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["up", "--data"], ["up", "--data", "--port"], ["up", "--data="]])
def test_data_option_without_a_folder_gets_one_sentence(arguments: list[str]) -> None:
    refused = run_manage(*arguments)
    assert (refused.returncode, refused.stderr) == (2, "--data needs the name of a folder after it.\n")


@pytest.mark.long
def test_unknown_benchmark_lists_the_known_ones() -> None:
    refused = run_manage("bench", "nothing")
    assert refused.returncode == 1
    assert "start" in refused.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there, folders inherit who may read them")
def test_files_written_by_the_program_are_private(tmp_path: Path, prepared_folder: Path) -> None:
    data, saved = shutil.copytree(prepared_folder, tmp_path / "data"), tmp_path / "saved.zip"
    data.chmod(0o755)  # the mode that earlier versions used
    assert run_manage("backup", str(saved), "--data", str(data)).returncode == 0
    assert list_modes(data, saved) == [0o700, 0o600]
    assert list_modes(prepared_folder, prepared_folder / DATABASE_FILE, prepared_folder / KEY_FILE) == [
        0o700,
        0o600,
        0o600,
    ]


def list_modes(*paths: Path) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in paths]
