"""``docs/operating/running.md`` names every variable that the program reads, and no other."""

import re

import pytest

from config import settings as ours
from operations.data_dir import PROJECT

NAME = re.compile(r"\bCHARLEMAGNE_[A-Z_]*[A-Z]\b")
FOLDERS = (
    "config",
    "server",
    "operations",
    "clubs",
    "scoring",
    "tournaments",
    "federations",
    "web",
    "live",
    "jobs",
    "wording",
)
TEST_VARIABLE_PREFIX = "CHARLEMAGNE_TEST_"


@pytest.mark.slow
def test_documentation_lists_exactly_the_variables_that_are_read() -> None:
    sources = (path for folder in FOLDERS for path in (PROJECT / folder).rglob("*.py"))
    read = {name for source in sources for name in NAME.findall(source.read_text(encoding="utf-8"))}
    documented_names = set(NAME.findall((PROJECT / "docs" / "operating" / "running.md").read_text(encoding="utf-8")))
    assert documented_names == {name for name in read if not name.startswith(TEST_VARIABLE_PREFIX)}


def test_debug_is_off_by_default() -> None:
    assert ours.DEBUG is False
