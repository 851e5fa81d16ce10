"""Shares in an entry's results, if a player was replaced in the course of the night."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.ranking import MISSED_KINDS, Outcome, OutcomeKind

from .values import LadderFigure, Players, Share

if TYPE_CHECKING:
    from engine.standings import CountJson, RoundJson, StandingsRowJson

ROW_FIGURES = (LadderFigure.MATCH_WINS, LadderFigure.GAMES_WON, LadderFigure.POINTS_FOR, LadderFigure.DIFFERENCE)
"""Figures that the standings of any version have in every row."""
FEDERATION_COUNTS = (*ROW_FIGURES, LadderFigure.RANK_POINTS)
"""Figures that the standings of a federation can count: the feeds of clubs have no more."""


def split_figures(
    players: Players, figures: Mapping[str, int], rounds: Iterable[RoundJson], players_by_round: Mapping[int, Players]
) -> tuple[Share, ...]:
    """Split an entry's figures among its players, if a substitute played some rounds.

    A played round counts for its players in ``players_by_round``, if these are not the present ``players``.
    Everything else, including byes and adjustments by the director, counts for the present players; if they had
    no round, for the last players who did. Those who had only byes, or rounds that do not count, have a share of
    nothing: they attended.

    >>> rounds = [
    ...     {"round": 1, "outcome": "won", "games": [2, 0], "points": [42, 20]},
    ...     {"round": 2, "outcome": "lost", "games": [1, 2], "points": [30, 41]},
    ... ]
    >>> figures = {"match_wins": 1, "half_wins": 2, "games_won": 3, "points_for": 72, "difference": 11}
    >>> shares = split_figures((PersonId(7), PersonId(9)), figures, rounds, {1: (PersonId(7), PersonId(5))})
    >>> [(share.players, share.figures["points_for"]) for share in shares]
    [((7, 5), 42), ((7, 9), 30)]
    """
    found: dict[Players, Counter[str]] = defaultdict(Counter)
    rest, has_current_players = Counter(figures), False
    for round_row in rounds:
        if OutcomeKind(round_row.get("kind", OutcomeKind.PLAYED)) in MISSED_KINDS:
            continue
        others = players_by_round.get(round_row["round"])
        if others is None:
            has_current_players = True
            continue
        share_figures = found[others]
        if not {"kind", "is_dropped"} & round_row.keys():
            share_figures.update(_get_round_figures(round_row))
            rest.subtract(_get_round_figures(round_row))
    found[players if has_current_players else players_by_round[max(players_by_round)]].update(rest)
    return tuple(Share(players=each, figures=dict(share_figures)) for each, share_figures in found.items())


def get_row_figures(row: StandingsRowJson, count: CountJson) -> dict[str, int]:
    """Return the figures of a row of standings for a season, from the rounds that ``count`` for it, and from those
    of earlier stages that its own does not carry over."""
    draw_count = sum(each["outcome"] == Outcome.DRAWN and not each.get("is_dropped") for each in count["rounds"])
    figures = Counter({counts.value: row[counts.value] for counts in ROW_FIGURES})
    figures[LadderFigure.HALF_WINS.value] = 2 * row["match_wins"] + draw_count
    for round_row in count.get("left_out", ()):
        figures.update(_get_round_figures(round_row))
    return dict(figures)


def _get_round_figures(round_row: RoundJson) -> dict[str, int]:
    outcome = Outcome(round_row["outcome"])
    won, _ = round_row.get("games", (0, 0))
    points_for, points_against = round_row.get("points", (0, 0))
    return {
        LadderFigure.MATCH_WINS.value: int(outcome is Outcome.WON),
        LadderFigure.HALF_WINS.value: 2 * (outcome is Outcome.WON) + (outcome is Outcome.DRAWN),
        LadderFigure.GAMES_WON.value: won,
        LadderFigure.POINTS_FOR.value: points_for,
        LadderFigure.DIFFERENCE.value: points_for - points_against,
    }
