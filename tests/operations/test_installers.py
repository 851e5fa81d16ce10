"""Installer with its own Python: built, and started on a bare computer."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from operations.data_dir import PROJECT
from tests.support.waiting import wait_until

from .sandbox import DATA, PROGRAM, Sandbox, Start, can_seal_off, start_sealed_off

INSTALLER_VARIABLE = "CHARLEMAGNE_TEST_INSTALLER"
"""Variable that names an existing archive, which saves minutes of building one."""
HOME = {"HOME": DATA}
ODD_USER = 54_321
"""A user id without an account, which some hosts give to containers."""

pytestmark = [
    pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="its database is its own"),
    pytest.mark.skipif(sys.platform != "linux", reason="of Linux; the workflow builds the others"),
    pytest.mark.skipif(not can_seal_off(), reason="this account may make no network and no mounts of its own"),
    pytest.mark.long("builds the program for minutes, from the package index"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a user unpacks."""
    folder = tmp_path_factory.mktemp("installers")
    archive = Path(os.environ.get(INSTALLER_VARIABLE, ""))
    if not archive.is_file():
        subprocess.run([sys.executable, "-m", "installers.build", folder], cwd=PROJECT, check=True)
        (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="tar")
    return folder / "Charlemagne"


def start(program: Path, data: Path, *arguments: str, **more: object) -> Start:
    data.mkdir(exist_ok=True)
    data.chmod(0o770)  # as in the container
    sandbox_options = {"program": str(program), "arguments": list(arguments), "data": str(data), **more}
    return start_sealed_off(Sandbox(**sandbox_options))  # type: ignore[arg-type]


def test_double_clicked_program_serves_a_page(program: Path, tmp_path: Path) -> None:
    for _ in range(2):
        started = start(program, tmp_path / "home", "Charlemagne", environment=HOME)
        print(f"page after {started.seconds} s")
        assert (started.status, started.ended) == (200, 0), started.output
        assert "http://localhost:8000/start/" in started.output


def test_built_program_runs_its_commands(program: Path, tmp_path: Path) -> None:
    def run(*arguments: str, given: str = "") -> str:
        return subprocess.run(
            [program / "charlemagne-cli", *arguments],
            env={"HOME": str(tmp_path)}, input=given, capture_output=True, encoding="utf-8", check=True,
        ).stdout  # fmt: skip

    run("demo", "--data", str(tmp_path / "data"))
    assert run("backup", str(tmp_path / "saved.zip"), "--data", str(tmp_path / "data"))
    assert run("move", str(tmp_path / "moved"), "--data", str(tmp_path / "data"))
    question = '{"ask":"trick_winner","ruleset":"maine","contract":"6","trump":"H","trick":[[0,"AH"],[1,"JD"]]}'
    assert run("-m", "rules", given=question) == '{"winner":1}\n'


def read_container_file() -> tuple[list[str], dict[str, str]]:
    """Return the command and the variables of the container file."""
    written = (PROJECT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    (command,) = re.findall(r'^CMD \["charlemagne", (.*)\]$', written, re.MULTILINE)
    (variables,) = re.findall(r"^ENV (.*)$", written, re.MULTILINE)
    return command.replace('"', "").split(", "), dict(each.split("=") for each in shlex.split(variables))


@pytest.mark.parametrize("user", [0, 1000, ODD_USER])
def test_container_starts_with_a_read_only_system_and_any_user(user: int, program: Path, tmp_path: Path) -> None:
    command, variables = read_container_file()
    environment = variables | {"CHARLEMAGNE_DATA": DATA}
    sealed = {"environment": environment, "read_only": ["/", PROGRAM], "user": user}
    started = start(program, tmp_path / "data", "charlemagne-cli", *command, **sealed)
    assert (started.status, started.ended) == (200, 0), started.output


@pytest.fixture
def screen() -> Iterator[str]:
    """Yield the name of a virtual display."""
    if (server := shutil.which("Xvfb")) is None:
        pytest.skip("no Xvfb")
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-screen", "0", "600x620x24"]
    running = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    try:
        yield f":{os.read(reading, 16).decode().strip()}"
    finally:
        running.terminate()
        running.wait()


def test_window_opens_the_browser_and_stops_the_program_on_close(program: Path, screen: str, tmp_path: Path) -> None:
    browser, opened = tmp_path / "xdg-open", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$@" > {opened}.new && /bin/mv {opened}.new {opened}\n', encoding="ascii")
    browser.chmod(0o755)
    variables = {"HOME": str(tmp_path), "PATH": str(tmp_path), "DISPLAY": screen, "LANG": "fr_CA.UTF-8"}
    # A network namespace, in which the program's port is free.
    window = subprocess.Popen(["/usr/bin/unshare", "--net", program / "Charlemagne"], env=variables)
    try:
        wait_until(opened.exists)
        children = Path(f"/proc/{window.pid}/task/{window.pid}/children").read_text(encoding="ascii")
    finally:
        window.kill()
        window.wait()
    assert "/start/" in opened.read_text(encoding="ascii")
    wait_until(lambda: not Path("/proc", children.split()[0]).exists())
