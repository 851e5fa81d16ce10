"""A project with almost no packages, whose environment is created quickly."""

from __future__ import annotations

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from operations.data_dir import PROJECT

from .conftest import build_environment

COMMAND = """
import os, sys
from pathlib import Path
sys.path.insert(0, str(Path.cwd()))
from operations.terminal import Stop
from operations.environment import run_in_environment
os.umask(int(os.environ.get("UMASK", "22"), 8))
packages = os.environ.get("PACKAGES")
try:
    status = run_in_environment(
        ["here.py", *sys.argv[1:]], is_development="dev" in sys.argv, packages=packages and Path(packages)
    )
except Stop as stop:
    sys.exit(str(stop))
print("ran in", sys.prefix)
sys.exit(status)
"""

BARE_PYTHON: str = getattr(sys, "_base_executable", sys.executable)


def build_project(folder: Path) -> Path:
    """Write the files that an environment needs, with requirement locks that are empty."""
    (folder / "operations").mkdir(parents=True)
    modules = ("__init__", "file_lock", "environment", "packages", "data_dir", "terminal")
    for name in (*(f"{module}.py" for module in modules), "terminal.toml"):
        shutil.copy(PROJECT / "operations" / name, folder / "operations")
    (folder / "manage.py").touch()
    (folder / "requirements.txt").write_text("", encoding="utf-8")
    (folder / "requirements-dev.txt").write_text("# more\n", encoding="utf-8")
    (folder / "here.py").write_text(COMMAND, encoding="utf-8")
    return folder


def start(
    project: Path, *arguments: str, python: str = BARE_PYTHON, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the project's command, by default with a Python that has no packages installed."""
    return subprocess.run(
        [python, "-S", "-I", *(arguments if arguments[:1] == ("-c",) else ["here.py", *arguments])],
        cwd=project, env=build_environment(**variables), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def require_package(project: Path, folder: Path, code: str = "") -> None:
    """Require a package, and write its wheel to the folder with a module of this code."""
    folder.mkdir(exist_ok=True)
    wheel = folder / "deck_of_tests-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as written:
        written.writestr("deck.py", code)
        written.writestr(
            "deck_of_tests-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: deck-of-tests\nVersion: 1.0\n",
        )
        written.writestr(
            "deck_of_tests-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        written.writestr("deck_of_tests-1.0.dist-info/RECORD", "deck.py,,\n")
    digest = sha256(wheel.read_bytes()).hexdigest()
    (project / "requirements.txt").write_text(f"deck-of-tests==1.0 --hash=sha256:{digest}\n", encoding="utf-8")
