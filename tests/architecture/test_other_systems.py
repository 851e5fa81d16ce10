"""Checks for other systems that can be made here: file names, and the commands run on each of them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

import yaml

from operations.data_dir import PROJECT
from tests.architecture.test_documents import tracked

WORKFLOW = PROJECT / ".github" / "workflows" / "tests.yml"
LONGEST = 180
"""Characters of a path in the repository: Windows takes 260, the folder that it lies in included."""
NOT_IN_NAMES = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def test_every_system_can_hold_the_repository() -> None:
    assert [path for path in tracked() if len(path) > LONGEST] == []
    names = set(chain.from_iterable(PurePosixPath(path).parts for path in tracked()))
    assert [name for name in names if NOT_IN_NAMES.search(name) or DEVICES.fullmatch(name)] == []


def test_no_two_files_differ_by_capitals_only() -> None:
    folded = Counter(path.casefold() for path in tracked())
    assert [path for path, count in folded.items() if count > 1] == []


def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return found


def test_changes_are_tried_on_each_system_and_from_the_oldest_python_on() -> None:
    elsewhere = jobs()["elsewhere"]["strategy"]["matrix"]["include"]
    assert {each["os"].partition("-")[0] for each in elsewhere} == {"ubuntu", "macos", "windows"}
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert all(f"python:{oldest}-" in jobs()[name]["container"] for name in ("tests", "gates"))


def test_what_they_run_is_there() -> None:
    run = [step["run"] for job in jobs().values() for step in job["steps"] if "run" in step]
    files = {word for command in run for word in command.split() if (PROJECT / word).is_file()}
    assert files == {".ci/run", "manage.py"}
    assert [job["steps"][-1]["run"] for job in jobs().values()] == [
        ".ci/run tests ${{ matrix.shard }}/4",
        ".ci/run gates",
        "python manage.py test --all",
    ]
    assert jobs()["tests"]["strategy"]["matrix"]["shard"] == [1, 2, 3, 4]


def test_only_where_everything_is_there_a_missing_part_fails() -> None:
    assert jobs()["elsewhere"]["env"]["CI"] == ""
    assert "CI" not in jobs()["tests"]["env"]
    assert "CI=true" in (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
