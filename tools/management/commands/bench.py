"""Run a benchmark: `manage.py bench NAME [options]`."""

from __future__ import annotations

import importlib
import json
import sys

from django.core.management.base import BaseCommand

from operations.command_line import HELP_OPTIONS
from operations.data_dir import PROJECT


class Command(BaseCommand):
    help = "Run bench/NAME.py with these options. The last line is its results as JSON."

    def run_from_argv(self, argv: list[str]) -> None:
        names = sorted(file.stem for file in (PROJECT / "bench").glob("[a-z]*.py"))
        usage = f"Usage: manage.py bench NAME. Choose one of: {', '.join(names)}"
        if HELP_OPTIONS & set(argv[2:3]):
            print(usage)
            return
        if len(argv) < 3 or argv[2] not in names:
            sys.exit(usage)
        figures = importlib.import_module(f"bench.{argv[2]}").main(argv[3:])
        print(json.dumps(figures), flush=True)
