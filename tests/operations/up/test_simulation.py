"""A short `simulate` against a real `up`: an organizer, phones and watchers play a night over HTTP."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import RunningUp, run_manage

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="looks at processes in /proc"), pytest.mark.slow]


def test_simulated_night_ends_with_the_standings_its_phones_saw(up: RunningUp) -> None:
    server = f"http://127.0.0.1:{up.port}"
    options = {"tables": 2, "rounds": 3, "seed": 20, "watchers": 2}  # a late pair, so that one sits out
    run = run_manage(
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


@pytest.mark.long
def test_simulated_tournament_ends_with_the_standings_it_counted(up: RunningUp) -> None:
    server = f"http://127.0.0.1:{up.port}"
    run = run_manage("simulate", "--server", server, "--data", str(up.data), "--pairs=12", "--seed=20")
    assert run.returncode == 0, run.stdout + run.stderr
    figures = json.loads(run.stdout.splitlines()[-1])
    assert figures == {"pairs": 12, "seed": 20, "errors": 0, "standings_equal": True}
    assert "round 6: 2 tables" in run.stdout


@pytest.mark.long("starts a second server; the simulated night is not long")
def test_simulation_of_another_server_needs_a_token(up: RunningUp, tmp_path: Path) -> None:
    server = f"http://127.0.0.1:{up.port}"
    run = run_manage("simulate", "--server", server, "--data", str(tmp_path / "another"))
    assert run.returncode != 0
    assert "--token" in run.stderr
