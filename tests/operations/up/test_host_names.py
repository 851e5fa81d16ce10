"""A running `up` answers to its own host names and refuses others."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import RunningUp, run_manage

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

LOUD = "!! This server answers to any host name"


def send_request(up: RunningUp, host: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)
    connection.request("GET", "/", headers={"Host": host})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_server_answers_only_to_its_own_and_configured_names(tmp_path: Path, prepared_folder: Path) -> None:
    up = RunningUp(shutil.copytree(prepared_folder, tmp_path / "data"), "--name", "cards.example.org")
    try:
        wait_until(up.is_answering)
        named = (f"192.168.1.7:{up.port}", "laptop.local", "cards.example.org")
        assert [send_request(up, host)[0] for host in named] == [200, 200, 200]
        os.kill(first := up.get_children()["web"], signal.SIGKILL)
        wait_until(lambda: up.get_children().get("web", first) != first)
        assert [send_request(up, host)[0] for host in named] == [200, 200, 200], "also after it was started again"
        status, page = send_request(up, "rebound.example.org")
        assert status == 421
        assert f'href="http://127.0.0.1:{up.port}/"' in page
        assert LOUD not in up.read_output()
    finally:
        up.end()


@pytest.mark.long("starts servers; the test of the hall is not long")
def test_server_without_configured_hosts_warns_loudly(tmp_path: Path, prepared_folder: Path) -> None:
    up = RunningUp(shutil.copytree(prepared_folder, tmp_path / "data"), CHARLEMAGNE_HTTPS="1")
    try:
        wait_until(up.has_greeted)
        assert LOUD in up.read_output()
    finally:
        up.end()
    doctor = run_manage("doctor", "--data", str(up.data), CHARLEMAGNE_HTTPS="1")
    assert "The server answers to any host name" in doctor.stdout
    assert doctor.returncode == 1


@pytest.mark.long
def test_start_link_uses_the_configured_host_name(tmp_path: Path) -> None:
    up = RunningUp(tmp_path / "data", CHARLEMAGNE_HTTPS="1", CHARLEMAGNE_HOSTS=".example.com, cards.example.org")
    try:
        wait_until(up.has_greeted)
        assert re.search(r"https://cards\.example\.org/start/\w+", up.read_output()), up.read_output()
        assert f"127.0.0.1:{up.port}" not in up.read_output()
    finally:
        up.end()
