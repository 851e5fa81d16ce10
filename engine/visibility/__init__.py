"""Public visibility of an event: the organizer's release, and its present effect. Plain Python.

Every public page, feed, file and picture of an event asks ``visible``; nothing else decides.

>>> silent = Release(silent_from=5)
>>> now = visible(silent, is_final=False)
>>> now.results_in(4), now.results_in(5), now.standings
(<Results.HANDS: 'hands'>, <Results.NOTHING: 'nothing'>, <Ranks.BEFORE_SILENCE: 'before_silence'>)
>>> visible(silent, is_final=True).results_in(5)
<Results.HANDS: 'hands'>
"""

from .release_state import NOT_THERE, Ranks, Visible, visible
from .releases import USUAL, Names, RanksRelease, Release, Results, release_from_json, release_to_json

__all__ = [
    "NOT_THERE",
    "USUAL",
    "Names",
    "Ranks",
    "RanksRelease",
    "Release",
    "Results",
    "Visible",
    "release_from_json",
    "release_to_json",
    "visible",
]
