"""Prometheus metrics of a running `up`: all processes together, on a separate port."""

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

from operations.metrics.exposition import FAMILIES, Sample, format_metrics
from tests.support.streams import Listener
from tests.support.waiting import wait_until
from tests.workspaces import find_free_port

from .conftest import PreparedNight, RunningUp, run_manage
from .test_streams import mark
from .test_web_process_restarts import isolate_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

METRIC_LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)')


class MeasuredUp(RunningUp):
    """An `up` that serves metrics, with a night of one table whose match never ends."""

    def __init__(self, data: Path, *options: str) -> None:
        self.metrics_port = find_free_port()
        super().__init__(data, *options, CHARLEMAGNE_METRICS=str(self.metrics_port))

    night: dict[str, Any]

    def is_serving_metrics(self) -> bool:
        """Return whether metrics are served, which begins shortly after the web processes answer."""
        try:
            return bool(self.scrape())
        except urllib.error.URLError:
            return False

    def scrape(self, path: str = "/metrics") -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}{path}", timeout=60) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            return str(answer.read().decode())

    def get_samples(self, name: str, **labels: str) -> dict[str, float]:
        """Return the samples with this name and these labels, by their other labels."""
        found = {}
        for line in self.scrape().splitlines():
            match = METRIC_LINE.fullmatch(line)
            if match and match[1] == name:
                has = dict(re.findall(r'([a-z]+)="([^"]*)"', match[2] or ""))
                if labels.items() <= has.items():
                    rest = " ".join(f"{key}={has[key]}" for key in sorted(has.keys() - labels.keys()))
                    found[rest] = float(match[3])
        return found


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, night_of_one_table: PreparedNight) -> Iterator[MeasuredUp]:
    data = shutil.copytree(night_of_one_table.folder, tmp_path_factory.mktemp("watched") / "data")
    up = MeasuredUp(data, "--processes", "2")
    up.night = night_of_one_table.data
    try:
        wait_until(up.is_answering)
        wait_until(lambda: len(up.list_web_processes()) == 2)
        wait_until(up.is_serving_metrics)
        yield up
    finally:
        up.end()


def test_metrics_are_grouped_by_family_and_labels_escaped() -> None:
    metrics_text = format_metrics(
        [
            Sample("charlemagne_watchers", {"process": "web-1"}, 3),
            Sample("charlemagne_request_seconds_count", {"route": 'e/"\\\n'}, 2),
            Sample("charlemagne_watchers", {"process": "web-2"}, 4),
        ]
    )
    assert metrics_text.splitlines() == [
        f"# HELP charlemagne_request_seconds {FAMILIES['charlemagne_request_seconds'][1]}",
        "# TYPE charlemagne_request_seconds histogram",
        'charlemagne_request_seconds_count{route="e/\\"\\\\\\n"} 2',
        f"# HELP charlemagne_watchers {FAMILIES['charlemagne_watchers'][1]}",
        "# TYPE charlemagne_watchers gauge",
        'charlemagne_watchers{process="web-1"} 3',
        'charlemagne_watchers{process="web-2"} 4',
    ]


@pytest.mark.slow
def test_scrape_includes_hands_of_every_web_process(watched: MeasuredUp) -> None:
    first, second = watched.list_web_processes()
    for number, pid in enumerate((first, second), start=1):
        with isolate_process(watched, pid):
            mark(watched, watched.night, number)
    hands = {f"process=web-{first}": 1.0, f"process=web-{second}": 1.0}
    wait_until(lambda: watched.get_samples("charlemagne_hands_acknowledged_total") == hands)
    route = "api/tables/<code:code>/hands"
    found = watched.get_samples("charlemagne_request_seconds_count", method="POST", route=route, status="201")
    assert found == hands


@pytest.mark.long
def test_histogram_buckets_add_up_and_lines_parse(watched: MeasuredUp) -> None:
    assert watched.look("/sign-in") == 200
    wait_until(lambda: bool(watched.get_samples("charlemagne_request_seconds_count", route="sign-in")))
    page = watched.scrape()
    assert [line for line in page.splitlines() if not line.startswith("#") and not METRIC_LINE.fullmatch(line)] == []
    buckets = watched.get_samples("charlemagne_request_seconds_bucket", route="sign-in", le="+Inf")
    assert buckets == watched.get_samples("charlemagne_request_seconds_count", route="sign-in")


@pytest.mark.long
def test_scrape_reports_watchers_jobs_and_process_usage(watched: MeasuredUp) -> None:
    with Listener(watched.port, f"/e/{watched.night['event']}") as listener:
        assert listener.read_revision()
        wait_until(lambda: sum(watched.get_samples("charlemagne_watchers").values()) == 1)
    wait_until(lambda: sum(watched.get_samples("charlemagne_watchers").values()) == 0)
    assert watched.get_samples("charlemagne_database_up") == {"": 1.0}
    queues, statuses = ("jobs", "jobs-long", "jobs-outgoing"), ("queued", "running")
    each = {f"queue={queue} status={status}" for queue in queues for status in statuses}
    assert watched.get_samples("charlemagne_jobs").keys() == each
    assert watched.get_samples("charlemagne_oldest_job_seconds").keys() == {f"queue={queue}" for queue in queues}
    parts = {name.rpartition("-")[0] for name in watched.get_samples("charlemagne_process_memory_bytes")}
    assert parts == {f"process={part}" for part in ("up", "web", "worker", "long-worker", "outgoing-worker", "beat")}
    assert min(watched.get_samples("charlemagne_process_memory_bytes").values()) > 5_000_000
    assert min(watched.get_samples("charlemagne_process_open_files").values()) > 2


@pytest.mark.long
def test_metrics_are_served_only_on_their_own_port(watched: MeasuredUp) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        watched.scrape("/")
    assert watched.look("/metrics") == 404


@pytest.mark.long
def test_invalid_metrics_port_stops_the_start(tmp_path: Path, prepared_folder: Path) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    refused = run_manage("up", "--data", str(data), "--port", str(find_free_port()), CHARLEMAGNE_METRICS="yes")
    assert refused.returncode == 2
    assert refused.stderr.endswith("CHARLEMAGNE_METRICS must be a port, or host:port, not yes.\n")
