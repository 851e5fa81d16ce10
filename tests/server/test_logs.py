"""Log lines: each message stays on one line, whatever a client has sent."""

import json
import logging

import pytest

from server.logs import JSONFormatter, TextFormatter
from tests.support.browser import Browser

FORGED_MESSAGE = "no such page: /x\r\n2026-11-20 ERROR root: all is lost\u2028\x1b[31m\x85"


@pytest.mark.parametrize("formatter", [TextFormatter(), JSONFormatter()])
def test_log_message_stays_on_one_line(formatter: logging.Formatter) -> None:
    record = logging.LogRecord("site", logging.WARNING, __file__, 1, "asked: %s", (FORGED_MESSAGE,), None)
    log_line = formatter.format(record)
    assert "\n" not in log_line
    assert "\r" not in log_line
    assert "\x1b" not in log_line
    assert "all is lost" in log_line


def test_malformed_requests_write_no_log_lines() -> None:
    server_log = logging.getLogger("uvicorn.error")
    assert [server_log.isEnabledFor(level) for level in (logging.WARNING, logging.ERROR)] == [False, True]


def test_json_log_times_are_in_utc() -> None:
    record = logging.LogRecord("site", logging.WARNING, __file__, 1, "said", (), None)
    assert json.loads(JSONFormatter().format(record))["at"].endswith("+00:00")


@pytest.mark.django_db
def test_refused_form_is_logged_without_the_secret_in_its_address(caplog: pytest.LogCaptureFixture) -> None:
    assert Browser().client.post("/link/SECRET").status_code == 403
    (record,) = caplog.records
    (handler,) = (each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler)
    assert handler.filter(record)
    log_line = handler.format(record)
    assert "link/<str:secret>" in log_line
    assert "SECRET" not in log_line


@pytest.mark.django_db
def test_unknown_address_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert Browser().open("/e/nowhere").status == 404
    assert caplog.records == []
