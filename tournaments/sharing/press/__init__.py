"""Press reports of an event: plain values with public names only.

``wording.labels.press`` makes sentences of them.
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
