"""The page on standings explains every metric that an event may rank by."""

import re

from engine.ranking import CHOICES
from operations.data_dir import PROJECT


def test_standings_page_explains_every_metric() -> None:
    page = (PROJECT / "docs" / "development" / "standings.md").read_text(encoding="utf-8")
    explained = {key for row in re.findall(r"^\| `.*?\|", page, re.MULTILINE) for key in re.findall("`(.*?)`", row)}
    assert set(CHOICES) - explained == set(), "give it a line in the table of docs/development/standings.md"
    assert explained - set(CHOICES) == set(), "docs/development/standings.md explains a metric that there is not"
