"""Checks for other operating systems that run on any of them: file names, and the jobs of the workflow."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

import yaml

from operations.data_dir import PROJECT
from tests.architecture.test_documents import list_tracked_paths

WORKFLOW = PROJECT / ".github" / "workflows" / "tests.yml"
LONGEST = 180
"""Maximum length of a path in the repository: Windows allows 260 characters, including the parent folder."""
FORBIDDEN_CHARACTERS = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def test_every_file_name_is_valid_on_every_system() -> None:
    assert [path for path in list_tracked_paths() if len(path) > LONGEST] == []
    names = set(chain.from_iterable(PurePosixPath(path).parts for path in list_tracked_paths()))
    assert [name for name in names if FORBIDDEN_CHARACTERS.search(name) or DEVICES.fullmatch(name)] == []


def test_no_two_file_names_differ_only_in_case() -> None:
    folded = Counter(path.casefold() for path in list_tracked_paths())
    assert [path for path, count in folded.items() if count > 1] == []


def list_jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return found


def test_workflow_covers_each_system_and_the_oldest_python() -> None:
    elsewhere = list_jobs()["elsewhere"]["strategy"]["matrix"]["include"]
    assert {each["os"].partition("-")[0] for each in elsewhere} == {"ubuntu", "macos", "windows"}
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert all(f"python:{oldest}-" in list_jobs()[name]["container"] for name in ("tests", "gates"))


def test_files_run_by_the_workflow_exist() -> None:
    run = [step["run"] for job in list_jobs().values() for step in job["steps"] if "run" in step]
    files = {word for command in run for word in command.split() if (PROJECT / word).is_file()}
    assert files == {".ci/run", "manage.py"}
    assert [job["steps"][-1]["run"] for job in list_jobs().values()] == [
        ".ci/run tests ${{ matrix.shard }}/4",
        ".ci/run gates",
        "python manage.py test --all",
    ]
    assert list_jobs()["tests"]["strategy"]["matrix"]["shard"] == [1, 2, 3, 4]


def test_missing_tools_fail_only_in_the_full_environment() -> None:
    assert list_jobs()["elsewhere"]["env"]["CI"] == ""
    assert "CI" not in list_jobs()["tests"]["env"]
    assert "CI=true" in (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
