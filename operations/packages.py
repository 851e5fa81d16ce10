"""Packages of a lock file: installed by pip from an index or a folder, downloaded, loaded once.

Standard library only: this runs before anything is installed.
"""

import ast
import os
import re
import subprocess
import sys
import time
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies

from .data_dir import PROGRAM, PROJECT
from .terminal import Stop, format_terminal_text, print_line

RUNTIME_LOCK = "requirements.txt"
INDEX = "https://pypi.org/simple"
CONNECTION_SETTINGS = {
    *("index-url", "extra-index-url", "find-links", "no-index", "proxy", "cert", "client-cert"),
    *("trusted-host", "timeout", "default-timeout"),
}
"""Settings of the user's pip that say how packages are reached. All others could change what is installed."""

# Names of network errors in pip's output.
NETWORK_ERRORS = ("NewConnectionError", "NameResolutionError", "ConnectTimeout", "ReadTimeout", "ProxyError")
CERTIFICATE_ERRORS = ("SSLCertVerificationError", "CERTIFICATE_VERIFY_FAILED")
DATE_ERRORS = ("certificate is not yet valid", "certificate has expired")
PYTHON_MARKER = re.compile(r" ; python_(?:full_)?version [<>=!]+ '[\d.]+' (?=\\)")
"""Marker of a package that only some releases of Python need: a folder is filled for all of them."""
MISSING_PACKAGE = re.compile(r"No matching distribution found for ([\w.-]+)")


def install_packages(python: Path, lock: str, log: Path, folder: Path | None) -> None:
    """Install exactly what the lock names, from the folder if there is one, and check that it loads."""
    _run_pip(python, "install", [], PROJECT / lock, log, folder)
    if broken := find_broken_package(python):
        raise Stop(format_terminal_text("package-broken", reason=broken, folder=log.parent))
    print_line("installed")


def download_packages(folder: Path) -> int:
    """Fill the folder with the packages for computers like this one; return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / RUNTIME_LOCK
    lock.write_text(PYTHON_MARKER.sub(" ", _read_text(RUNTIME_LOCK)), encoding="utf-8")
    options = ["--only-binary", ":all:", "--dest", str(folder)]
    _run_pip(Path(sys.executable), "download", options, lock, folder / "download.log", None)
    return len(list(folder.glob("*.whl")))


def find_broken_package(python: Path) -> str:
    """Return why a package of the runtime lock cannot be imported; "" if all can."""
    code = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); from operations.packages import load; load()"
    try:
        result = subprocess.run(  # noqa: S603
            [python, "-I", "-c", code], capture_output=True, encoding="utf-8", errors="replace", check=False
        )
    except OSError as error:
        return str(error)
    return (result.stderr.strip().splitlines() or ["?"])[-1] if result.returncode else ""


def load() -> None:
    """Import every package of the runtime lock."""
    locked_names = {
        _normalize_name(name) for name in re.findall(r"^([\w.-]+)==", _read_text(RUNTIME_LOCK), re.MULTILINE)
    }
    for module, owners in packages_distributions().items():
        if module.isidentifier() and locked_names & set(map(_normalize_name, owners)):
            import_module(module)


def _normalize_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _read_text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def _run_pip(python: Path, command: str, options: list[str], lock: Path, log: Path, folder: Path | None) -> None:
    """Run pip for a lock to its end, reporting progress every ten packages. Stops if it fails."""
    count = sum(line[:1].isalnum() for line in lock.read_text(encoding="utf-8").splitlines())
    print_line("installing" if command == "install" else "downloading", count=count)
    connection = {} if folder else _read_pip_settings(python)
    source = ["--no-index", "--find-links", str(folder)] if folder else []
    settings = {_get_variable(name): value for name, value in connection.items()}
    fetched_count = 0
    with (
        log.open("w", encoding="utf-8") as log_file,
        subprocess.Popen(  # noqa: S603
            [
                *(python, "-m", "pip", command, "--require-hashes", "--no-deps", "-r", lock),
                *(*options, *source, "--progress-bar", "off", "--no-input", "--retries", "2"),
            ],
            env=_build_pip_environment(PIP_CONFIG_FILE=os.devnull, PIP_DISABLE_PIP_VERSION_CHECK="1", **settings),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        ) as pip,
    ):  # fmt: skip
        assert pip.stdout is not None
        for line in pip.stdout:
            log_file.write(line)
            if line.startswith(("Collecting ", "Processing ")):  # from an index, from a folder
                fetched_count += 1
                if fetched_count % 10 == 0:
                    print_line("fetched", done=fetched_count, count=count)
            elif line.startswith("Installing collected packages"):
                print_line("unpacking")
    if pip.returncode:
        raise Stop(_format_failure(log, folder, connection))


def _build_pip_environment(**variables: str) -> dict[str, str]:
    """Return the variables of this process, and of pip's only these."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PIP_")} | variables


