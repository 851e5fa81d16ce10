"""Files of the largest size that is taken, made to cost as much as they can: what their readers take."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.data_dir import PROJECT, VARIABLE
from tests.places import folder
from tests.support.bombs import TEXTS

MEGABYTES = {"people": 400, "event": 900, "night": 400, "backup": 100}
"""Beyond what the process had; an event's file of more than 200 kB is read by the worker."""
SECONDS = 20

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not held to its memory"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def readers() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.reading_child"],
        cwd=PROJECT,
        env=os.environ | {VARIABLE: str(folder()), "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as loaded:
        yield loaded
        loaded.communicate()


@pytest.mark.parametrize("bomb", TEXTS)
def test_the_worst_file_takes_no_more_than_a_reader_may(
    bomb: str, readers: subprocess.Popen[str], tmp_path: Path
) -> None:
    reader, make = TEXTS[bomb]
    (tmp_path / "bomb").write_bytes(make())
    assert readers.stdin is not None
    assert readers.stdout is not None
    print(reader, MEGABYTES[reader], SECONDS, tmp_path / "bomb", file=readers.stdin, flush=True)
    took = readers.stdout.readline()
    assert took.strip(), "it took more, or broke"
    print(bomb, json.loads(took))
