"""Limits of memory and time for readers of the most expensive files that uploads accept."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.data_dir import DATA_VARIABLE, PROJECT
from tests.support.bombs import TEXT_BOMBS
from tests.workspaces import get_folder

MEGABYTES = {"people": 400, "event": 900, "night": 400, "backup": 100}
"""Memory that a reader may add to its process; the worker reads event files of more than 200 kB."""
SECONDS = 20

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not held to its memory"),
    pytest.mark.long,
]


@pytest.fixture(scope="module")
def readers() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.reading_child"],
        cwd=PROJECT,
        env=os.environ | {DATA_VARIABLE: str(get_folder()), "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as loaded:
        yield loaded
        loaded.communicate()


@pytest.mark.parametrize("bomb", TEXT_BOMBS)
def test_worst_case_file_stays_within_the_reader_limits(
    bomb: str, readers: subprocess.Popen[str], tmp_path: Path
) -> None:
    reader, make = TEXT_BOMBS[bomb]
    (tmp_path / "bomb").write_bytes(make())
    assert readers.stdin is not None
    assert readers.stdout is not None
    print(reader, MEGABYTES[reader], SECONDS, tmp_path / "bomb", file=readers.stdin, flush=True)
    took = readers.stdout.readline()
    assert took.strip(), "it took more, or broke"
    print(bomb, json.loads(took))
