"""Optional tracing for large installations, on if OpenTelemetry's own variable says where to send traces.

Otherwise none of it is loaded.
"""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from live.asgi import Application
from operations.terminal import Stop, format_terminal_text

VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
EXPORTER_PACKAGE = "opentelemetry-exporter-otlp-proto-http"
"""The package to install; it brings all the others."""


def is_tracing_requested() -> bool:
    return bool(os.environ.get(VARIABLE))


def check_tracing() -> None:
    """Stop with a sentence if traces are wanted, and their package is not installed."""
    if is_tracing_requested():
        try:
            import_module("server.spans")
        except ModuleNotFoundError:
            details = {"variable": VARIABLE, "python": sys.executable, "package": EXPORTER_PACKAGE}
            raise Stop(format_terminal_text("no-tracing", **details)) from None


def add_spans(application: Application) -> Application:
    """Return the application, with a span for each request if traces are wanted."""
    if not is_tracing_requested():
        return application
    from .spans import wrap_with_spans

    return wrap_with_spans(application)


def start_tracing() -> AbstractContextManager[None]:
    """Send spans during the block, if traces are wanted.

    Called in each process, after it was forked: a thread sends them.
    """
    if not is_tracing_requested():
        return nullcontext()
    from .spans import send_spans

    return send_spans()
