"""What a trace holds: a span for each request and each task, and in it one for each statement that it asks
the database. Only where ``config.tracing`` finds that traces are asked for is this loaded.

A span says nothing of people: a route and never an address, for those of tables and links are secrets; a
statement without its values; of an error its type, for its words may hold values again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from threading import Thread
from typing import Any

from celery import Task
from celery.signals import before_task_publish, task_postrun, task_prerun
from celery.states import FAILURE
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract, inject
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, get_current_span, get_tracer, set_tracer_provider

from jobs.messages import ASKED_BY
from jobs.request_id import request_id
from live.asgi import Application

from . import __version__
from .measures import KIND, is_measured

REQUEST = "charlemagne.request"
"""The id of the request, as lines of the log have it."""
LAST_SENDING = 1.0
"""Seconds that a process which ends takes to send its last spans."""

tracer = get_tracer("charlemagne", __version__)


@contextmanager
def send_spans() -> Iterator[None]:
    """Meanwhile spans are made and sent, in the background; the last ones at the end."""
    own = Resource(
        {"service.name": "charlemagne", "service.version": __version__, "process.pid": os.getpid()}
    )
    provider = TracerProvider(resource=own.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    set_tracer_provider(provider)
    connection_created.connect(_trace_statements)
    before_task_publish.connect(_go_along)
    task_prerun.connect(_begin_task)
    task_postrun.connect(_end_task)
    try:
        yield
    finally:
        sending = Thread(target=provider.shutdown, daemon=True)  # which knows no patience of ours
        sending.start()
        sending.join(LAST_SENDING)


@contextmanager
def _span(
    name: str, kind: SpanKind, attributes: Mapping[str, str], within: Context | None = None
) -> Iterator[Span]:
    """What is done meanwhile belongs to it."""
    with tracer.start_as_current_span(
        name, within, kind, attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def with_spans(application: Application) -> Application:
    """Each of its requests that is measured has a span."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if not is_measured(scope):
            await application(scope, receive, send)
            return
        with _span("request", SpanKind.SERVER, {REQUEST: request_id()}) as span:
            try:
                await application(scope, receive, send)
            finally:
                method, route, status = scope[KIND]
                span.update_name(f"{method} {route}")
                span.set_attribute("http.request.method", method)
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", int(status))
                if int(status) >= 500:
                    span.set_status(StatusCode.ERROR)

    return answer


def _trace_statements(connection: BaseDatabaseWrapper, **_: object) -> None:
    if _trace_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_trace_statement)


def _trace_statement(
    execute: Callable[..., Any],
    sql: Any,
    params: Any,
    many: bool,  # noqa: FBT001 (as Django calls it)
    context: Mapping[str, Any],
) -> Any:
    """As a part of a request or a task; what runs beside them is traced by nobody."""
    if not get_current_span().is_recording():
        return execute(sql, params, many, context)
    text = sql if isinstance(sql, str) else ""  # what psycopg has composed holds its values
    attributes = {"db.system.name": context["connection"].vendor, "db.query.text": text}
    with _span(text[:20].partition(" ")[0], SpanKind.CLIENT, attributes):
        return execute(sql, params, many, context)


def _go_along(headers: dict[str, Any], **_: object) -> None:
    """The task belongs to the trace of whoever asks for it."""
    inject(headers)


_tasks: list[AbstractContextManager[Span]] = []
"""Of the tasks under way, the last one begun at the end: a worker does one at a time, in one thread."""


def _begin_task(task: Task[Any, Any], **_: object) -> None:
    asked = task.request
    attributes = {REQUEST: asked.get(ASKED_BY) or ""}
    span = _span(asked.get("shadow") or task.name, SpanKind.CONSUMER, attributes, extract(vars(asked)))
    span.__enter__()
    _tasks.append(span)


def _end_task(state: str, **_: object) -> None:
    if state == FAILURE:
        get_current_span().set_status(StatusCode.ERROR)
    _tasks.pop().__exit__(None, None, None)
