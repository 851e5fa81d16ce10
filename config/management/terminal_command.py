import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from operations.command_line import DJANGO_OPTIONS
from operations.terminal import get_language_code


class TerminalCommand(BaseCommand):
    """Base of commands that speak the language of the terminal."""

    suppressed_base_arguments = set(DJANGO_OPTIONS)
    requires_system_checks = ()  # they load all views, a third of the work; the tests run them

    def run_from_argv(self, argv: list[str]) -> None:
        """Print errors without Django's prefix."""
        try:
            super().run_from_argv([*argv, "--traceback"])  # makes Django raise errors, not print them
        except CommandError as error:
            print(error, file=sys.stderr)
            sys.exit(error.returncode)

    def execute(self, *arguments: Any, **options: Any) -> str | None:
        with override(get_language_code()):
            return super().execute(*arguments, **options)
