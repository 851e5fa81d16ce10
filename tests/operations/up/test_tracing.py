"""Traces of a running `up`: what arrives where OpenTelemetry's variable says, and what never does."""

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

from operations.data_dir import PROJECT, VARIABLE
from server import spans, tracing
from tests.places import free_port
from tests.support.receiver import Receiver, a_receiver
from tests.support.waiting import PATIENCE, wait_until
from tournaments.standings.queries.delays import STANDINGS

from .conftest import FRENCH, Up, environment, manage, prepared_night
from .test_restarts import only
from .test_streams import mark

pytestmark = pytest.mark.slow

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

SOON, AT_THE_END = "100", "3600000"
"""Milliseconds between two sendings."""
HAND = "POST api/tables/<code:code>/hands"
WITHOUT_OPENTELEMETRY = """
import sys

class Nothing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Nothing())
"""
WHAT_IS_LOADED = """
import sys
import config.asgi, config.celery, operations.up.child
print([name for name in sys.modules if name.startswith(("opentelemetry.exporter", "server.spans"))])
"""
A_SPAN_AND_THE_END = """
import django
django.setup()
from server.tracing import start_tracing
with start_tracing():
    from server.spans import tracer
    tracer.start_span("last").end()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A span as it arrives."""

    process: int
    trace: bytes
    name: str
    attributes: Mapping[str, Any]

    @property
    def request(self) -> str:
        return str(self.attributes.get("charlemagne.request", ""))


def arrived(collector: Receiver) -> list[Arrived]:
    return [
        Arrived(
            process=_values(group.resource.attributes)["process.pid"],
            trace=span.trace_id,
            name=span.name,
            attributes=_values(span.attributes),
        )
        for received in collector.received
        for group in ExportTraceServiceRequest.FromString(received.body).resource_spans
        for scope in group.scope_spans
        for span in scope.spans
    ]


def _values(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


def ask(up: Up, path: str) -> str:
    """The id that the answer bears."""
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.headers["X-Request-ID"]


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with a_receiver() as receiver:
        yield receiver


def run(code: str, data: Path, **more: str) -> str:
    """Return what a process says that is set up as those of an `up` are."""
    variables = {VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings", **more}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT, env=environment(**variables), capture_output=True, encoding="utf-8", check=False,
        timeout=600,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@on_linux
def test_a_page_a_hand_its_job_and_their_statements_arrive_and_nothing_that_is_secret(
    tmp_path: Path, prepared_folder: Path, collector: Receiver
) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    night = prepared_night(data, 1, 1).told
    (table,) = night["tables"]

    def of_trace(begun_by: Arrived) -> dict[str, Arrived]:
        return {span.name: span for span in arrived(collector) if span.trace == begun_by.trace}

    def of_request(request: str) -> list[Arrived]:
        return [span for span in arrived(collector) if span.request == request]

    def hands() -> list[Arrived]:
        return [span for span in arrived(collector) if span.name == HAND]

    up = started(data, collector, SOON, "--processes", "2")
    try:
        wait_until(lambda: len(up.web_processes()) == 2)
        for pid in up.web_processes():
            with only(up, pid):
                request = ask(up, f"/t/{table['code']}?from=somebody-we-know")
                wait_until(lambda: of_request(request) != [])  # noqa: B023
            (page,) = of_request(request)
            assert (page.process, page.name) == (pid, "GET t/<code:code>")
            assert page.attributes["http.response.status_code"] == 200
            assert "= %s" in of_trace(page)["SELECT"].attributes["db.query.text"]
        mark(up, night, 1)  # with which the match is over, and the worker is asked for standings
        wait_until(lambda: any(STANDINGS in of_trace(hand) for hand in hands()))
        (hand,) = hands()
        job = of_trace(hand)[STANDINGS]
        assert (job.request, job.process) == (hand.request, up.children()["worker"])
        assert hand.process in up.web_processes()
    finally:
        up.end()
    sent = b"".join(received.body for received in collector.received)
    secrets = [table["code"], "somebody-we-know", night["event"]]
    assert [secret for secret in secrets if secret.encode() in sent] == []


@on_linux
def test_what_was_answered_last_is_sent_when_the_process_ends(
    tmp_path: Path, prepared_folder: Path, collector: Receiver
) -> None:
    up = started(shutil.copytree(prepared_folder, tmp_path / "data"), collector, AT_THE_END)
    try:
        request = ask(up, "/sign-in")
    finally:
        up.end()
    assert request in [span.request for span in arrived(collector)]


def test_a_process_ends_without_the_answer_of_a_collector_that_says_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        endpoint = f"http://127.0.0.1:{mute.getsockname()[1]}"
        for_an_hour = {"OTEL_EXPORTER_OTLP_TIMEOUT": "3600"}
        run(A_SPAN_AND_THE_END, tmp_path, **{tracing.VARIABLE: endpoint}, **for_an_hour)


def started(data: Path, collector: Receiver, pause: str, *options: str) -> Up:
    """An `up` that sends its traces there."""
    up = Up(data, *options, OTEL_EXPORTER_OTLP_ENDPOINT=collector.origin, OTEL_BSP_SCHEDULE_DELAY=pause)
    wait_until(up.answers)
    return up


def test_an_error_is_told_by_its_type_and_not_by_its_words(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(spans, "tracer", provider.get_tracer("test"))
    with (
        pytest.raises(DatabaseError),
        connection.execute_wrapper(spans._trace_statement),
        spans._span("request", SpanKind.SERVER, {}),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT abs(%s, 'Aline')", ["Tremblay"])
    told = "".join(span.to_json() for span in kept.get_finished_spans())
    assert '"description": "OperationalError"' in told
    assert "wrong number" not in told
    assert "Tremblay" not in told


def test_where_nobody_asks_for_traces_nothing_of_it_is_loaded_nor_wanted(tmp_path: Path) -> None:
    assert run(WHAT_IS_LOADED, tmp_path) == "[]"
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_OPENTELEMETRY, encoding="utf-8")
    assert run(WHAT_IS_LOADED, tmp_path, PYTHONPATH=str(tmp_path)) == "[]"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ({}, "turns on tracing, but the tracing package is not installed. Install it: pipx inject"),
        (
            FRENCH,
            "active les traces, mais le paquet nécessaire n'est pas installé. Installez-le : pipx inject",
        ),
    ],
    ids=["en", "fr"],
)
def test_where_what_makes_them_is_missing_up_says_what_to_install(
    tmp_path: Path, prepared_folder: Path, language: dict[str, str], said: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_OPENTELEMETRY, encoding="utf-8")
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    wanted = {tracing.VARIABLE: "http://127.0.0.1:9", "PYTHONPATH": str(tmp_path), **language}
    refused = manage("up", "--data", str(data), "--port", str(free_port()), **wanted)
    assert refused.returncode == 2
    (sentence,) = refused.stderr.splitlines()
    assert sentence.startswith(f"{tracing.VARIABLE} {said} charlemagne 'charlemagne[tracing]'")
    assert f"-m pip install {tracing.SENDER}. " in sentence
