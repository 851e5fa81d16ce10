"""Small workbooks that need much memory or time are refused by the sandboxed reader."""

import sys
from collections.abc import Callable

import pytest

from tests.builders import get_refusal
from tests.support.bombs import WORKBOOKS
from tests.support.workbooks import build_workbook
from web import sandbox
from web.sheets.decoding import read_sheet_text

MB = 1024 * 1024


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count what a process takes")
@pytest.mark.parametrize("bomb", WORKBOOKS)
def test_memory_bomb_is_refused_by_the_sandboxed_reader(
    bomb: Callable[[], bytes],
) -> None:
    content = bomb()
    assert len(content) < MB
    assert get_refusal(read_sheet_text, content, file="list.xlsx").code == "workbook_too_large"


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that takes long is too large")
def test_overloaded_reader_asks_to_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    assert get_refusal(read_sheet_text, build_workbook(["Nom"], ["Anne"]), file="list.xlsx").code == "workbooks_wait"
