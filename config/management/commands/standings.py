import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from engine import ranking
from errors import Refusal
from operations.terminal import language
from tournaments.events.queries import event_named
from tournaments.standings.queries.standings import standings_of
from wording.sentences import sentence

COLUMNS = ("rank", "entry", *ranking.COLUMNS)


class Command(BaseCommand):
    help = "Print an event's standings, best first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="short name at the end of the event's address")
        parser.add_argument("--format", choices=["table", "json"], default="table")

    def handle(self, *, event: str, format: str, **_: Any) -> None:  # noqa: A002 -- the option's name
        found = event_named(event)
        if found is None:
            with override(language()):
                raise CommandError(sentence(Refusal("no_such_event")))
        kept = standings_of(found)
        more = [key for key in ranking.METRICS if key not in COLUMNS and any(key in row for row in kept)]
        columns = (*COLUMNS, *more)
        rows = [{column: row.get(column) for column in columns} for row in kept]
        if format == "json":
            self.stdout.write(json.dumps(rows, indent=1))
            return
        self.stdout.write("  ".join(columns))
        for row in rows:
            shown = {column: "" if value is None else value for column, value in row.items()}
            self.stdout.write("  ".join(f"{shown[column]!s:>{len(column)}}" for column in columns))
