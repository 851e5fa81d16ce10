"""A short `bench offline`: phones record hands despite a faulty network and killed processes."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tests import external_tools

from .conftest import run_manage

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HANDS, PHONES, KILLS = 180, 12, 3


def run_bench(**options: int) -> dict[str, Any]:
    """Run the benchmark with a fixed seed and return its figures."""
    if external_tools.find_node() is None:
        pytest.skip("no Node")
    named = {"seed": 1} | options
    run = run_manage("bench", "offline", *(f"--{name.replace('_', '-')}={value}" for name, value in named.items()))
    assert run.returncode == 0, run.stderr
    figures: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return figures


@pytest.mark.long("simulates phones for minutes; tests/scripts/machine.test.js takes the same steps")
def test_no_hand_is_lost_despite_network_faults_and_kills() -> None:
    figures = run_bench(hands=HANDS, phones=PHONES, kills=KILLS)
    assert HANDS < figures["hands"] == figures["acknowledged"]
    expected = {"lost": 0, "doubled": 0, "refused": 0, "equal": True, "restarts": KILLS}
    assert {name: figures[name] for name in expected} == expected


@pytest.mark.long("simulates phones for minutes; tests/scripts/machine.test.js takes the same steps")
def test_no_hand_is_lost_after_restoring_an_older_data_folder() -> None:
    figures = run_bench(hands=60, phones=6, kills=1, put_back=2)
    assert 60 < figures["hands"] == figures["acknowledged"]
    expected = {"lost": 0, "doubled": 0, "refused": 0, "equal": True, "put_back": 2}
    assert {name: figures[name] for name in expected} == expected
