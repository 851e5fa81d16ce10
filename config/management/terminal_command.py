import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from operations.terminal import language


class TerminalCommand(BaseCommand):
    """A command in the language of the terminal."""

    requires_system_checks = ()  # for them all pages are loaded, a third of the work; the gates run them

    def run_from_argv(self, argv: list[str]) -> None:
        """Print errors without Django's prefix."""
        try:
            super().run_from_argv([*argv, "--traceback"])  # which Django calls not to say them itself
        except CommandError as error:
            print(error, file=sys.stderr)
            sys.exit(error.returncode)

    def execute(self, *arguments: Any, **options: Any) -> str | None:
        with override(language()):
            return super().execute(*arguments, **options)
