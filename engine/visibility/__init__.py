"""Public visibility of an event: the organizer's release, and its present effect. Plain Python.

Every public page, feed, file and picture of an event asks ``get_visibility``; nothing else decides.

>>> silent = Release(silent_from=5)
>>> now = get_visibility(silent, is_final=False)
>>> now.get_results(4), now.get_results(5), now.standings
(<Results.HANDS: 'hands'>, <Results.NOTHING: 'nothing'>, <Ranks.BEFORE_SILENCE: 'before_silence'>)
>>> get_visibility(silent, is_final=True).get_results(5)
<Results.HANDS: 'hands'>
"""

from .release_state import HIDDEN_VISIBILITY as HIDDEN_VISIBILITY
from .release_state import Ranks as Ranks
from .release_state import Visibility as Visibility
from .release_state import get_visibility as get_visibility
from .releases import USUAL as USUAL
from .releases import Names as Names
from .releases import RanksRelease as RanksRelease
from .releases import Release as Release
from .releases import Results as Results
from .releases import release_from_json as release_from_json
from .releases import release_to_json as release_to_json
