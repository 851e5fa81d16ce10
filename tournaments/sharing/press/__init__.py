"""What is told of an event in a text for the paper: plain values, in which every name is a public one.

The sentences are made of them in ``wording.labels.press``.
"""

from .values import (
    MOST_CHARLEMAGNES,
    MOST_LEVEL,
    PLACES,
    Charlemagne,
    Final,
    HighScore,
    LatestResult,
    LiveReport,
    NextNight,
    People,
    Podium,
    PressRank,
    PressReport,
    Progress,
    TurningHand,
    high_score,
    podium,
)

__all__ = [
    "MOST_CHARLEMAGNES",
    "MOST_LEVEL",
    "PLACES",
    "Charlemagne",
    "Final",
    "HighScore",
    "LatestResult",
    "LiveReport",
    "NextNight",
    "People",
    "Podium",
    "PressRank",
    "PressReport",
    "Progress",
    "TurningHand",
    "high_score",
    "podium",
]
