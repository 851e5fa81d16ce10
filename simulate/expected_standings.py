"""Standings computed again by the usual ranking, from the phones' matches, byes and seats.

The computation shares no code with the program's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules import MatchState, Side

ORDER = ("match_wins", "games_won", "difference", "points_for")


@dataclass(slots=True, kw_only=True)
class Tally:
    match_wins: int = 0
    games_won: int = 0
    points_for: int = 0
    points_against: int = 0
    has_left: bool = False

    @property
    def merit(self) -> tuple[int, ...]:
        """Figures by which entries rank: one that left is last of a tie, before the difference."""
        wins, games, *rest = self.figures
        return wins, games, not self.has_left, *rest

    @property
    def figures(self) -> tuple[int, ...]:
        difference = self.points_for - self.points_against
        return self.match_wins, self.games_won, difference, self.points_for


@dataclass(slots=True, kw_only=True)
class ExpectedStandings:
    """Standings of an event with matches of ``games_to_win`` games, from the results added so far."""

    games_to_win: int
    tallies: dict[int, Tally] = field(default_factory=dict)
    reached: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Stage and round that each entry reached, which rank before its figures."""

    def of(self, entries: Iterable[int]) -> ExpectedStandings:
        """Return the standings of these entries alone."""
        return replace(self, tallies={entry: self.tallies[entry] for entry in entries})

    def enter(self, entry: int) -> None:
        self.tallies.setdefault(entry, Tally())

    def add_match(self, state: MatchState, sides: Iterable[Iterable[int]]) -> None:
        """Add a finished match between the entries of these numbers."""
        for side, entries in zip(Side, sides, strict=True):
            for entry in entries:
                tally = self.tallies[entry]
                tally.match_wins += state.winner is side
                tally.games_won += state.games_won[side]
                tally.points_for += state.points[side]
                tally.points_against += state.points[side.other]

    def add_bye(self, entry: int) -> None:
        """Count a bye as a won match, with its games and no points."""
        self.tallies[entry].match_wins += 1
        self.tallies[entry].games_won += self.games_to_win

    def compute_ranks(self) -> dict[int, int]:
        """Return the rank of each entry; equal figures share a rank."""
        merits = {entry: (*self.reached.get(entry, ()), *tally.merit) for entry, tally in self.tallies.items()}
        in_order = sorted(merits.values(), reverse=True)
        return {entry: in_order.index(merit) + 1 for entry, merit in merits.items()}

    def find_differences(self, rows: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return a sentence for each difference from the published rows."""
        rows_by_entry = {row["entry"]: row for row in rows}
        ranks = self.compute_ranks()
        differences = [f"entry {entry} is in one of both only" for entry in rows_by_entry.keys() ^ self.tallies.keys()]
        for entry, tally in self.tallies.items():
            if entry not in rows_by_entry:
                continue
            figures = tuple(rows_by_entry[entry]["figures"].get(name) for name in ORDER)
            published, computed = (rows_by_entry[entry]["rank"], *figures), (ranks[entry], *tally.figures)
            if published != computed:
                differences.append(f"entry {entry}: published {published}, counted {computed}")
        return differences
