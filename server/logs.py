"""Format of log lines: for people, or, with ``CHARLEMAGNE_LOGS=json``, for programs."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest

from jobs.request_id import request_id

LOGS_VARIABLE = "CHARLEMAGNE_LOGS"


_CONTROL_CHARACTERS = {ord(end): repr(end)[1:-1] for end in "\r\n\v\f\x85\u2028\u2029\x1b"}
"""Characters in user input that would begin another line, or colour it; a traceback has lines of its own."""


class TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the library's name)
        current_request = request_id()
        text = super().formatMessage(record).translate(_CONTROL_CHARACTERS)
        return text + (f" [{current_request}]" if current_request else "")


class JSONFormatter(logging.Formatter):
    """Formatter with one JSON object a line.

    It has the moment in UTC, level, logger, message, process, the id of the request, the values in
    ``extra={"fields": …}``, and the traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            "request": request_id(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


class RouteInsteadOfPath(logging.Filter):
    """Log filter that names a request's route: its path may have a table's code or the secret of a link."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            route = getattr(request.resolver_match, "route", "unknown")
            record.args = tuple(route if value == request.path else value for value in record.args)
        return True


def build_logging_settings(*, is_json: bool) -> dict[str, Any]:
    """Return Django's LOGGING. With JSON, every request is logged, too."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": JSONFormatter if is_json else TextFormatter}},
        "filters": {
            "no_outage": {"()": "operations.outages.NoOutage"},
            "no_reconnection": {"()": "operations.outages.NoReconnection"},
            "outage_in_a_line": {"()": "operations.outages.OutageInALine"},
            "route_instead_of_path": {"()": "server.logs.RouteInsteadOfPath"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["route_instead_of_path", "outage_in_a_line"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "django": {"handlers": [], "level": "WARNING", "propagate": True},
            # A page not found is no news on a hall's laptop; nor is each failure on a full disk.
            "django.request": {"level": "ERROR", "filters": ["no_outage"]},
            "celery.app.trace": {"filters": ["no_outage"]},
            "celery.worker.consumer.consumer": {"filters": ["no_reconnection"]},
            "charlemagne.requests": {"level": "INFO" if is_json else "WARNING"},
            "psycopg.pool": {"level": "ERROR"},
            # Anybody can send malformed requests, or ask for WebSockets.
            "uvicorn.error": {"level": "ERROR"},
        },
    }


def configure_plain_logging(*, is_json: bool) -> None:
    """Set up logging in the beat process, which has no Django; Celery is to set up nothing of its own."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JSONFormatter() if is_json else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
