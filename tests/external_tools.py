"""Tools on this machine, beside Python, that some tests need: where they are and how to install them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis

from operations.verifier.release import PACKAGE_SPEC
from tests.workspaces import get_workspace_number

POSTGRES = os.environ.get("CHARLEMAGNE_TEST_POSTGRES", "postgresql://localhost/postgres")
REDIS = os.environ.get("CHARLEMAGNE_TEST_REDIS", "redis://localhost:6379")
BROWSERS = (
    "chromium-headless-shell",  # half the work: it draws no window
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
)

ENGINES = ("Chromium", "Firefox", "WebKit")
"""Browser engines: all journeys run in the first, the journey of a night in each."""

INSTALL_HINTS = {
    "PostgreSQL": "two writers at once, and the services and pages on PostgreSQL; "
    "install it, or name one: CHARLEMAGNE_TEST_POSTGRES=postgresql://user:password@host/postgres",
    "Redis": "jobs through Redis; install it, or name one: CHARLEMAGNE_TEST_REDIS=redis://host:6379",
    "Chromium": "journeys in a browser; install chromium, or name one: CHARLEMAGNE_TEST_CHROMIUM=/path/to/it",
    "Firefox": "the night in Firefox; install firefox-esr, or name one: CHARLEMAGNE_TEST_FIREFOX=/path/to/it",
    "WebKit": "the night in the engine of iPhones; install webkit2gtk-driver and xvfb",
    "a phone's font": "what fits on which screen: this machine's letters are a fifth wider than a phone's; "
    "install fonts-noto-core",
    "Node": "scripts without a page, such as a phone's outbox; install it (apt install nodejs, brew install node)",
    "Pyodide": f"the check of results in a browser; fetch it (npm pack {PACKAGE_SPEC}), and name the archive: "
    "CHARLEMAGNE_TEST_PYODIDE=/path/to/it",
    "nginx": "the example of a server behind nginx; install it (apt install nginx-light)",
    "Caddy": "the example of a server behind Caddy; install it (apt install caddy)",
    "a compiler": "a clock that is set in the middle of a night; install one (apt install gcc libc6-dev)",
    "gettext": "whether translations are complete; install it (apt install gettext, brew install gettext)",
}


def find_postgres() -> str | None:
    """Return the URL of a PostgreSQL server that accepts our connection."""
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error:
        return None
    return POSTGRES


def find_redis_server() -> str | None:
    """Return the URL of a Redis database that tests of this workspace may empty.

    Database 15 is for workspace 0, since low numbers are used more often by others. None if the server does not answer,
    or has too few databases.
    """
    url = urlsplit(REDIS)._replace(path=f"/{15 - get_workspace_number()}").geturl()
    try:
        redis.Redis.from_url(url, socket_connect_timeout=2).ping()
    except redis.RedisError:
        return None
    return url


def find_chromium() -> str | None:
    named = os.environ.get("CHARLEMAGNE_TEST_CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def find_firefox() -> str | None:
    named = os.environ.get("CHARLEMAGNE_TEST_FIREFOX")
    return named or shutil.which("firefox-esr") or shutil.which("firefox")


def find_webkit() -> str | None:
    """Return the path of the driver of WebKitGTK's browser, if Xvfb can give it a screen."""
    return shutil.which("WebKitWebDriver") if shutil.which("Xvfb") else None


def find_phone_font() -> str | None:
    """Return the font in which pages appear here, unless its letters are far wider than a phone's."""
    if shutil.which("fc-match") is None:
        return "the system's own"  # on Windows or macOS
    command = ["fc-match", "--format=%{family}", "system-ui"]
    family = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    return None if "DejaVu" in family else family


def find_node() -> str | None:
    """Return the path of Node, which runs scripts without a browser."""
    return shutil.which("node") or shutil.which("nodejs")


def find_pyodide() -> Path | None:
    """Return the archive of Pyodide, which is Python for browsers."""
    named = os.environ.get("CHARLEMAGNE_TEST_PYODIDE", "")
    return Path(named) if named and Path(named).is_file() else None


def find_compiler() -> str | None:
    """Return the path of a C compiler, with which tests build a clock that they can set.

    The library for this, faketime, blocks whatever waits by a monotonic clock.
    """
    return shutil.which("cc") if sys.platform == "linux" else "none is needed: that test is of Linux"


def find_gettext() -> str | None:
    """Return the path of xgettext, which collects the texts to translate."""
    return shutil.which("xgettext")


def list_missing() -> list[str]:
    """Return the names of the tools that this machine lacks."""
    found = {
        "PostgreSQL": find_postgres(),
        "Redis": find_redis_server(),
        "Chromium": find_chromium(),
        "Firefox": find_firefox(),
        "WebKit": find_webkit(),
        "a phone's font": find_phone_font(),
        "Node": find_node(),
        "Pyodide": find_pyodide(),
        "nginx": shutil.which("nginx"),
        "Caddy": shutil.which("caddy"),
        "a compiler": find_compiler(),
        "gettext": find_gettext(),
    }
    return [name for name, where in found.items() if where is None]
