"""`manage.py up`: from an empty folder to the first response and to shutdown."""

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

from config.management.commands.up import print_greeting, set_second_folder
from operations.data_dir import PROJECT, SECOND_FOLDER_VARIABLE
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import FRENCH, RunningUp, build_environment, is_alive, run_manage, start_and_stop

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"), pytest.mark.slow]


@pytest.mark.long
def test_first_start_serves_a_link_from_an_empty_folder(tmp_path: Path) -> None:
    up = RunningUp(tmp_path / "data")
    try:
        wait_until(up.is_answering)
        assert up.find_first_link()
        assert f"Data folder: {up.data}" in up.read_output()
        assert (up.data / "charlemagne.sqlite3").exists()
        assert stat.S_IMODE((up.data / "secret.key").stat().st_mode) == 0o600
    finally:
        up.end()


def test_loopback_listener_announces_no_network_address(up: RunningUp) -> None:
    assert "On the network" not in up.read_output()


def test_terminal_shows_the_network_address_and_its_qr_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    settings.LISTEN_ADDRESS = "192.0.2.7"
    print_greeting("192.0.2.7", 8000, None)
    _, _, output = capsys.readouterr().out.partition("On the network")
    assert "http://192.0.2.7:8000/" in output
    assert output.count("█") > 50


@pytest.mark.long
@pytest.mark.parametrize("name", ["web", "worker", "long-worker", "outgoing-worker", "beat"])
def test_killed_child_process_is_restarted(up: RunningUp, name: str) -> None:
    first = up.get_children()[name]
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: up.get_children().get(name, first) != first)
    wait_until(up.is_answering)
    wait_until(up.are_all_children_running)
    assert f"{name} ended (-9); restarting it in 0.5 s" in up.read_output()


@pytest.mark.long
def test_child_processes_share_loaded_memory(up_of_its_own: RunningUp) -> None:
    up = up_of_its_own
    wait_until(up.are_all_children_running)
    for name, child in up.get_children().items():
        smaps_lines = Path(f"/proc/{child}/smaps_rollup").read_text(encoding="utf-8").splitlines()
        memory = {line.split()[0]: int(line.split()[1]) for line in smaps_lines if line.endswith(" kB")}
        assert memory["Pss:"] < memory["Rss:"] / 2, name


def test_second_backup_folder_reaches_forked_and_new_processes(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECOND_FOLDER_VARIABLE, "")
    set_second_folder(tmp_path)
    assert settings.SECOND_BACKUP_FOLDER == os.environ[SECOND_FOLDER_VARIABLE] == str(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_termination_signal_ends_all_processes(up_of_its_own: RunningUp, ending: signal.Signals) -> None:
    up = up_of_its_own
    children = up.get_children().values()
    up.process.send_signal(ending)
    assert up.process.wait(60) == 0
    assert not [child for child in children if is_alive(child)]
    assert "Traceback" not in up.read_output()


@pytest.mark.long
@pytest.mark.parametrize(
    "child",
    [["web", "127.0.0.1", "0"], ["worker"], ["long-worker"], ["outgoing-worker"], ["beat"]],
    ids=lambda child: child[0],
)
def test_child_terminated_while_loading_exits_at_once(child: list[str], tmp_path: Path, prepared_folder: Path) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    ended = subprocess.run(
        [sys.executable, "-m", "operations.up.child", *child],
        cwd=PROJECT, env=build_environment(CHARLEMAGNE_DATA=str(data), DJANGO_SETTINGS_MODULE="config.settings"),
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.long
def test_killed_up_frees_its_folder_and_ends_its_children(up_of_its_own: RunningUp) -> None:
    up = up_of_its_own
    children = up.get_children().values()
    up.process.kill()
    up.process.wait()
    start_and_stop(up.data)
    wait_until(lambda: not any(map(is_alive, children)))


@pytest.mark.long
def test_sweeper_runs_by_itself(up: RunningUp) -> None:
    with sqlite3.connect(up.data / "charlemagne.sqlite3") as database:
        database.execute(
            "INSERT INTO jobs_job (kind, key, status, attempts, created_at, sent_at, lease_until, error)"
            " VALUES ('left by a dead worker', '1', 'running', 5, ?, ?, ?, '')",
            ["2026-01-01 00:00:00"] * 3,
        )
    database.close()

    def get_status() -> str:
        connection = sqlite3.connect(up.data / "charlemagne.sqlite3")
        try:
            found = connection.execute("SELECT status FROM jobs_job WHERE key = '1'").fetchone()
        finally:
            connection.close()
        return str(found[0]) if found else "swept away"

    wait_until(lambda: get_status() == "failed")


@pytest.mark.long
def test_a_port_in_use_gets_one_sentence(up: RunningUp, tmp_path: Path) -> None:
    refused = run_manage(
        "up", "--host", "127.0.0.1", "--port", str(up.port), "--data", str(tmp_path / "other"), **FRENCH
    )
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1] == (  # after the lines of the preparation
        f"Le port {up.port} est déjà pris : Charlemagne tourne peut-être déjà. "
        f"Arrêtez-le, ou choisissez un autre port : --port {up.port + 1}."
    )
