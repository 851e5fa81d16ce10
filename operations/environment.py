"""The virtual environment of this program: created at the first start, recreated when it no longer fits.

Standard library only: this runs before anything is installed.
"""

import errno
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from .data_dir import IS_INSTALLED, PROJECT, data_folder, get_home_folder
from .file_lock import hold_lock
from .packages import RUNTIME_LOCK, find_broken_package, get_last_error, install_packages, is_disk_full
from .terminal import Stop, format_terminal_text, print_line

DEVELOPMENT_LOCK = "requirements-dev.txt"


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment, and what it was made for."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp(self) -> Path:
        """File with the digest of each installed lock, and what the environment was made for."""
        return self.folder / "installed.json"

    @property
    def log(self) -> Path:
        return self.folder / "install.log"

    @property
    def lock_file(self) -> Path:
        """Lock beside the folder, which may be recreated while another process waits."""
        return self.folder.with_name(f"{self.folder.name}.lock")

    @property
    def is_running(self) -> bool:
        """Whether this process runs in it."""
        return Path(sys.prefix).resolve() == self.folder.resolve()

    def read_stamp(self) -> dict[str, str] | None:
        """Return what is installed, None without a stamp. It is empty during an installation."""
        try:
            return dict(json.loads(self.stamp.read_text(encoding="utf-8")))
        except OSError:
            return None
        except ValueError:
            return {}

    def write_stamp(self, *locks: str) -> None:
        if locks:
            stamp = {name: _compute_digest(name) for name in locks} | self.build_marks() | {"abi": self._read_abi()}
        else:
            stamp = {}
        self.stamp.write_text(json.dumps(stamp), encoding="utf-8")

    def build_marks(self) -> dict[str, str]:
        """Return what packages depend on, as far as this process can tell: place, machine, Python."""
        marks = {"path": str(self.folder.resolve()), "machine": f"{sys.platform} {platform.machine()}"}
        return marks | ({"abi": EXTENSION_SUFFIXES[0]} if self.is_running else {})

    def is_compatible(self) -> bool:
        """Check whether it is for this place, machine and Python. Older stamps do not say."""
        stamp = self.read_stamp() or {}
        return os.access(self.python, os.X_OK) and stamp | self.build_marks() == self.build_marks() | stamp

    def has_same_python(self) -> bool:
        """Check whether its Python is still the one it was made for. Older stamps do not say."""
        return (self.read_stamp() or {}).get("abi") in {None, self._read_abi()}

    def is_ready_for(self, lock: str) -> bool:
        return self.is_compatible() and self.has_installed(lock)

    def has_installed(self, lock: str) -> bool:
        return (self.read_stamp() or {}).get(lock) == _compute_digest(lock)

    def _read_abi(self) -> str:
        code = "from importlib.machinery import EXTENSION_SUFFIXES as s; print(s[0])"
        try:
            return subprocess.run(  # noqa: S603
                [self.python, "-I", "-c", code], capture_output=True, encoding="utf-8", check=False
            ).stdout.strip()
        except OSError:
            return ""


def run_in_environment(arguments: list[str], *, is_development: bool, packages: Path | None = None) -> int | None:
    """Return None if this Python has all packages, else the status of the same command run in the
    environment.

    Missing packages are installed from the folder ``packages``, by default from the network.
    """
    if _is_installed_by_its_user():
        return None
    lock = DEVELOPMENT_LOCK if is_development else RUNTIME_LOCK
    environment = next((candidate for candidate in _iter_environments() if candidate.is_ready_for(lock)), None)
    if environment and environment.is_running:
        return None
    return _run_again(environment or _install_locked(lock, packages), arguments)


def _is_installed_by_its_user() -> bool:
    """Check whether this project was installed in the user's own environment."""
    if IS_INSTALLED:
        return True
    try:
        distribution("charlemagne")
    except PackageNotFoundError:
        return False
    return True


def is_environment_right() -> bool:
    """Check whether this process runs in its user's own environment, or in one with the packages of this
    version."""
    return _is_installed_by_its_user() or any(
        candidate.is_running and candidate.is_ready_for(RUNTIME_LOCK) for candidate in _iter_environments()
    )


