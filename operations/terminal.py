"""Sentences of `terminal.toml` for the terminal before translations exist. Standard library only."""

import ctypes
import os
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


class Stop(Exception):  # noqa: N818 (not an error: an orderly end)
    """Raised to end the program with one sentence and status 2."""


@cache
def _load_lines() -> Mapping[str, Mapping[str, str]]:
    """Load the lines by code, each in English and French; most commands print none."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def format_terminal_text(code: str, /, **values: object) -> str:
    """Format the line of this code in the language of the terminal."""
    return _load_lines()[code][get_language_code()].format(**values)


def print_line(code: str, /, **values: object) -> None:
    """Print the line at once, even into a file or a pipe."""
    print(format_terminal_text(code, **values), flush=True)


def print_error_line(code: str, /, **values: object) -> None:
    """Print the line to standard error, as programs may read the command's output."""
    print(format_terminal_text(code, **values), file=sys.stderr, flush=True)


def get_language_code() -> str:
    """Get the language code of the terminal."""
    return "fr" if is_french() else "en"


def is_french() -> bool:
    """Check the locale's environment variables, or without any the display language of Windows."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value.lower().startswith("fr")
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0C)
    return False


def open_missing_streams() -> None:
    """Open the null device for each standard stream that was closed: other files would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (for the whole process)
            os.set_inheritable(stream.fileno(), True)  # noqa: FBT003 (its only way)
            setattr(sys, name, stream)


def replace_unprintable_letters() -> None:
    """Let a terminal that lacks a letter show another instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
