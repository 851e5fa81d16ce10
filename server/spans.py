"""Traces: a span for each request and each task, with one for each database statement.

This is loaded only if ``server.tracing`` finds that traces are wanted. A span has no personal data: a route
and never an address, as those of tables and links are secrets; a statement without its values; of an error
its type, as its message may have values again.
"""

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

from config import __version__
from jobs.messages import REQUEST_ID_HEADER
from jobs.request_id import request_id
from live.asgi import Application

from .request_metrics import KIND, is_measured

REQUEST_ATTRIBUTE = "charlemagne.request"
"""Attribute with the id of the request, as in log lines."""
SHUTDOWN_TIMEOUT = 1.0
"""Seconds for a process that ends to send its last spans."""

tracer = get_tracer("charlemagne", __version__)


@contextmanager
def send_spans() -> Iterator[None]:
    """Make and send spans during the block, in the background; the last ones at the end."""
    resource = Resource({"service.name": "charlemagne", "service.version": __version__, "process.pid": os.getpid()})
    provider = TracerProvider(resource=resource.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    set_tracer_provider(provider)
    connection_created.connect(_trace_statements)
    before_task_publish.connect(_propagate_context)
    task_prerun.connect(_begin_task)
    task_postrun.connect(_end_task)
    try:
        yield
    finally:
        sender = Thread(target=provider.shutdown, daemon=True)  # it has no time limit of its own
        sender.start()
        sender.join(SHUTDOWN_TIMEOUT)


@contextmanager
def _open_span(
    name: str, kind: SpanKind, attributes: Mapping[str, str], parent: Context | None = None
) -> Iterator[Span]:
    """Open a span for the block; spans made in it are its children."""
    with tracer.start_as_current_span(
        name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def wrap_with_spans(application: Application) -> Application:
    """Wrap the application so that each measured request has a span."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if not is_measured(scope):
            await application(scope, receive, send)
            return
        with _open_span("request", SpanKind.SERVER, {REQUEST_ATTRIBUTE: request_id()}) as span:
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
    """Trace a statement that is part of a request or a task; others are not traced."""
    if not get_current_span().is_recording():
        return execute(sql, params, many, context)
    text = sql if isinstance(sql, str) else ""  # psycopg's composed statements contain their values
    attributes = {"db.system.name": context["connection"].vendor, "db.query.text": text}
    with _open_span(text[:20].partition(" ")[0], SpanKind.CLIENT, attributes):
        return execute(sql, params, many, context)


def _propagate_context(headers: dict[str, Any], **_: object) -> None:
    """Make the task part of the trace of its sender."""
    inject(headers)


_tasks: list[AbstractContextManager[Span]] = []
"""Spans of the running tasks, the latest last: a worker does one at a time, in one thread."""


def _begin_task(task: Task[Any, Any], **_: object) -> None:
    request = task.request
    attributes = {REQUEST_ATTRIBUTE: request.get(REQUEST_ID_HEADER) or ""}
    span = _open_span(request.get("shadow") or task.name, SpanKind.CONSUMER, attributes, extract(vars(request)))
    span.__enter__()
    _tasks.append(span)


def _end_task(state: str, **_: object) -> None:
    if state == FAILURE:
        get_current_span().set_status(StatusCode.ERROR)
    _tasks.pop().__exit__(None, None, None)
