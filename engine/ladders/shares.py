"""Who brought what of an entry in which somebody was replaced in the course of the night."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.ranking import MISSED, Outcome, OutcomeKind

from .values import Counts, Players, Share

if TYPE_CHECKING:
    from engine.standings import PlainRound


def shares_of(
    players: Players, figures: Mapping[str, int], rounds: Iterable[PlainRound], sat: Mapping[int, Players]
) -> tuple[Share, ...]:
    """Each of the ``rounds`` that was played goes to those who ``sat`` there, where these were not the
    ``players`` of now. All else, with byes and what the director adjusted, goes to those of now; if they were
    there in no round, to those who sat there last.

    >>> rounds = [
    ...     {"round": 1, "outcome": "won", "games": [2, 0], "points": [42, 20]},
    ...     {"round": 2, "outcome": "lost", "games": [1, 2], "points": [30, 41]},
    ... ]
    >>> figures = {"match_wins": 1, "games_won": 3, "points_for": 72, "difference": 11}
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


def _figures(counted: PlainRound) -> dict[str, int]:
    won, _ = counted.get("games", (0, 0))
    own, against = counted.get("points", (0, 0))
    return {
        Counts.MATCH_WINS.value: int(counted["outcome"] == Outcome.WON),
        Counts.GAMES_WON.value: won,
        Counts.POINTS_FOR.value: own,
        Counts.DIFFERENCE.value: own - against,
    }
