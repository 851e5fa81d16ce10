"""Traces of a running `up`: spans that reach the OpenTelemetry collector, and data that must not."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from operations.data_dir import DATA_VARIABLE, PROJECT
from server import spans, tracing
from tests.support.receiver import Receiver, run_receiver
from tests.support.waiting import TIMEOUT_SECONDS, wait_until
from tests.workspaces import find_free_port
from tournaments.standings.queries.delays import STANDINGS_KIND

from .conftest import FRENCH, RunningUp, build_environment, prepare_night, run_manage
from .test_streams import mark
from .test_web_process_restarts import isolate_process

pytestmark = pytest.mark.slow

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

SOON, AT_THE_END = "100", "3600000"
"""Milliseconds between two exports."""
HAND = "POST api/tables/<code:code>/hands"
NO_OPENTELEMETRY_SCRIPT = """
import sys

class Nothing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Nothing())
"""
LOADED_MODULES_SCRIPT = """
import sys
import config.asgi, config.celery, operations.up.child
print([name for name in sys.modules if name.startswith(("opentelemetry.exporter", "server.spans"))])
"""
ONE_SPAN_SCRIPT = """
import django
django.setup()
from server.tracing import start_tracing
with start_tracing():
    from server.spans import tracer
    tracer.start_span("last").end()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSpan:
    """A span as the collector receives it."""

    process: int
    trace: bytes
    name: str
    attributes: Mapping[str, Any]

    @property
    def request(self) -> str:
        return str(self.attributes.get("charlemagne.request", ""))


def list_spans(collector: Receiver) -> list[ReceivedSpan]:
    return [
        ReceivedSpan(
            process=_get_values(group.resource.attributes)["process.pid"],
            trace=span.trace_id,
            name=span.name,
            attributes=_get_values(span.attributes),
        )
        for received in collector.requests
        for group in ExportTraceServiceRequest.FromString(received.body).resource_spans
        for scope in group.scope_spans
        for span in scope.spans
    ]


def _get_values(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


def send_request(up: RunningUp, path: str) -> str:
    """Return the request id of the response."""
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.headers["X-Request-ID"]


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with run_receiver() as receiver:
        yield receiver


def run(code: str, data: Path, **more: str) -> str:
    """Return the output of a process with the environment of an `up`."""
    variables = {DATA_VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings", **more}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT, env=build_environment(**variables), capture_output=True, encoding="utf-8", check=False,
        timeout=600,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@on_linux
def test_trace_covers_page_hand_job_and_queries_without_secrets(
    tmp_path: Path, prepared_folder: Path, collector: Receiver
) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    night = prepare_night(data, 1, 1).data
    (table,) = night["tables"]

    def get_trace_spans(begun_by: ReceivedSpan) -> dict[str, ReceivedSpan]:
        return {span.name: span for span in list_spans(collector) if span.trace == begun_by.trace}

    def list_request_spans(request: str) -> list[ReceivedSpan]:
        return [span for span in list_spans(collector) if span.request == request]

    def list_hand_spans() -> list[ReceivedSpan]:
        return [span for span in list_spans(collector) if span.name == HAND]

    up = start_traced_up(data, collector, SOON, "--processes", "2")
    try:
        wait_until(lambda: len(up.list_web_processes()) == 2)
        for pid in up.list_web_processes():
            with isolate_process(up, pid):
                request = send_request(up, f"/t/{table['code']}?from=somebody-we-know")
                wait_until(lambda: list_request_spans(request) != [])  # noqa: B023
            (page,) = list_request_spans(request)
            assert (page.process, page.name) == (pid, "GET t/<code:code>")
            assert page.attributes["http.response.status_code"] == 200
            assert "= %s" in get_trace_spans(page)["SELECT"].attributes["db.query.text"]
        mark(up, night, 1)  # the last hand of the match, after which the worker computes standings
        wait_until(lambda: any(STANDINGS_KIND in get_trace_spans(hand) for hand in list_hand_spans()))
        (hand,) = list_hand_spans()
        job = get_trace_spans(hand)[STANDINGS_KIND]
        assert (job.request, job.process) == (hand.request, up.get_children()["worker"])
        assert hand.process in up.list_web_processes()
    finally:
        up.end()
    sent = b"".join(received.body for received in collector.requests)
    secrets = [table["code"], "somebody-we-know", night["event"]]
    assert [secret for secret in secrets if secret.encode() in sent] == []


@on_linux
@pytest.mark.long("starts a second program")
def test_last_spans_are_sent_when_the_process_ends(tmp_path: Path, prepared_folder: Path, collector: Receiver) -> None:
    up = start_traced_up(shutil.copytree(prepared_folder, tmp_path / "data"), collector, AT_THE_END)
    try:
        request = send_request(up, "/sign-in")
    finally:
        up.end()
    assert request in [span.request for span in list_spans(collector)]


@pytest.mark.long
def test_process_ends_despite_an_unresponsive_collector(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        endpoint = f"http://127.0.0.1:{mute.getsockname()[1]}"
        for_an_hour = {"OTEL_EXPORTER_OTLP_TIMEOUT": "3600"}
        run(ONE_SPAN_SCRIPT, tmp_path, **{tracing.VARIABLE: endpoint}, **for_an_hour)


def start_traced_up(data: Path, collector: Receiver, pause: str, *options: str) -> RunningUp:
    """Start an `up` that sends its traces to the collector."""
    up = RunningUp(data, *options, OTEL_EXPORTER_OTLP_ENDPOINT=collector.origin, OTEL_BSP_SCHEDULE_DELAY=pause)
    wait_until(up.is_answering)
    return up


def test_error_span_has_the_type_but_no_message(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(spans, "tracer", provider.get_tracer("test"))
    with (
        pytest.raises(DatabaseError),
        connection.execute_wrapper(spans._trace_statement),
        spans._open_span("request", SpanKind.SERVER, {}),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT abs(%s, 'Aline')", ["Tremblay"])
    spans_json = "".join(span.to_json() for span in exporter.get_finished_spans())
    assert '"description": "OperationalError"' in spans_json
    assert "wrong number" not in spans_json
    assert "Tremblay" not in spans_json


@pytest.mark.long
def test_tracing_is_not_loaded_unless_requested(tmp_path: Path) -> None:
    assert run(LOADED_MODULES_SCRIPT, tmp_path) == "[]"
    (tmp_path / "sitecustomize.py").write_text(NO_OPENTELEMETRY_SCRIPT, encoding="utf-8")
    assert run(LOADED_MODULES_SCRIPT, tmp_path, PYTHONPATH=str(tmp_path)) == "[]"


@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ({}, "turns on tracing, but the tracing package is not installed. Install it: pipx inject"),
        (
            FRENCH,
            "active les traces, mais le paquet nécessaire n'est pas installé. Installez-le : pipx inject",
        ),
    ],
    ids=["en", "fr"],
)
def test_missing_tracing_package_gets_an_installation_hint(
    tmp_path: Path, prepared_folder: Path, language: dict[str, str], hint: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_OPENTELEMETRY_SCRIPT, encoding="utf-8")
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    wanted = {tracing.VARIABLE: "http://127.0.0.1:9", "PYTHONPATH": str(tmp_path), **language}
    refused = run_manage("up", "--data", str(data), "--port", str(find_free_port()), **wanted)
    assert refused.returncode == 2
    (sentence,) = refused.stderr.splitlines()
    assert sentence.startswith(f"{tracing.VARIABLE} {hint} charlemagne 'charlemagne[tracing]'")
    assert f"-m pip install {tracing.EXPORTER_PACKAGE}. " in sentence
