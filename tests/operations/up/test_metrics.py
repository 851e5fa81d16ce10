"""Metrics of a running `up` for Prometheus: of all its processes at once, at an address of its own."""

from __future__ import annotations

import re
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from operations.metrics.exposition import FAMILIES, Sample, exposition
from tests.places import free_port
from tests.support.streams import Listener
from tests.support.waiting import wait_until

from .conftest import PreparedNight, Up, manage
from .test_restarts import only
from .test_streams import mark

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)')


class Watched(Up):
    """One whose numbers are told, with the night of one endless table."""

    def __init__(self, data: Path, *options: str) -> None:
        self.metrics_port = free_port()
        super().__init__(data, *options, CHARLEMAGNE_METRICS=str(self.metrics_port))

    night: dict[str, Any]

    def tells(self) -> bool:
        """Return which it does a little after its web processes answer."""
        try:
            return bool(self.scrape())
        except urllib.error.URLError:
            return False

    def scrape(self, path: str = "/metrics") -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}{path}", timeout=60) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            return str(answer.read().decode())

    def samples(self, name: str, **labels: str) -> dict[str, float]:
        """The values of this name with these labels, by the rest of their labels."""
        found = {}
        for line in self.scrape().splitlines():
            match = LINE.fullmatch(line)
            if match and match[1] == name:
                has = dict(re.findall(r'([a-z]+)="([^"]*)"', match[2] or ""))
                if labels.items() <= has.items():
                    rest = " ".join(f"{key}={has[key]}" for key in sorted(has.keys() - labels.keys()))
                    found[rest] = float(match[3])
        return found


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, night_of_one_table: PreparedNight) -> Iterator[Watched]:
    data = shutil.copytree(night_of_one_table.folder, tmp_path_factory.mktemp("watched") / "data")
    up = Watched(data, "--processes", "2")
    up.night = night_of_one_table.told
    try:
        wait_until(up.answers)
        wait_until(lambda: len(up.web_processes()) == 2)
        wait_until(up.tells)
        yield up
    finally:
        up.end()


def test_numbers_stand_in_families_and_texts_cannot_break_out_of_their_label() -> None:
    told = exposition(
        [
            Sample("charlemagne_watchers", {"process": "web-1"}, 3),
            Sample("charlemagne_request_seconds_count", {"route": 'e/"\\\n'}, 2),
            Sample("charlemagne_watchers", {"process": "web-2"}, 4),
        ]
    )
    assert told.splitlines() == [
        f"# HELP charlemagne_request_seconds {FAMILIES['charlemagne_request_seconds'][1]}",
        "# TYPE charlemagne_request_seconds histogram",
        'charlemagne_request_seconds_count{route="e/\\"\\\\\\n"} 2',
        f"# HELP charlemagne_watchers {FAMILIES['charlemagne_watchers'][1]}",
        "# TYPE charlemagne_watchers gauge",
        'charlemagne_watchers{process="web-1"} 3',
        'charlemagne_watchers{process="web-2"} 4',
    ]


@pytest.mark.slow
def test_a_scrape_has_the_hands_of_each_web_process_whichever_recorded_them(watched: Watched) -> None:
    first, second = watched.web_processes()
    for number, pid in enumerate((first, second), start=1):
        with only(watched, pid):
            mark(watched, watched.night, number)
    hands = {f"process=web-{first}": 1.0, f"process=web-{second}": 1.0}
    wait_until(lambda: watched.samples("charlemagne_hands_acknowledged_total") == hands)
    route = "api/tables/<code:code>/hands"
    found = watched.samples("charlemagne_request_seconds_count", method="POST", route=route, status="201")
    assert found == hands


@pytest.mark.slow
def test_buckets_add_up_and_each_line_can_be_read(watched: Watched) -> None:
    assert watched.look("/sign-in") == 200
    wait_until(lambda: bool(watched.samples("charlemagne_request_seconds_count", route="sign-in")))
    page = watched.scrape()
    assert [line for line in page.splitlines() if not line.startswith("#") and not LINE.fullmatch(line)] == []
    buckets = watched.samples("charlemagne_request_seconds_bucket", route="sign-in", le="+Inf")
    assert buckets == watched.samples("charlemagne_request_seconds_count", route="sign-in")


@pytest.mark.slow
def test_who_listens_what_waits_and_what_processes_take_is_told(watched: Watched) -> None:
    with Listener(watched.port, f"/e/{watched.night['event']}") as listener:
        assert listener.hears()
        wait_until(lambda: sum(watched.samples("charlemagne_watchers").values()) == 1)
    wait_until(lambda: sum(watched.samples("charlemagne_watchers").values()) == 0)
    assert watched.samples("charlemagne_database_up") == {"": 1.0}
    queues, statuses = ("jobs", "jobs-long", "jobs-outgoing"), ("queued", "running")
    each = {f"queue={queue} status={status}" for queue in queues for status in statuses}
    assert watched.samples("charlemagne_jobs").keys() == each
    assert watched.samples("charlemagne_oldest_job_seconds").keys() == {f"queue={queue}" for queue in queues}
    parts = {name.rpartition("-")[0] for name in watched.samples("charlemagne_process_memory_bytes")}
    assert parts == {
        f"process={part}" for part in ("up", "web", "worker", "long-worker", "outgoing-worker", "beat")
    }
    assert min(watched.samples("charlemagne_process_memory_bytes").values()) > 5_000_000
    assert min(watched.samples("charlemagne_process_open_files").values()) > 2


@pytest.mark.slow
def test_nothing_else_is_there_and_nothing_of_it_on_the_public_port(watched: Watched) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        watched.scrape("/")
    assert watched.look("/metrics") == 404


@pytest.mark.slow
def test_what_is_no_port_is_said_before_anything_starts(tmp_path: Path, prepared_folder: Path) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    refused = manage("up", "--data", str(data), "--port", str(free_port()), CHARLEMAGNE_METRICS="yes")
    assert refused.returncode == 2
    assert refused.stderr.endswith("CHARLEMAGNE_METRICS must be a port, or host:port, not yes.\n")
