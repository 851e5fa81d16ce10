"""An event and what belongs to it, and what the events of a club add up to.

Whatever a director changes in an event, a ``Change`` writes and can undo.
"""

from .actions import Action
from .entries import NOT_YET, Adjustment, Entry
from .events import Event, columns_of, usual_ranking, usual_stages
from .interclub import Answer, InvitedClub, SharedNight, Visitor
from .money import Among, Fee, Prize, PrizeCategory
from .plans import Plan
from .records import ClubRecord, PersonRecord, Tally, records_topic
from .rounds import PROOFS, Round, Seating, Table
from .seasons import Season
from .standings import PublishedStandings, Standings

__all__ = [
    "NOT_YET",
    "PROOFS",
    "Action",
    "Adjustment",
    "Among",
    "Answer",
    "ClubRecord",
    "Entry",
    "Event",
    "Fee",
    "InvitedClub",
    "PersonRecord",
    "Plan",
    "Prize",
    "PrizeCategory",
    "PublishedStandings",
    "Round",
    "Season",
    "Seating",
    "SharedNight",
    "Standings",
    "Table",
    "Tally",
    "Visitor",
    "columns_of",
    "records_topic",
    "usual_ranking",
    "usual_stages",
]
