"""Libraries `charlemagne-rules` and `charlemagne-engine`: built, and used without the rest of the source."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from config import __version__
from operations.data_dir import PROJECT

LIBRARIES = ("rules", "engine")
QUESTIONS = (PROJECT / "tests/vectors/questions.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("library", LIBRARIES)
def test_library_readme_examples_pass(library: str) -> None:
    tried = doctest.testfile(str(PROJECT / library / "README.md"), module_relative=False)
    assert tried.attempted >= 15
    assert tried.failed == 0


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("libraries")
    for library in LIBRARIES:
        command = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "wheel",
            "--directory",
            str(folder),
        ]
        subprocess.run(command, cwd=PROJECT / library, check=True, capture_output=True)
    return {library: next(folder.glob(f"charlemagne_{library}-*.whl")) for library in LIBRARIES}


@pytest.mark.slow
def test_wheels_are_typed_complete_and_versioned(
    wheels: dict[str, Path],
) -> None:
    for library, wheel in wheels.items():
        with ZipFile(wheel) as packed:
            names = set(packed.namelist())
            metadata = packed.read(f"charlemagne_{library}-{__version__}.dist-info/METADATA").decode()
        modules = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / library).rglob("*.py")}
        held = {name for name in names if ".dist-info/" not in name}
        beside = {"errors/__init__.py", "errors/py.typed"} if library == "rules" else set()
        assert {name for name in held if name.endswith((".py", ".typed"))} == (
            modules - {"engine/hatch_build.py"} | {f"{library}/py.typed"} | beside
        )
        assert "License-Expression: AGPL-3.0-or-later" in metadata
        pinned = f"Requires-Dist: charlemagne-rules=={__version__}"
        assert (pinned in metadata) == (library == "engine")


@pytest.mark.long("makes an environment; the session also runs from the source")
def test_libraries_work_in_an_empty_environment(wheels: dict[str, Path], tmp_path: Path) -> None:
    python = _install(wheels, tmp_path / "environment")

    def run(*arguments: str | Path, given: str = "") -> str:
        return subprocess.run(
            [python, *arguments], cwd=tmp_path, input=given, capture_output=True, encoding="utf-8", check=True
        ).stdout

    for library in LIBRARIES:
        run("-m", "doctest", PROJECT / library / "README.md")
    cases = [json.loads(line) for line in QUESTIONS if line]
    answers = run("-m", "rules", given="\n".join(json.dumps(case["question"]) for case in cases)).splitlines()
    expected = [case["answer"] for case in cases]
    for line, answer in zip(answers, expected, strict=True):
        assert json.loads(line).items() >= answer.items()
    assert run("-c", "import rules, sys; print('django' in sys.modules, rules.__file__)").startswith("False")


def _install(wheels: dict[str, Path], folder: Path) -> Path:
    """Install the wheels alone, without optional dependencies for ratings and keys; return the new Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    wheel_files = [str(wheel) for wheel in wheels.values()]
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-index",
        "--no-deps",
        "--quiet",
    ]
    subprocess.run([*pip, *wheel_files], check=True, capture_output=True)
    return python
