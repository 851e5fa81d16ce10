"""A real `up` in a data folder of its own, on a free port."""

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
    """This process's, without what the tests' own settings put there."""
    ours = {DATA_VARIABLE, "DJANGO_SETTINGS_MODULE", "DATABASE_URL"}
    return {name: value for name, value in os.environ.items() if name not in ours} | ENGLISH | more


def run_manage(*arguments: str, through: Sequence[str] = (), **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, through another program."""
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
    """A running `up`, of this project, a copy of it or an installed program, with these variables in its
    environment."""

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
        """The status of the answer, on a connection of its own. Raises OSError if there is none."""
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
        """Whether it has found nothing wrong with its folder, and starts its children."""
        assert self.process.poll() is None, self.read_output()
        return "Ctrl-C" in self.read_output()

    def find_first_link(self) -> str:
        """Return where a new club begins: printed once the server answers already."""
        link = re.compile(rf"http://127\.0\.0\.1:{self.port}/start/\w+")
        wait_until(lambda: link.search(self.read_output()) is not None)
        return str(link.findall(self.read_output())[0])

    def read_output(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def get_children(self) -> dict[str, int]:
        """The process id of each child by its name."""
        return {name: child for child, name in self.get_processes().items()}

    def list_web_processes(self) -> list[int]:
        """The process ids of all that serve pages."""
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
    """Return what it was started as; nothing for one that has not begun, or has ended since it was listed."""
    try:
        name = Path(f"/proc/{child}/comm").read_text(encoding="utf-8").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return name if name in CHILDREN else ""


def start_and_stop(data: Path, *options: str) -> str:
    """Return what `up` says that does start, up to its good end. Its children have hardly begun to load by
    then."""
    up = RunningUp(data, *options)
    try:
        wait_until(up.has_greeted)
    finally:
        up.end()
    assert up.process.returncode == 0, up.read_output()
    return up.read_output()


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCommand:
    """The first command on a folder that was not there: where, and how it ended."""

    folder: Path
    result: subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def first_command(tmp_path_factory: pytest.TempPathFactory) -> FirstCommand:
    folder = tmp_path_factory.mktemp("first") / "a" / "new folder"
    return FirstCommand(folder=folder, result=run_manage("showmigrations", "jobs", "--data", str(folder)))


@pytest.fixture(scope="session")
def prepared_folder(first_command: FirstCommand) -> Path:
    """To be copied, not to be used."""
    assert first_command.result.returncode == 0, first_command.result.stderr
    return first_command.folder


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedNight:
    """A folder with a night of endless tables, to be copied, and what whoever made it was told of it."""

    folder: Path
    data: dict[str, Any]


@pytest.fixture(scope="session")
def night_of_one_table(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> PreparedNight:
    """Made once: to make it takes as long as to start a server."""
    return prepare_night(shutil.copytree(prepared_folder, tmp_path_factory.mktemp("night") / "data"), 1)


def prepare_night(data: Path, tables: int, *hands: int) -> PreparedNight:
    """Makes the night in this folder, with so many hands a match, or endless ones."""
    made = subprocess.run(
        [sys.executable, "-m", "bench.hall.room", "make", *map(str, (tables, *hands))],
        cwd=PROJECT,
        env=build_environment(**{DATA_VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}),
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return PreparedNight(folder=data, data=json.loads(made.stdout.splitlines()[-1]))


@pytest.fixture(scope="session")
def backup(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Path:
    """A backup of such a folder, which stays where it was."""
    folder = tmp_path_factory.mktemp("backup")
    data = shutil.copytree(prepared_folder, folder / "data")
    made = run_manage("backup", str(folder / "saved.zip"), "--data", str(data))
    assert made.returncode == 0, made.stderr
    return folder / "saved.zip"


@pytest.fixture
def up_of_its_own(tmp_path: Path, prepared_folder: Path) -> Iterator[RunningUp]:
    """One that answers, all its children running, for a test that ends it."""
    yield from start_up(prepared_folder, tmp_path)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[RunningUp]:
    """Yield the same for tests that leave it as it was: starting takes five processes."""
    yield from start_up(prepared_folder, tmp_path_factory.mktemp("up"))


def start_up(prepared_folder: Path, folder: Path, *options: str) -> Iterator[RunningUp]:
    """One with these options, on a copy of the prepared folder, until the test or module is over."""
    up = RunningUp(shutil.copytree(prepared_folder, folder / "data"), *options)
    try:
        wait_until(up.is_answering)
        wait_until(up.are_all_children_running)
        yield up
    finally:
        up.end()
