"""Optional tracing for large installations, on if OpenTelemetry's own variable says where to send traces.

Otherwise none of it is loaded.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from live.asgi import Application
from operations.terminal import Stop, terminal_text

VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
SENDER = "opentelemetry-exporter-otlp-proto-http"
"""The package to install; it brings all the others."""


def is_asked_for() -> bool:
    return bool(os.environ.get(VARIABLE))


def check_tracing() -> None:
    """Stop with a sentence if traces are wanted, and their package is not installed."""
    if is_asked_for():
        try:
            import_module("server.spans")
        except ModuleNotFoundError:
            missing = {"variable": VARIABLE, "python": sys.executable, "package": SENDER}
            raise Stop(terminal_text("no-tracing", **missing)) from None


def add_spans(application: Application) -> Application:
    """Return the application, with a span for each request if traces are wanted."""
    if not is_asked_for():
        return application
    from .spans import with_spans

    return with_spans(application)


def start_tracing() -> AbstractContextManager[None]:
    """Send spans during the block, if traces are wanted.

    Called in each process, after it was forked: a thread sends them.
    """
    if not is_asked_for():
        return nullcontext()
    from .spans import send_spans

    return send_spans()
