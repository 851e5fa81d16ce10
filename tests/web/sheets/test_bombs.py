"""Files of the largest size that is taken, made to cost as much as they can: what their readers take."""

import json
import os
import subprocess
import sys

import pytest

from operations.data_dir import PROJECT, VARIABLE
from tests.places import folder
from tests.support.bombs import TEXTS

MEGABYTES = {"people": 400, "event": 900, "night": 400, "backup": 100}
"""Beyond what the process had; an event's file of more than 200 kB is read by the worker."""
SECONDS = 20


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not held to its memory")
@pytest.mark.parametrize("bomb", TEXTS)
def test_the_worst_file_takes_no_more_than_a_reader_may(bomb: str) -> None:
    reader, make = TEXTS[bomb]
    child = subprocess.run(
        [sys.executable, "-m", "tests.support.reading_child", reader, str(MEGABYTES[reader]), str(SECONDS)],
        input=make(),
        cwd=PROJECT,
        env=os.environ | {VARIABLE: str(folder()), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr.decode()[-2000:]
    print(bomb, json.loads(child.stdout))
