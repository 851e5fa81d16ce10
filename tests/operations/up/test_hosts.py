"""A real `up`, asked by names that are its own and by names that are not."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE, wait_until

from .conftest import Up, manage

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

LOUD = "!! This server answers to any host name"


def ask(up: Up, host: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)
    connection.request("GET", "/", headers={"Host": host})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_a_hall_answers_to_its_own_names_and_to_those_that_it_is_given(
    tmp_path: Path, prepared_folder: Path
) -> None:
    up = Up(shutil.copytree(prepared_folder, tmp_path / "data"), "--name", "cards.example.org")
    try:
        wait_until(up.answers)
        named = (f"192.168.1.7:{up.port}", "laptop.local", "cards.example.org")
        assert [ask(up, host)[0] for host in named] == [200, 200, 200]
        os.kill(first := up.children()["web"], signal.SIGKILL)
        wait_until(lambda: up.children().get("web", first) != first)
        assert [ask(up, host)[0] for host in named] == [200, 200, 200], "also after it was started again"
        status, page = ask(up, "rebound.example.org")
        assert status == 421
        assert f'href="http://127.0.0.1:{up.port}/"' in page
        assert LOUD not in up.said()
    finally:
        up.end()


@pytest.mark.long("servers are started: the hall stays")
def test_a_server_of_which_nobody_says_the_name_says_so_loudly(tmp_path: Path, prepared_folder: Path) -> None:
    up = Up(shutil.copytree(prepared_folder, tmp_path / "data"), CHARLEMAGNE_HTTPS="1")
    try:
        wait_until(up.greets)
        assert LOUD in up.said()
    finally:
        up.end()
    doctor = manage("doctor", "--data", str(up.data), CHARLEMAGNE_HTTPS="1")
    assert "The server answers to any host name" in doctor.stdout
    assert doctor.returncode == 1


def test_a_server_says_where_its_first_club_is_begun_by_the_name_that_it_answers_to(tmp_path: Path) -> None:
    up = Up(tmp_path / "data", CHARLEMAGNE_HTTPS="1", CHARLEMAGNE_HOSTS=".example.com, cards.example.org")
    try:
        wait_until(up.greets)
        assert re.search(r"https://cards\.example\.org/start/\w+", up.said()), up.said()
        assert f"127.0.0.1:{up.port}" not in up.said()
    finally:
        up.end()
