"""Press reports of an event: plain values with public names only.

``wording.labels.press`` makes sentences of them.
"""

from .values import (
    MAX_CHARLEMAGNES,
    MAX_RANK,
    MAX_TIED,
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
    find_high_score,
    podium,
)

__all__ = [
    "MAX_CHARLEMAGNES",
    "MAX_RANK",
    "MAX_TIED",
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
    "find_high_score",
    "podium",
]
