"""Lines of the log: one for each thing that is said, whatever somebody has sent."""

import json
import logging

import pytest

from server.logs import ForPeople, ForPrograms
from tests.support.browser import Browser

FORGED = "no such page: /x\r\n2026-11-20 ERROR root: all is lost\u2028\x1b[31m\x85"


@pytest.mark.parametrize("formatter", [ForPeople(), ForPrograms()])
def test_nothing_that_was_sent_begins_a_line(formatter: logging.Formatter) -> None:
    record = logging.LogRecord("site", logging.WARNING, __file__, 1, "asked: %s", (FORGED,), None)
    said = formatter.format(record)
    assert "\n" not in said
    assert "\r" not in said
    assert "\x1b" not in said
    assert "all is lost" in said


def test_the_moment_of_a_line_for_programs_is_in_utc() -> None:
    record = logging.LogRecord("site", logging.WARNING, __file__, 1, "said", (), None)
    assert json.loads(ForPrograms().format(record))["at"].endswith("+00:00")


@pytest.mark.django_db
def test_an_address_at_which_nothing_is_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    assert Browser().open("/e/nowhere").status == 404
    assert caplog.records == []
