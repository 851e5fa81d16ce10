"""From a match's log to its state, and the state's summary that is kept beside the log."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules import Game, MatchState, PlayedHand, Record, Ruleset, Side, Undone, fold

from .models import Mark, MarkStatus, Match

STANDING = (MarkStatus.CURRENT, MarkStatus.RIVAL)

CHARLEMAGNES = ("charlemagne", "gros_charlemagne")


@dataclass(slots=True)
class Log:
    """The marks of a match by place. ``standing`` ones count, unless the place has ``rivals``: then it waits
    until the table has chosen. ``undone`` places are free again."""

    standing: dict[int, tuple[Mark, Record]] = field(default_factory=dict)
    undone: dict[int, Mark] = field(default_factory=dict)
    rivals: dict[int, list[Mark]] = field(default_factory=dict)

    def add(self, mark: Mark, record: Record) -> None:
        """Takes in the next mark: a rival stands beside what is there, a current one takes its place."""
        if mark.status == MarkStatus.RIVAL:
            self.rivals.setdefault(mark.number, []).append(mark)
        elif mark.status == MarkStatus.CURRENT:
            self.rivals.pop(mark.number, None)
            self.undone.pop(mark.number, None)
            self.standing.pop(mark.number, None)
            if isinstance(record, Undone):
                self.undone[mark.number] = mark
            else:
                self.standing[mark.number] = mark, record

    @property
    def last_number(self) -> int:
        """The highest place that is taken; 0 on an empty sheet."""
        return max(self.standing, default=0)

    @property
    def next_number(self) -> int:
        return self.last_number + 1

    def marks_at(self, number: int) -> list[Mark]:
        """What stands in a place, oldest first: one mark, or those that differ; an undo where it is free."""
        first = self.standing[number][0] if number in self.standing else self.undone.get(number)
        return ([] if first is None else [first]) + self.rivals.get(number, [])

    @property
    def places(self) -> list[tuple[int, Record]]:
        """What counts, for the fold."""
        return [
            (number, record) for number, (_, record) in self.standing.items() if number not in self.rivals
        ]


def read_log(marks: Iterable[Mark], ruleset: Ruleset) -> Log:
    """The log of these marks, which come in the order in which they were made."""
    log = Log()
    for mark in marks:
        if mark.status in STANDING:
            log.add(mark, mark.record(ruleset))
    return log


def log_of(match: Match) -> Log:
    """The log of the match. One query, unless its marks are there already."""
    return read_log(match.marks.all(), match.terms.ruleset)


def fold_match(match: Match, places: Iterable[tuple[int, Record]]) -> MatchState:
    """The state of this match if these were its places."""
    terms = match.terms
    return fold(terms.ruleset, terms.match_format, places, first_dealer=match.dealer_at_start)


def with_hand(match: Match, log: Log, number: int, record: Record) -> tuple[MatchState, MatchState]:
    """The match before and after this hand, as it would be without the hands that follow it."""
    before = fold_match(match, [place for place in log.places if place[0] < number])
    return before, before.after(number, record)


def summary_of(state: MatchState, *, next_number: int) -> dict[str, Any]:
    """What lists of matches show, without folding again. Side A first in every pair::

    {"games": [{"points": [32, 12], "winner": "A", "by": "points"}], "running": [0, 0],
     "games_won": [1, 0], "points": [32, 12], "winner": "A", "made": [5, 2], "charlemagnes": [1, 0],
     "next": 9}

    ``made`` are the contracts that each side made, with the ``charlemagnes`` among them: of hands that were
    marked, as totals do not tell.
    """
    made = [
        line.record
        for line in state.lines
        if isinstance(line.record, PlayedHand) and line.record.made and not line.is_surplus
    ]
    return {
        "games": [_plain_game(game) for game in state.games],
        "running": list(state.game.points),
        "games_won": list(state.games_won),
        "points": list(state.points),
        "winner": None if state.winner is None else state.winner.name,
        "made": _by_side(hand.side for hand in made),
        "charlemagnes": _by_side(hand.side for hand in made if hand.contract in CHARLEMAGNES),
        "next": next_number,
    }


def _by_side(sides: Iterable[Side]) -> list[int]:
    counted = Counter(sides)
    return [counted[side] for side in Side]


def agreed_text(game: Game) -> str:
    """What a side agrees to when it agrees to this game: ``32-12 A points``."""
    return agreed_text_of(_plain_game(game))


def agreed_text_of(plain_game: Mapping[str, Any]) -> str:
    """The same of a game in a summary."""
    return "{}-{} {} {}".format(*plain_game["points"], plain_game["winner"], plain_game["by"])


def _plain_game(game: Game) -> dict[str, Any]:
    assert game.winner is not None
    assert game.by is not None
    return {"points": list(game.points), "winner": game.winner.name, "by": game.by.value}
