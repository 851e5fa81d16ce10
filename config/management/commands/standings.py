import json
from typing import Any

from config.management.terminal_command import TerminalCommand
from engine import ranking
from errors import get_or_refuse
from tournaments.events.queries import find_event
from tournaments.standings.queries.standings import get_standings_rows

COLUMNS = ("rank", "entry", *ranking.COLUMNS)


class Command(TerminalCommand):
    def handle(self, *, event: str, format: str, **_: Any) -> None:  # noqa: A002 -- the option's name
        event_found = get_or_refuse(find_event(event), "no_such_event")
        stored_rows = get_standings_rows(event_found)
        extra_columns = [
            key for key in ranking.METRICS if key not in COLUMNS and any(key in row for row in stored_rows)
        ]
        columns = (*COLUMNS, *extra_columns)
        rows = [{column: row.get(column) for column in columns} for row in stored_rows]
        if format == "json":
            self.stdout.write(json.dumps(rows, indent=1))
            return
        self.stdout.write("  ".join(columns))
        for row in rows:
            cells = {column: "" if value is None else value for column, value in row.items()}
            self.stdout.write("  ".join(f"{cells[column]!s:>{len(column)}}" for column in columns))
