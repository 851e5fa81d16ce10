"""Workbooks that are small as files and large as soon as somebody reads them."""

import sys
from collections.abc import Callable

import pytest

from tests.builders import refusal_of
from tests.support.bombs import WORKBOOKS
from tests.support.workbooks import a_workbook
from web import sandbox
from web.sheets import text_of_sheet

MB = 1024 * 1024


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count what a process takes")
@pytest.mark.parametrize("bomb", WORKBOOKS)
def test_what_takes_too_much_to_read_is_refused_by_a_process_that_may_take_so_much(
    bomb: Callable[[], bytes],
) -> None:
    content = bomb()
    assert len(content) < MB
    assert refusal_of(text_of_sheet, content, file="list.xlsx").code == "workbook_too_large"


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that takes long is too large")
def test_what_a_busy_machine_does_not_come_to_is_to_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    assert refusal_of(text_of_sheet, a_workbook(["Nom"], ["Anne"]), file="list.xlsx").code == "workbooks_wait"
