"""A short `simulate` at a real `up`: an organizer, phones and watchers play a night over HTTP."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import Up, manage

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="looks at processes in /proc"), pytest.mark.slow]


def test_a_simulated_night_ends_with_the_standings_that_its_phones_saw_and_so_does_the_same_once_more(
    up: Up,
) -> None:
    server = f"http://127.0.0.1:{up.port}"
    options = {"tables": 2, "rounds": 3, "seed": 20, "watchers": 2}  # a pair comes late: one sits out
    for _ in range(2):
        run = manage(
            *("simulate", "--server", server, "--fast", "--data", str(up.data)),
            *(f"--{name}={value}" for name, value in options.items()),
        )
        assert run.returncode == 0, run.stdout + run.stderr
        figures = json.loads(run.stdout.splitlines()[-1])
        assert figures["standings_equal"], run.stdout
        assert figures["errors"] == 0, run.stdout
        assert "\nbyes " in run.stdout
        assert figures["hands"] > 2 * 3 * 2
        assert figures["calls_answered"] > 0
        assert figures["p99_ms"] > 0


@pytest.mark.long("a second server is started: the simulated night stays")
def test_another_server_than_that_of_the_folder_wants_a_key(up: Up, tmp_path: Path) -> None:
    server = f"http://127.0.0.1:{up.port}"
    run = manage("simulate", "--server", server, "--data", str(tmp_path / "another"))
    assert run.returncode != 0
    assert "--token" in run.stderr
