"""Whether traces are made, for whoever runs a large installation: only where OpenTelemetry's own variable
says where to send them. Elsewhere nothing of it is loaded."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from live.asgi import Application
from operations.terminal import Stop, terminal_text

VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
SENDER = "opentelemetry-exporter-otlp-proto-http"
"""The package that brings all the others along."""


def is_asked_for() -> bool:
    return bool(os.environ.get(VARIABLE))


def check_tracing() -> None:
    """Stops with a sentence if traces are asked for, and what makes them is not installed."""
    if is_asked_for():
        try:
            import_module("config.spans")
        except ModuleNotFoundError:
            missing = {"variable": VARIABLE, "python": sys.executable, "package": SENDER}
            raise Stop(terminal_text("no-tracing", **missing)) from None


def add_spans(application: Application) -> Application:
    """The application; where traces are asked for, with a span for each request."""
    if not is_asked_for():
        return application
    from .spans import with_spans

    return with_spans(application)


def start_tracing() -> AbstractContextManager[None]:
    """Meanwhile spans are sent, where traces are asked for. In each process for itself, and after it was
    copied from another: a thread sends them."""
    if not is_asked_for():
        return nullcontext()
    from .spans import send_spans

    return send_spans()
