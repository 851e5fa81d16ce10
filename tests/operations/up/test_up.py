"""`manage.py up`: from an empty folder to an answer, and to the end."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config.management.commands.up import greet, tell_second_folder
from operations.data_dir import PROJECT, SECOND_FOLDER_VARIABLE
from tests.support.waiting import PATIENCE, wait_until

from .conftest import FRENCH, Up, environment, is_alive, manage, starts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@pytest.mark.slow
def test_from_an_empty_folder_to_the_first_run_link(tmp_path: Path) -> None:
    up = Up(tmp_path / "data")
    try:
        wait_until(up.answers)
        assert up.first_link()
        assert f"Data folder: {up.data}" in up.said()
        assert (up.data / "charlemagne.sqlite3").exists()
        assert stat.S_IMODE((up.data / "secret.key").stat().st_mode) == 0o600
    finally:
        up.end()


@pytest.mark.slow
def test_a_listener_on_this_computer_only_is_not_announced_to_the_network(up: Up) -> None:
    assert "On the network" not in up.said()


def test_the_address_on_the_network_is_said_and_in_a_terminal_a_square_of_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    settings.LISTENS_AT = "192.0.2.7"
    greet("192.0.2.7", 8000, None)
    _, _, said = capsys.readouterr().out.partition("On the network")
    assert "http://192.0.2.7:8000/" in said
    assert said.count("█") > 50


@pytest.mark.parametrize("name", ["web", "worker", "long-worker", "outgoing-worker", "beat"])
def test_a_child_that_dies_is_started_again(up: Up, name: str) -> None:
    first = up.children()[name]
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: up.children().get(name, first) != first)
    wait_until(up.answers)
    wait_until(up.all_children_run)
    assert f"{name} ended (-9); restarting it in 0.5 s" in up.said()


@pytest.mark.slow
def test_the_processes_share_what_up_has_loaded(up_of_its_own: Up) -> None:
    up = up_of_its_own
    wait_until(up.all_children_run)
    for name, child in up.children().items():
        told = Path(f"/proc/{child}/smaps_rollup").read_text(encoding="utf-8").splitlines()
        memory = {line.split()[0]: int(line.split()[1]) for line in told if line.endswith(" kB")}
        assert memory["Pss:"] < memory["Rss:"] / 2, name


def test_a_second_folder_for_backups_is_told_to_processes_that_are_copies_and_to_those_begun_anew(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECOND_FOLDER_VARIABLE, "")
    tell_second_folder(tmp_path)
    assert settings.SECOND_BACKUP_FOLDER == os.environ[SECOND_FOLDER_VARIABLE] == str(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_end_ends_all_processes(up_of_its_own: Up, ending: signal.Signals) -> None:
    up = up_of_its_own
    children = up.children().values()
    up.process.send_signal(ending)
    assert up.process.wait(60) == 0
    assert not [child for child in children if is_alive(child)]
    assert "Traceback" not in up.said()


@pytest.mark.slow
@pytest.mark.parametrize(
    "child",
    [["web", "127.0.0.1", "0"], ["worker"], ["long-worker"], ["outgoing-worker"], ["beat"]],
    ids=lambda child: child[0],
)
def test_a_child_that_is_ended_while_it_loads_ends_at_once(
    child: list[str], tmp_path: Path, prepared_folder: Path
) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    ended = subprocess.run(
        [sys.executable, "-m", "operations.up.child", *child],
        cwd=PROJECT, env=environment(CHARLEMAGNE_DATA=str(data), DJANGO_SETTINGS_MODULE="config.settings"),
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.slow
def test_the_folder_of_a_killed_up_is_free_at_once_and_no_child_outlives_it(up_of_its_own: Up) -> None:
    up = up_of_its_own
    children = up.children().values()
    up.process.kill()
    up.process.wait()
    starts(up.data)
    wait_until(lambda: not any(map(is_alive, children)))


@pytest.mark.slow
def test_the_sweeper_comes_by_itself(up: Up) -> None:
    with sqlite3.connect(up.data / "charlemagne.sqlite3") as database:
        database.execute(
            "INSERT INTO jobs_job (kind, key, status, attempts, created_at, sent_at, lease_until, error)"
            " VALUES ('left by a dead worker', '1', 'running', 5, ?, ?, ?, '')",
            ["2026-01-01 00:00:00"] * 3,
        )
    database.close()

    def status() -> str:
        connection = sqlite3.connect(up.data / "charlemagne.sqlite3")
        try:
            found = connection.execute("SELECT status FROM jobs_job WHERE key = '1'").fetchone()
        finally:
            connection.close()
        return str(found[0]) if found else "swept away"

    wait_until(lambda: status() == "failed")


@pytest.mark.slow
def test_a_port_in_use_gets_one_sentence(up: Up, tmp_path: Path) -> None:
    refused = manage(
        "up", "--host", "127.0.0.1", "--port", str(up.port), "--data", str(tmp_path / "other"), **FRENCH
    )
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1] == (  # after the folder's preparation
        f"Le port {up.port} est déjà pris : Charlemagne tourne peut-être déjà. "
        f"Arrêtez-le, ou choisissez un autre port : --port {up.port + 1}."
    )
