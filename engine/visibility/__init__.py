"""Public visibility of an event: the organizer's release, and its present effect. Plain Python.

Every public page, feed, file and picture of an event asks ``get_visibility``; nothing else decides.

>>> silent = Release(silent_from=5)
>>> now = get_visibility(silent, is_final=False)
>>> now.get_results(4), now.get_results(5), now.standings
(<Results.HANDS: 'hands'>, <Results.NOTHING: 'nothing'>, <Ranks.BEFORE_SILENCE: 'before_silence'>)
>>> get_visibility(silent, is_final=True).get_results(5)
<Results.HANDS: 'hands'>
"""

from .release_state import HIDDEN_VISIBILITY, Ranks, Visibility, get_visibility
from .releases import USUAL, Names, RanksRelease, Release, Results, release_from_json, release_to_json

__all__ = [
    "HIDDEN_VISIBILITY",
    "USUAL",
    "Names",
    "Ranks",
    "RanksRelease",
    "Release",
    "Results",
    "Visibility",
    "get_visibility",
    "release_from_json",
    "release_to_json",
]
