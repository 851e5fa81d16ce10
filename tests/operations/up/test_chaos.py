"""A short `bench chaos`: phones mark hands while the network spoils requests and processes are killed."""

from __future__ import annotations

import json
import sys

import pytest

from tests import parts

from .conftest import manage

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HANDS, KILLS = 192, 3


def test_no_hand_is_lost_dropped_or_doubled_whatever_the_network_does_and_whatever_is_killed() -> None:
    if parts.node() is None:
        pytest.skip("no Node")
    run = manage(
        "bench", "chaos", "--hands", str(HANDS), "--kills", str(KILLS), "--phones", "12", "--seed", "1"
    )
    assert run.returncode == 0, run.stderr
    figures = json.loads(run.stdout.splitlines()[-1])
    expected = {"hands": HANDS, "acknowledged": HANDS, "kills": KILLS, "equal": True}
    expected |= {"lost": 0, "dropped_by_phone": 0, "refused": 0, "doubled": 0}
    assert {name: figures[name] for name in expected} == expected
