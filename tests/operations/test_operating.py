"""``docs/operating/running.md`` names each variable that the program reads, and no other."""

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
OF_TESTS = "CHARLEMAGNE_TEST_"


@pytest.mark.slow
def test_each_variable_of_the_program_stands_in_the_table_and_no_other() -> None:
    sources = (path for folder in FOLDERS for path in (PROJECT / folder).rglob("*.py"))
    read = {name for source in sources for name in NAME.findall(source.read_text(encoding="utf-8"))}
    told = set(NAME.findall((PROJECT / "docs" / "operating" / "running.md").read_text(encoding="utf-8")))
    assert told == {name for name in read if not name.startswith(OF_TESTS)}


def test_nobody_is_shown_the_cause_of_an_error_unless_a_variable_says_so() -> None:
    assert ours.DEBUG is False
