"""Figures in documents are true: exactly for what is counted in the code, to a tenth for sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest
import yaml
from django.conf import settings

from engine.draws import FORMATS
from engine.ranking import CHOICES
from handbook.pages import PAGES
from operations.data_dir import PROJECT
from rules.rulesets import RULESETS
from tools.code_lines import count_code_lines, count_lines_by_package

from .test_documents import list_tracked_paths, read_document

count_lines = cache(count_lines_by_package)

ARCHITECTURE = "docs/architecture.md"
PACKAGE_ROW = re.compile(r"^\| ((?:,? ?(?:then )?`\w+`)+) \| ([\d,]+) \|", re.MULTILINE)
TEST = re.compile(r"^\s*(?:async )?def test_", re.MULTILINE)


@cache
def read_schema() -> dict[str, dict[str, object]]:
    return dict(yaml.load(read_document("docs/api/openapi.yaml"), yaml.CSafeLoader)["paths"])


def count_files(folder: str, suffix: str) -> int:
    return sum(path.startswith(folder) and path.endswith(suffix) for path in list_tracked_paths())


def count_matches(folder: str, suffix: str, pattern: str) -> int:
    paths = [path for path in list_tracked_paths() if path.startswith(folder) and path.endswith(suffix)]
    return sum(len(re.findall(pattern, read_document(path), re.MULTILINE)) for path in paths)


COUNTS = {
    (ARCHITECTURE, r"(\d+) operations on"): lambda: sum(
        len(set(each) - {"parameters"}) for each in read_schema().values()
    ),
    (ARCHITECTURE, r"operations on (\d+) paths"): lambda: len(read_schema()),
    (ARCHITECTURE, r"and (\d+) more features"): lambda: len(settings.TOURNAMENT_FEATURES),
    (ARCHITECTURE, r"other (\d+) packages are features"): lambda: len(settings.TOURNAMENT_FEATURES),
    (ARCHITECTURE, r"draws \((\d+) formats\)"): lambda: len(FORMATS),
    (ARCHITECTURE, r"ranking \((\d+) metrics\)"): lambda: len(CHOICES),
    (ARCHITECTURE, r"its (\d+) rulesets"): lambda: len(RULESETS),
    ("engine/README.md", r"(\d+) formats, stages"): lambda: len(FORMATS),
    ("README.md", r"under \*More\*: (\d+) pages"): lambda: len(PAGES),
    ("docs/development/adding.md", r"for (\d+) common additions"): lambda: count_matches(
        "docs/development/adding.md", "", "^## "
    ),
}


def count_core_lines() -> int:
    """Return the lines of ``tournaments`` that are of no feature."""
    others = {*settings.TOURNAMENT_FEATURES, "migrations"}
    folder = PROJECT / "tournaments"
    paths = (path for path in folder.rglob("*.py") if path.relative_to(folder).parts[0] not in others)
    return sum(count_code_lines(path.read_text(encoding="utf-8")) for path in paths)


SIZES: dict[str, Callable[[], int]] = {
    r"([\d,]+) lines of Python": lambda: count_lines().total(),
    r"core of ([\d,]+) lines": count_core_lines,
    r"([\d,]+) of JavaScript": lambda: count_matches("static/js/", ".js", "$"),
    r"([\d,]+) templates": lambda: count_files("templates/", ".html"),
    r"([\d,]+) tests": lambda: count_matches("tests/", ".py", TEST.pattern),
}


def read_number(document: str, pattern: str) -> int:
    found = re.search(pattern, read_document(document))
    assert found, f"{document} no longer says: {pattern}"
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize(("document", "pattern"), COUNTS)
def test_count_in_a_document_is_exact(document: str, pattern: str) -> None:
    assert read_number(document, pattern) == COUNTS[document, pattern]()


@pytest.mark.slow
@pytest.mark.parametrize("pattern", SIZES)
def test_size_of_the_project_is_right_to_a_tenth(pattern: str) -> None:
    assert read_number(ARCHITECTURE, pattern) == pytest.approx(SIZES[pattern](), rel=0.1)


@pytest.mark.slow
def test_size_of_each_layer_is_right_to_a_tenth() -> None:
    lines = count_lines()
    stated = {names: int(number.replace(",", "")) for names, number in PACKAGE_ROW.findall(read_document(ARCHITECTURE))}
    counted = {names: sum(lines[name] for name in re.findall(r"`(\w+)`", names)) for names in stated}
    assert stated == {names: pytest.approx(count, rel=0.1) for names, count in counted.items()}
    packages = {name for names in stated for name in re.findall(r"`(\w+)`", names)}
    assert packages == {name for name in lines if "." not in name}
