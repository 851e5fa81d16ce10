"""Fixtures that run a real `up` in its own data folder, on a free port."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from operations.data_dir import DATA_VARIABLE, PROJECT
from operations.up.child import CHILDREN
from tests.support.waiting import TIMEOUT_SECONDS, wait_until
from tests.workspaces import find_free_port

ENGLISH = {"LC_ALL": "C.UTF-8"}
FRENCH = {"LC_ALL": "fr_CA.UTF-8"}


def build_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without the variables of the tests' settings."""
    ours = {DATA_VARIABLE, "DJANGO_SETTINGS_MODULE", "DATABASE_URL"}
    return {name: value for name, value in os.environ.items() if name not in ours} | ENGLISH | more


def run_manage(*arguments: str, through: Sequence[str] = (), **more: str) -> subprocess.CompletedProcess[str]:
    """Run a management command to its end, with the words of ``through`` in front of it."""
    return subprocess.run(
        [*through, sys.executable, "manage.py", *arguments],
        cwd=PROJECT, env=build_environment(**more), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii")


class RunningUp:
    """A running `up` of this project, of a copy of it or of an installed program.

    ``variables`` are added to its environment.
    """

    def __init__(
        self,
        data: Path,
        *options: str,
        project: Path = PROJECT,
        python: Path | str = sys.executable,
        program: Sequence[Path | str] = (),
        **variables: str,
    ) -> None:
        self.data, self.port = data, find_free_port()
        self.output = data.with_suffix(".output")
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [
                    *(program or (python, "manage.py")),
                    *("up", "--host", "127.0.0.1"),
                    *("--port", str(self.port), "--data", str(data), *options),
                ],
                cwd=project,
                env=build_environment(**variables),
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def look(self, path: str = "/") -> int:
        """Return the status of the response, on a new connection.

        Raises OSError if the server does not respond.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def is_answering(self) -> bool:
        assert self.process.poll() is None, self.read_output()
        try:
            return self.look() < 500
        except OSError:
            return False

    def has_greeted(self) -> bool:
        """Return whether the folder has passed the checks and the child processes are starting."""
        assert self.process.poll() is None, self.read_output()
        return "Ctrl-C" in self.read_output()

    def find_first_link(self) -> str:
        """Return the link that creates the first club; it is printed once the server answers."""
        link = re.compile(rf"http://127\.0\.0\.1:{self.port}/start/\w+")
        wait_until(lambda: link.search(self.read_output()) is not None)
        return str(link.findall(self.read_output())[0])

    def read_output(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def get_children(self) -> dict[str, int]:
        """Return the process id of each child, by its name."""
        return {name: child for child, name in self.get_processes().items()}

    def list_web_processes(self) -> list[int]:
        """Return the ids of the web processes."""
        return [child for child, name in self.get_processes().items() if name == "web"]

    def get_processes(self) -> dict[int, str]:
        pid = self.process.pid
        ids = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        names = {int(child): name_of_child(child) for child in ids}
        return {child: name for child, name in names.items() if name}

    def are_all_children_running(self) -> bool:
        return set(self.get_children()) == {"web", "worker", "long-worker", "outgoing-worker", "beat"}

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(TIMEOUT_SECONDS)


def name_of_child(child: str) -> str:
    """Return the name of a child process; "" if it has not begun or has ended since it was listed."""
    try:
        name = Path(f"/proc/{child}/comm").read_text(encoding="utf-8").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return name if name in CHILDREN else ""


def start_and_stop(data: Path, *options: str) -> str:
    """Return the output of an `up` that starts and is stopped; its children have hardly begun to load."""
    up = RunningUp(data, *options)
    try:
        wait_until(up.has_greeted)
    finally:
        up.end()
    assert up.process.returncode == 0, up.read_output()
    return up.read_output()


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCommand:
    """The first command on a missing data folder: the folder and the result."""

    folder: Path
    result: subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def first_command(tmp_path_factory: pytest.TempPathFactory) -> FirstCommand:
    folder = tmp_path_factory.mktemp("first") / "a" / "new folder"
    return FirstCommand(folder=folder, result=run_manage("showmigrations", "jobs", "--data", str(folder)))


@pytest.fixture(scope="session")
def prepared_folder(first_command: FirstCommand) -> Path:
    """Return a data folder to copy; tests must not change it."""
    assert first_command.result.returncode == 0, first_command.result.stderr
    return first_command.folder


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedNight:
    """A folder to copy with a night whose matches never end, and the data that its creation printed."""

    folder: Path
    data: dict[str, Any]


@pytest.fixture(scope="session")
def night_of_one_table(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> PreparedNight:
    """Return a night made once per session: making it takes as long as starting a server."""
    return prepare_night(shutil.copytree(prepared_folder, tmp_path_factory.mktemp("night") / "data"), 1)


def prepare_night(data: Path, tables: int, *hands: int) -> PreparedNight:
    """Create a night in the data folder, with this number of hands a match, or without end."""
    made = subprocess.run(
        [sys.executable, "-m", "bench.hall.room", "make", *map(str, (tables, *hands))],
        cwd=PROJECT,
        env=build_environment(**{DATA_VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}),
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return PreparedNight(folder=data, data=json.loads(made.stdout.splitlines()[-1]))


@pytest.fixture(scope="session")
def backup(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Path:
    """Return a backup of a copy of the prepared folder; the copy stays in place."""
    folder = tmp_path_factory.mktemp("backup")
    data = shutil.copytree(prepared_folder, folder / "data")
    made = run_manage("backup", str(folder / "saved.zip"), "--data", str(data))
    assert made.returncode == 0, made.stderr
    return folder / "saved.zip"


@pytest.fixture
def up_of_its_own(tmp_path: Path, prepared_folder: Path) -> Iterator[RunningUp]:
    """Yield a fully started `up` for a test that ends it."""
    yield from start_up(prepared_folder, tmp_path)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[RunningUp]:
    """Yield an `up` shared by tests that leave it unchanged: each start takes five processes."""
    yield from start_up(prepared_folder, tmp_path_factory.mktemp("up"))


def start_up(prepared_folder: Path, folder: Path, *options: str) -> Iterator[RunningUp]:
    """Yield a fully started `up` on a copy of the prepared folder, and end it afterwards."""
    up = RunningUp(shutil.copytree(prepared_folder, folder / "data"), *options)
    try:
        wait_until(up.is_answering)
        wait_until(up.are_all_children_running)
        yield up
    finally:
        up.end()
