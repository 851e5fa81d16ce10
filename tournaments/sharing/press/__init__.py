"""What is told of an event in a text for the paper: plain values, in which every name is a public one.

The sentences are made of them in ``wording.labels.press``.
"""

from .values import (
    MOST_LEVEL,
    PLACES,
    Charlemagne,
    Final,
    HighScore,
    NextNight,
    People,
    Podium,
    PressRank,
    PressReport,
    high_score,
    podium,
)

__all__ = [
    "MOST_LEVEL",
    "PLACES",
    "Charlemagne",
    "Final",
    "HighScore",
    "NextNight",
    "People",
    "Podium",
    "PressRank",
    "PressReport",
    "high_score",
    "podium",
]