def _iter_environments() -> Iterator[Environment]:
    """List the places for the environment: beside manage.py, in the user's cache, in the data folder."""
    yield Environment(PROJECT / ".venv")
    digest = hashlib.sha256(str(PROJECT).encode(errors="surrogateescape")).hexdigest()[:12]
    with suppress(Stop):  # an account without a home
        cache = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or get_home_folder() / ".cache"
        yield Environment(Path(cache) / "charlemagne" / digest)
    with suppress(Stop):
        yield Environment(data_folder() / "environment")


def _find_usable_environment() -> Environment:
    """Return the first place where files can be written and programs run. Stops with the reasons if none."""
    reasons = []
    for environment in _iter_environments():
        try:
            _check_place(environment.folder)
        except OSError as error:
            reasons.append(f"{environment.folder}: {error.strerror}")
        else:
            return environment
    raise Stop(format_terminal_text("no-place-for-environment", reasons="; ".join(reasons)))


def _check_place(folder: Path) -> None:
    """Raise OSError if the folder cannot be made or written, or no program may run there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for place in filter(Path.is_dir, (folder.parent, folder)):
        with tempfile.TemporaryFile(dir=place):
            pass
        if sys.platform == "linux" and os.statvfs(place).f_flag & os.ST_NOEXEC:
            raise OSError(errno.EACCES, "noexec")


def _compute_digest(lock: str) -> str:
    return hashlib.sha256((PROJECT / lock).read_bytes()).hexdigest()


def _install_locked(lock: str, packages: Path | None) -> Environment:
    """Install under a lock: a second command waits, and uses what the first one has installed."""
    environment = _find_usable_environment()
    try:
        with hold_lock(environment.lock_file):
            if not environment.is_ready_for(lock):
                _install(environment, lock, packages)
    except OSError as error:
        raise Stop(_format_reason(environment, str(error))) from None
    return environment


def _install(environment: Environment, lock: str, packages: Path | None) -> None:
    # The development lock contains the runtime lock.
    locks = [RUNTIME_LOCK, DEVELOPMENT_LOCK] if lock == DEVELOPMENT_LOCK else [lock]
    if locks == [RUNTIME_LOCK] and _is_only_moved(environment):
        environment.write_stamp(*locks)
        return
    _make_environment(environment)
    environment.write_stamp()
    install_packages(environment.python, lock, environment.log, packages)
    environment.write_stamp(*locks)


def _is_only_moved(environment: Environment) -> bool:
    """Check whether all packages load although the folder was copied: no network is needed then."""
    is_whole = environment.has_installed(RUNTIME_LOCK) and environment.has_same_python()
    return is_whole and not find_broken_package(environment.python)


def _make_environment(environment: Environment) -> None:
    """Create the environment; recreate it if it fits no more, was interrupted, or its pip does not run."""
    is_complete = environment.read_stamp() != {} and environment.is_compatible() and environment.has_same_python()
    if is_complete and _is_runnable(environment.python, "-m", "pip", "--version"):
        return
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise Stop(format_terminal_text("python-lacks-venv"))
    is_first = environment.read_stamp() is None
    print_line("making-environment" if is_first else "making-environment-again", folder=environment.folder)
    if environment.folder.is_symlink():
        environment.folder.unlink()
    shutil.rmtree(environment.folder, ignore_errors=True)
    environment.folder.mkdir(exist_ok=True)
    result = subprocess.run(  # noqa: S603
        # Not the Python of the folder itself, which is gone by now.
        [getattr(sys, "_base_executable", sys.executable), "-I", "-m", "venv", str(environment.folder)],
        capture_output=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if result.returncode:
        raise Stop(_format_reason(environment, result.stdout + result.stderr))


def _is_runnable(*command: str | Path) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603
    except OSError:
        return False


def _format_reason(environment: Environment, output: str) -> str:
    """Return one sentence for what the system or venv reported."""
    if is_disk_full(output):
        return format_terminal_text("no-space", folder=environment.folder.parent)
    return format_terminal_text("environment-failed", folder=environment.folder, reason=get_last_error(output))


def _run_again(environment: Environment, arguments: list[str]) -> int:
    """Run this command with the environment's Python."""
    command = [str(environment.python), *arguments]
    if os.name != "nt":
        sys.stdout.flush()
        os.execv(environment.python, command)  # noqa: S606
    # Windows has no exec that keeps the console: wait, and leave Ctrl-C to the child process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(command, check=False).returncode  # noqa: S603
