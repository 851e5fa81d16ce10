"""Models of events and their parts, and of the seasons and records of a club.

A ``Change`` writes every change that a director makes in an event, and can undo it.
"""

from tournaments.competitors import PrizeScope

from .actions import HIDDEN, NO_RESULT, Action
from .alerts import AlertSubscription
from .entries import NOT_ARRIVED, REASON_LENGTH, Adjustment, Entry
from .events import Event, release_columns, usual_ranking, usual_stages
from .interclub import InvitationAnswer, InvitedClub, SharedNight, Visitor
from .mirrors import KnownSnapshot, Mirror, Pairing, PublicSite, SentEvent
from .money import Fee, Prize, PrizeCategory
from .plans import Plan
from .records import CERTAIN_CHANCE, ClubRecord, PersonRecord, Tally, get_records_topic
from .rounds import PROOFS, Round, Ruling, Seating, Table
from .seasons import Season
from .signing import ClubKey, LogEntry
from .standings import PublishedStandings, Standings
