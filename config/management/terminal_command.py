import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from errors import Refusal
from operations.command_line import DJANGO_OPTIONS, OPERATOR_COMMANDS, add_arguments
from operations.terminal import get_language_code
from operations.texts import compile_translations


class TerminalCommand(BaseCommand):
    """Base of commands that speak the language of the terminal.

    Those of operators are declared in ``operations.command_line``.
    """

    suppressed_base_arguments = set(DJANGO_OPTIONS)
    requires_system_checks = ()  # they load all views, a third of the work; the tests run them

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._name = type(self).__module__.rpartition(".")[2]
        if self._name in OPERATOR_COMMANDS:
            self.help = OPERATOR_COMMANDS[self._name].help

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser, self._name)

    def run_from_argv(self, argv: list[str]) -> None:
        """Print errors without Django's prefix."""
        try:
            super().run_from_argv([*argv, "--traceback"])  # makes Django raise errors, not print them
        except CommandError as error:
            print(error, file=sys.stderr)
            sys.exit(error.returncode)

    def execute(self, *arguments: Any, **options: Any) -> str | None:
        """Run the command; a refusal ends it with its sentences."""
        compile_translations()
        with override(get_language_code()):
            try:
                return super().execute(*arguments, **options)
            except Refusal as refusal:
                from wording.sentences import get_located_sentence, get_sentence

                lines = [get_sentence(refusal), *map(get_located_sentence, refusal.details.get("refusals", ()))]
                raise CommandError("\n".join(lines)) from None
