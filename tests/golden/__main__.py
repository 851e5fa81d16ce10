"""Save every page, file and refusal of this version: `python -m tests.golden FOLDER [--against OTHER]`.

Run it before and after moving modules, and compare the two folders byte for byte. Both runs build an
identical installation, at a fixed time, with fixed random values.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import django

from operations.data_dir import KEY_VARIABLE, PROJECT
from tests.golden.comparison import compare, format_comparison, remove_whitespace, return_content
from tests.golden.fixed_values import patch_fixed_values

OURS = {
    "DJANGO_SETTINGS_MODULE": "tests.settings",
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "TZ": "UTC",
    KEY_VARIABLE: "golden",
}
"""Environment of a run: nothing of the user's own gets into the output."""
REMOVED_VARIABLES = ("CHARLEMAGNE_", "DATABASE_URL")


def main() -> int:
    options = _options()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(REMOVED_VARIABLES)} | OURS
    if dict(os.environ) != environment:
        os.chdir(PROJECT)
        os.execve(sys.executable, [sys.executable, "-m", "tests.golden", *sys.argv[1:]], environment)
    if not options.written:
        _write(options.folder, options.against)
    return 0 if options.against is None else _compare(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where to write; it must be empty")
    parser.add_argument("--against", type=Path, metavar="OTHER", help="compare with what another run wrote")
    parser.add_argument("--written", action="store_true", help="only compare: the folder was written before")
    parser.add_argument("--ignore-whitespace", action="store_true", help="of HTML, between tags")
    parser.add_argument("--show", type=int, default=10, metavar="COUNT", help="how many differences to print")
    return parser.parse_args()


def _write(folder: Path, against: Path | None) -> None:
    with patch_fixed_values() as still:
        django.setup()
        from tests.golden.output import write

        for line in write(folder, still, against):
            print(line, flush=True)


def _compare(options: argparse.Namespace) -> int:
    reading = remove_whitespace if options.ignore_whitespace else return_content
    found = compare(options.folder, options.against, reading)
    for line in format_comparison(found, options.folder, options.against, most=options.show):
        print(line)
    return 0 if found.is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
