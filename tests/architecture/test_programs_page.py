"""The API page has every operation for programs."""

import re

from api.operations import OPERATIONS
from operations.data_dir import PROJECT
from operations.roles_page import addresses


def test_the_page_for_programs_has_every_address_of_theirs() -> None:
    page = (PROJECT / "docs" / "api" / "guide.md").read_text(encoding="utf-8")
    said = {path.partition("?")[0] for path in re.findall(r"(?:GET|POST) (/api/\S*)", page)}
    known = {
        re.sub("<[^>]*?([a-z_]+)>", _as_said, one.pattern) for one in addresses() if "/api/" in one.pattern
    }
    assert known - said == set(), "show it with an answer in docs/api/guide.md"


def test_the_page_speaks_of_no_operation_that_is_not_there() -> None:
    page = (PROJECT / "docs" / "api" / "guide.md").read_text(encoding="utf-8")
    known = {(one.method.upper(), re.sub(r"<[^>]*>", "*", one.path)) for one in OPERATIONS}
    said = re.findall(r"^(GET|POST) +/api/v1/([a-z]\S*)", page, re.MULTILINE)
    named = {(method, re.sub(r"\b([A-Z]+|\d+)\b", "*", path)) for method, path in said}
    assert named - known == {("GET", "schema")}


def _as_said(part: re.Match[str]) -> str:
    """``<code:code>`` stands as ``CODE`` in the page."""
    return part[1].upper()
