"""Run the tests: `manage.py test [--all | --long] [paths and options of pytest]`."""

import sys

from django.core.management.base import BaseCommand

from tools.test_runs import run_tests


class Command(BaseCommand):
    help = "Run the tests. Tests that need a missing tool are skipped; the last lines say how to install it."

    def run_from_argv(self, argv: list[str]) -> None:
        sys.exit(run_tests(argv[2:]))
