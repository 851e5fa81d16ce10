"""The standings, each row with its reasons."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from tournaments import selectors
from tournaments.models import Event
from tournaments.ranking import Comparison, compare

from .names import public_names


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A line of the standings: the row as kept, and the entry's name as this reader may see it."""

    names: str
    values: dict[str, Any]
    below: str = ""
    why: tuple[Comparison, ...] = ()

    @property
    def is_tied(self) -> bool:
        """Whether nothing parts it from the row below."""
        return bool(self.why) and not any(step.decided for step in self.why)


def standings_rows(event: Event) -> list[StandingsRow]:
    """The standings as last computed, by public names. Two queries."""
    entries = {entry.number: public_names(entry) for entry in selectors.entries_of(event)}
    kept = selectors.standings_of(event)
    return [
        StandingsRow(
            names=entries[row["entry"]],
            values=row,
            below=entries[below["entry"]] if below else "",
            why=compare(row, below, event.ranking["order"]) if below else (),
        )
        for row, below in zip_longest(kept, kept[1:])
    ]
