"""Workbooks that are small as files and large as soon as somebody reads them."""

import sys
from collections.abc import Callable

import pytest

from tests.builders import refusal_of
from tests.support.bombs import WORKBOOKS
from web.sheets import text_of_sheet

MB = 1024 * 1024


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count what a process takes")
@pytest.mark.parametrize("bomb", WORKBOOKS)
def test_what_takes_too_much_to_read_is_refused_by_a_process_that_may_take_so_much(
    bomb: Callable[[], bytes],
) -> None:
    content = bomb()
    assert len(content) < MB
    assert refusal_of(text_of_sheet, content, file="list.xlsx").code == "workbook_too_large"
