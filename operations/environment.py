"""The virtual environment beside manage.py: created at the first start, repaired when incomplete.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from .data_dir import IS_INSTALLED, PROJECT
from .file_lock import alone
from .terminal import Stop, say, terminal_text

RUNTIME_LOCK = "requirements.txt"
DEVELOPMENT_LOCK = "requirements-dev.txt"

FOLDER = PROJECT / ".venv"
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = FOLDER / "installed.json"
LOG = FOLDER / "install.log"
WAITING = PROJECT / ".venv.lock"
"""Lock file. It is beside the folder, which may be recreated while another process waits."""

# Names of network errors in pip's output.
UNREACHABLE = ("NewConnectionError", "NameResolutionError", "ConnectTimeout", "ReadTimeout", "ProxyError")


def run_in_environment(arguments: list[str], *, is_development: bool) -> int | None:
    """Return None if this Python has all packages, else the status of the same command run in the
    environment."""
    if _is_installed_by_its_user():
        return None
    lock = DEVELOPMENT_LOCK if is_development else RUNTIME_LOCK
    if not _holds(lock):
        _install_alone(lock)
    if Path(sys.prefix).resolve() == FOLDER.resolve():
        return None
    return _run_again(arguments)


def _is_installed_by_its_user() -> bool:
    """Check whether this project was installed in the user's own environment."""
    if IS_INSTALLED:
        return True
    try:
        distribution("charlemagne")
    except PackageNotFoundError:
        return False
    return True


def _digest(lock: str) -> str:
    return hashlib.sha256((PROJECT / lock).read_bytes()).hexdigest()


def _stamp() -> dict[str, str] | None:
    """Return the digest of each installed lock, None without a stamp. It is empty during an installation."""
    try:
        return dict(json.loads(STAMP.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}


def _holds(lock: str) -> bool:
    return PYTHON.exists() and (_stamp() or {}).get(lock) == _digest(lock)


def _install_alone(lock: str) -> None:
    """Install under a lock: a second command waits, and uses what the first one has installed."""
    try:
        with alone(WAITING):
            if not _holds(lock):
                _install(lock)
    except PermissionError as error:
        raise Stop(terminal_text("venv-not-writable", folder=PROJECT, reason=error.strerror)) from None
    except OSError as error:
        raise Stop(_reason(str(error))) from None


def _install(lock: str) -> None:
    _make_environment()
    count = sum(line[:1].isalnum() for line in (PROJECT / lock).read_text(encoding="utf-8").splitlines())
    say("installing", count=count)
    STAMP.write_text("{}", encoding="utf-8")
    _pip_install(lock, count)
    # The development lock contains the runtime lock.
    held = [RUNTIME_LOCK, DEVELOPMENT_LOCK] if lock == DEVELOPMENT_LOCK else [lock]
    STAMP.write_text(json.dumps({name: _digest(name) for name in held}), encoding="utf-8")
    say("installed")


def _make_environment() -> None:
    """Create the environment, or recreate it if an installation was interrupted, or its Python or pip does
    not run."""
    if _stamp() != {} and _runs(PYTHON, "-m", "pip", "--version"):
        return
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise Stop(terminal_text("python-lacks-venv"))
    say("making-environment", folder=FOLDER)
    try:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(exist_ok=True)
    except OSError as error:
        raise Stop(terminal_text("venv-not-writable", folder=PROJECT, reason=error.strerror)) from None
    made = subprocess.run(  # noqa: S603
        # Not the Python of the folder itself, which is gone by now.
        [getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(FOLDER)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise Stop(_reason(made.stdout + made.stderr))


def _runs(*command: str | Path) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603
    except OSError:
        return False


def _pip_install(lock: str, count: int) -> None:
    """Install exactly what the lock names, reporting progress every ten packages."""
    command = [
        *(str(PYTHON), "-m", "pip", "install", "--require-hashes", "--no-deps", "--progress-bar", "off"),
        *("--no-input", "--disable-pip-version-check", "--retries", "2", "-r", str(PROJECT / lock)),
    ]
    done = 0
    with (
        LOG.open("w", encoding="utf-8") as log,
        subprocess.Popen(  # noqa: S603
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
        ) as pip,
    ):
        assert pip.stdout is not None
        for line in pip.stdout:
            log.write(line)
            if line.startswith("Collecting "):
                done += 1
                if done % 10 == 0:
                    say("fetched", done=done, count=count)
            elif line.startswith("Installing collected packages"):
                say("unpacking")
    if pip.returncode:
        raise Stop(_reason(LOG.read_text(encoding="utf-8")))


def _reason(output: str) -> str:
    """Return one sentence for the output of pip or venv."""
    if "No space left" in output or "Errno 28" in output or "not enough space" in output:
        return terminal_text("no-space", folder=PROJECT)
    if any(sign in output for sign in UNREACHABLE):
        return terminal_text("no-network")
    errors = [line for line in output.splitlines() if line.startswith(("ERROR:", "Error:"))]
    lines = errors or output.strip().splitlines() or ["?"]
    return terminal_text("install-failed", reason=lines[-1].removeprefix("ERROR: "), log=LOG)


def _run_again(arguments: list[str]) -> int:
    """Run this command with the environment's Python."""
    command = [str(PYTHON), *arguments]
    if os.name != "nt":
        sys.stdout.flush()
        os.execv(PYTHON, command)  # noqa: S606
    # Windows has no exec that keeps the console: wait, and leave Ctrl-C to the child process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(command, check=False).returncode  # noqa: S603
