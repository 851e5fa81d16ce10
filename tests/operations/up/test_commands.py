"""Checks of every command before it begins."""

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
from operations.data_dir import DATABASE, KEY, PROJECT, check_other_programs
from operations.terminal import Stop

from .conftest import FRENCH, FirstCommand, environment, manage

OLD_PYTHON = """
import runpy, sys
sys.version_info = (3, 8, 1)
runpy.run_path("manage.py", run_name="__main__")
"""


def test_a_python_that_is_too_old_gets_one_sentence() -> None:
    for language, sentence in [
        ({}, "Charlemagne needs Python 3.11 or newer; this is Python 3.8.\n"),
        (FRENCH, "Charlemagne demande Python 3.11 ou plus récent; ici, c'est Python 3.8.\n"),
    ]:
        refused = subprocess.run(
            [sys.executable, "-c", OLD_PYTHON],
            cwd=PROJECT, env=environment(**language), capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert (refused.returncode, refused.stderr) == (2, sentence)


def test_old_pythons_can_read_the_file_that_tells_them_so() -> None:
    source = (PROJECT / "manage.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 4))
    assert ":=" not in source
    assert 'f"' not in source


@pytest.mark.slow
def test_a_command_prepares_the_folder_it_is_given_in_whatever_way_once(
    first_command: FirstCommand, tmp_path: Path
) -> None:
    first, folder = first_command.ended, tmp_path / "a" / "new folder"
    shutil.copytree(first_command.folder, folder)
    assert first.returncode == 0, first.stderr
    assert "[X] 0001_squashed" in first.stdout
    assert "Preparing" in first.stderr
    assert not manage("showmigrations", "jobs", f"--data={folder}").stderr
    assert not manage("showmigrations", "jobs", CHARLEMAGNE_DATA=str(folder)).stderr


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = manage("up", "--data", str(tmp_path / "file" / "data"))
    assert refused.returncode == 2
    assert refused.stderr == (
        f"Cannot write to the data folder {tmp_path / 'file' / 'data'} (Not a directory). "
        "Choose another one: --data FOLDER.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["backup", "saved.zip"], ["seal_contacts"], ["move", "elsewhere"], ["rebuild_matches"]]
)
def test_what_is_about_an_installation_begins_none(command: list[str], tmp_path: Path) -> None:
    empty, none = tmp_path / "empty", tmp_path / "none"
    empty.mkdir()
    for folder in (empty, none):
        refused = manage(*command, "--data", str(folder))
        assert refused.returncode == 2
        assert refused.stderr == f"Data folder not found: {folder}. Name the right one: --data FOLDER.\n"
    assert not list(empty.iterdir())
    assert not none.exists()


@pytest.mark.slow
def test_the_help_names_the_folder_that_a_start_would_take() -> None:
    said = " ".join(manage("up", "--help").stdout.split())
    assert f"data folder (default: {data_dir.usual_folder()})" in said


def test_data_lie_outside_the_program_whose_folder_goes_when_a_newer_one_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, home = tmp_path / "charlemagne-0.2", tmp_path / "home"
    program.mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", program)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert data_dir.usual_folder() == home / "charlemagne-data"


@pytest.mark.parametrize("what", ["data", ".git"])
def test_data_that_lie_in_the_program_are_found_there_and_a_clone_has_its_own(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / what).mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", tmp_path)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", False)
    assert data_dir.usual_folder() == tmp_path / "data"


def test_no_empty_club_is_begun_where_another_program_has_data_inside(
    home_with_two_programs: Path,
) -> None:
    home, inside = home_with_two_programs, home_with_two_programs / "charlemagne-0.2" / "data"
    with pytest.raises(Stop) as stop:
        check_other_programs(data_dir.usual_folder())
    assert f"mv {inside} {home / 'charlemagne-data'}, then start again" in str(stop.value)
    inside.rename(data_dir.usual_folder())
    check_other_programs(data_dir.usual_folder())


def test_but_one_is_begun_where_its_folder_is_named_or_the_other_data_are_of_another_program(
    home_with_two_programs: Path,
) -> None:
    inside = home_with_two_programs / "charlemagne-0.2" / "data"
    check_other_programs(home_with_two_programs / "new-club")
    (inside / DATABASE).rename(inside / "other.sqlite3")
    check_other_programs(data_dir.usual_folder())


@pytest.fixture
def home_with_two_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The older one has data inside its own folder, the newer one is never started yet."""
    older, newer = tmp_path / "charlemagne-0.2", tmp_path / "charlemagne-0.3"
    (older / "data").mkdir(parents=True)
    (older / "data" / DATABASE).touch()
    newer.mkdir()
    monkeypatch.setattr(data_dir, "PROJECT", newer)
    monkeypatch.setattr(data_dir, "IS_INSTALLED", False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["backup", "{folder}/saved.zip"], "Backup written and verified:"),
        (["rebuild_matches"], "Matches checked: 0"),
        (["standings", "nothing"], "This event does not exist."),
        (["restore", "none.zip"], "File not found: none.zip."),
    ],
)
def test_a_command_speaks_the_language_of_the_terminal(
    command: list[str], words: str, tmp_path: Path, prepared_folder: Path
) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    ended = manage(*(word.format(folder=tmp_path) for word in command), "--data", str(data))
    assert words in ended.stdout + ended.stderr


@pytest.mark.parametrize("arguments", [["up", "--data"], ["up", "--data", "--port"], ["up", "--data="]])
def test_data_without_a_folder_gets_one_sentence(arguments: list[str]) -> None:
    refused = manage(*arguments)
    assert (refused.returncode, refused.stderr) == (2, "--data needs the name of a folder after it.\n")


@pytest.mark.slow
def test_a_bench_that_does_not_exist_gets_the_list_of_those_that_do() -> None:
    refused = manage("bench", "nothing")
    assert refused.returncode == 1
    assert "start" in refused.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there, folders inherit who may read them")
def test_nobody_else_of_the_computer_reads_what_the_program_writes(
    tmp_path: Path, prepared_folder: Path
) -> None:
    data, saved = shutil.copytree(prepared_folder, tmp_path / "data"), tmp_path / "saved.zip"
    data.chmod(0o755)  # as earlier versions made it
    assert manage("backup", str(saved), "--data", str(data)).returncode == 0
    assert modes(data, saved) == [0o700, 0o600]
    assert modes(prepared_folder, prepared_folder / DATABASE, prepared_folder / KEY) == [0o700, 0o600, 0o600]


def modes(*paths: Path) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in paths]
