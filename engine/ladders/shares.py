"""Shares in an entry's results, if a player was replaced in the course of the night."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.ranking import MISSED, Outcome, OutcomeKind

from .values import Counts, Players, Share

if TYPE_CHECKING:
    from engine.standings import PlainRound, PlainRow

IN_ROWS = (Counts.MATCH_WINS, Counts.GAMES_WON, Counts.POINTS_FOR, Counts.DIFFERENCE)
"""Figures that the standings of any version have in every row."""
FEDERATION_COUNTS = (*IN_ROWS, Counts.RANK_POINTS)
"""Figures that the standings of a federation can count: the feeds of clubs have no more."""


def shares_of(
    players: Players, figures: Mapping[str, int], rounds: Iterable[PlainRound], sat: Mapping[int, Players]
) -> tuple[Share, ...]:
    """Split an entry's figures among its players, if a substitute played some rounds.

    Each of the ``rounds`` that was played counts for the players who ``sat`` there, if these were not the
    present ``players``. Everything else, with byes and adjustments by the director, counts for the present
    ones; if they played no round, for the last ones who did.

    >>> rounds = [
    ...     {"round": 1, "outcome": "won", "games": [2, 0], "points": [42, 20]},
    ...     {"round": 2, "outcome": "lost", "games": [1, 2], "points": [30, 41]},
    ... ]
    >>> figures = {"match_wins": 1, "half_wins": 2, "games_won": 3, "points_for": 72, "difference": 11}
    >>> shares = shares_of((PersonId(7), PersonId(9)), figures, rounds, {1: (PersonId(7), PersonId(5))})
    >>> [(share.players, share.figures["points_for"]) for share in shares]
    [((7, 5), 42), ((7, 9), 30)]
    """
    found: dict[Players, Counter[str]] = defaultdict(Counter)
    rest, are_there = Counter(figures), False
    for counted in rounds:
        others = sat.get(counted["round"])
        are_there |= others is None and OutcomeKind(counted.get("kind", OutcomeKind.PLAYED)) not in MISSED
        if others is not None and not {"kind", "is_dropped"} & counted.keys():
            found[others].update(_figures(counted))
            rest.subtract(_figures(counted))
    found[players if are_there else sat[max(sat)]].update(rest)
    return tuple(Share(players=each, figures=dict(brought)) for each, brought in found.items())


def figures_of_row(row: PlainRow, rounds: Iterable[PlainRound]) -> dict[str, int]:
    """Return the figures of a row of standings for a season; the half wins come from the ``rounds`` that
    count for it."""
    figures = {counts.value: row[counts.value] for counts in IN_ROWS}
    drawn = sum(each["outcome"] == Outcome.DRAWN and not each.get("is_dropped") for each in rounds)
    return figures | {Counts.HALF_WINS.value: 2 * row["match_wins"] + drawn}


def _figures(counted: PlainRound) -> dict[str, int]:
    outcome = Outcome(counted["outcome"])
    won, _ = counted.get("games", (0, 0))
    own, against = counted.get("points", (0, 0))
    return {
        Counts.MATCH_WINS.value: int(outcome is Outcome.WON),
        Counts.HALF_WINS.value: 2 * (outcome is Outcome.WON) + (outcome is Outcome.DRAWN),
        Counts.GAMES_WON.value: won,
        Counts.POINTS_FOR.value: own,
        Counts.DIFFERENCE.value: own - against,
    }
