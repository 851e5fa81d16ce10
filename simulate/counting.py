"""The standings once more: from matches as phones saw them, byes and who sat where, by the usual ranking. It
shares no line with the program's own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules import MatchState, Side

ORDER = ("match_wins", "games_won", "difference", "points_for")


@dataclass(slots=True, kw_only=True)
class Tally:
    """Figures of an entry."""

    match_wins: int = 0
    games_won: int = 0
    points_for: int = 0
    points_against: int = 0

    @property
    def figures(self) -> tuple[int, ...]:
        difference = self.points_for - self.points_against
        return self.match_wins, self.games_won, difference, self.points_for


@dataclass(slots=True, kw_only=True)
class Count:
    """Of an event whose matches go to so many games, as far as it was added up."""

    games_to_win: int
    tallies: dict[int, Tally] = field(default_factory=dict)

    def enter(self, entry: int) -> None:
        self.tallies.setdefault(entry, Tally())

    def add_match(self, state: MatchState, sides: Iterable[Iterable[int]]) -> None:
        """A match that is over, between the entries of these numbers."""
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

    def ranks(self) -> dict[int, int]:
        """Return the rank of each entry; equal figures share a rank."""
        by_figures = sorted((tally.figures for tally in self.tallies.values()), reverse=True)
        return {entry: by_figures.index(tally.figures) + 1 for entry, tally in self.tallies.items()}

    def differences(self, rows: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return a sentence for each difference from the published rows."""
        found = {row["entry"]: row for row in rows}
        ranks = self.ranks()
        said = [f"entry {entry} is in one of both only" for entry in found.keys() ^ self.tallies.keys()]
        for entry, tally in self.tallies.items():
            if entry not in found:
                continue
            figures = tuple(found[entry]["figures"].get(name) for name in ORDER)
            published, counted = (found[entry]["rank"], *figures), (ranks[entry], *tally.figures)
            if published != counted:
                said.append(f"entry {entry}: published {published}, counted {counted}")
        return said
