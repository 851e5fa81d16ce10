import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.wording import sentence
from rules import Refusal
from tournaments.selectors import public_event, standings_of

COLUMNS = ("rank", "entry", "match_wins", "games_won", "points_for", "points_against", "difference")


class Command(BaseCommand):
    help = "Prints an event's standings, best first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the short name that the event's address ends in")
        parser.add_argument("--format", choices=["table", "json"], default="table")

    def handle(self, *, event: str, format: str, **_: Any) -> None:  # noqa: A002 -- the option's name
        found = public_event(event)
        if found is None:
            raise CommandError(sentence(Refusal("no_such_event")))
        rows = [{column: row[column] for column in COLUMNS} for row in standings_of(found)]
        if format == "json":
            self.stdout.write(json.dumps(rows, indent=1))
            return
        self.stdout.write("  ".join(COLUMNS))
        for row in rows:
            self.stdout.write("  ".join(f"{row[column]!s:>{len(column)}}" for column in COLUMNS))
