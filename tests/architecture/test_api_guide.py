"""The API guide documents every operation of the API, and no other."""

import re

from api.operations import OPERATIONS
from operations.data_dir import PROJECT
from server.addresses import list_addresses


def test_api_guide_covers_every_api_address() -> None:
    page = (PROJECT / "docs" / "api" / "guide.md").read_text(encoding="utf-8")
    documented_paths = {path.partition("?")[0] for path in re.findall(r"(?:GET|POST) (/api/\S*)", page)}
    api_paths = {
        re.sub("<[^>]*?([a-z_]+)>", _format_parameter, one.pattern)
        for one in list_addresses()
        if "/api/" in one.pattern
    }
    assert api_paths - documented_paths == set(), "show it with an answer in docs/api/guide.md"


def test_api_guide_names_no_missing_operation() -> None:
    page = (PROJECT / "docs" / "api" / "guide.md").read_text(encoding="utf-8")
    operations = {(one.method.upper(), re.sub(r"<[^>]*>", "*", one.path)) for one in OPERATIONS}
    mentions = re.findall(r"^(GET|POST) +/api/v1/([a-z]\S*)", page, re.MULTILINE)
    named = {(method, re.sub(r"\b([A-Z]+|\d+)\b", "*", path)) for method, path in mentions}
    assert named - operations == {("GET", "schema")}


def _format_parameter(part: re.Match[str]) -> str:
    """Format a parameter such as ``<code:code>`` as ``CODE``, as the guide does."""
    return part[1].upper()