def _get_variable(setting: str) -> str:
    return f"PIP_{setting.replace('-', '_').upper()}"


def _read_pip_settings(python: Path) -> dict[str, str]:
    """Return how the user's pip reaches packages: the company's index, its proxy, its certificates."""
    names = ("PIP_CONFIG_FILE", *map(_get_variable, CONNECTION_SETTINGS))
    output = subprocess.run(  # noqa: S603
        [python, "-m", "pip", "config", "list"],
        env=_build_pip_environment(**{name: os.environ[name] for name in names if name in os.environ}),
        capture_output=True, encoding="utf-8", errors="replace", check=False,
    ).stdout  # fmt: skip
    settings = {
        name: str(ast.literal_eval(value))
        for scope in ("global", "install", ":env:")
        for name, value in re.findall(rf"^{scope}\.([\w-]+)=('.*'|\".*\")$", output, re.MULTILINE)
        if name in CONNECTION_SETTINGS
    }
    if "find-links" not in settings:
        settings.pop("no-index", None)
    return settings


def _format_failure(log: Path, folder: Path | None, connection: dict[str, str]) -> str:
    """Return one sentence for what pip wrote."""
    output = log.read_text(encoding="utf-8")
    if is_disk_full(output):
        return format_terminal_text("no-space", folder=log.parent)
    source = str(folder) if folder else _strip_credentials(connection.get("index-url", INDEX))
    if folder and (missing_match := MISSING_PACKAGE.search(output)):
        return format_terminal_text("not-in-folder", package=missing_match[1], folder=folder, program=PROGRAM)
    if any(error_name in output for error_name in NETWORK_ERRORS):
        proxy = connection.get("proxy") or getproxies().get(urlsplit(source).scheme)
        proxy_text = format_terminal_text("through-proxy", proxy=_strip_credentials(proxy)) if proxy else ""
        return format_terminal_text("no-network", source=source, through=proxy_text, program=PROGRAM)
    if any(error in output for error in DATE_ERRORS):
        return format_terminal_text("index-out-of-date", source=source, today=time.strftime("%Y-%m-%d"))
    if any(error_name in output for error_name in CERTIFICATE_ERRORS):
        return format_terminal_text("index-untrusted", source=source)
    return format_terminal_text("install-failed", source=source, reason=get_last_error(output), log=log)


def is_disk_full(output: str) -> bool:
    """Check whether pip or venv found no space."""
    return any(message in output for message in ("No space left", "Errno 28", "not enough space"))


def get_last_error(output: str) -> str:
    """Return the last error line of pip or venv, else its last line."""
    lines = output.strip().splitlines() or ["?"]
    errors = [line for line in lines if line.startswith(("ERROR:", "Error:"))]
    return (errors or lines)[-1].removeprefix("ERROR: ").rstrip(".")


def _strip_credentials(address: str) -> str:
    """Remove name and password from the address."""
    return re.sub(r"//[^/@]*@", "//", address)
