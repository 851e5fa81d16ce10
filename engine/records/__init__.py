"""Records of people and of clubs, from the matches played. Plain Python, whole numbers.

Everything is a function of the matches in the order in which they were played. Hands count if they were
recorded: a sheet that has only totals tells who won, and no contract.

>>> from datetime import date
>>> from rules import Side
>>> played = RecordedMatch(
...     event=1, held_on=date(2026, 9, 8), sides=((PersonId(7), PersonId(9)), (PersonId(3), PersonId(5))),
...     winner=Side.A, games=(2, 1), points=(96, 60), bids=(Bids(Side.A, None, "6", 3, 2, 3, 1),),
... )
>>> record = compute_records([played])[PersonId(9)]
>>> record.balance, record.games, record.contracts["6"]
(Balance(won=1, drawn=0, lost=0), (2, 1), ContractCount(bid=3, made=2, counted=3, over=1))
"""

from .clubs import MIN_PAIR_MATCHES as MIN_PAIR_MATCHES
from .clubs import compute_club_record as compute_club_record
from .clubs import compute_yearly_records as compute_yearly_records
from .people import MAX_COMPANY as MAX_COMPANY
from .people import compute_records as compute_records
from .serialization import club_record_from_json as club_record_from_json
from .serialization import club_record_to_json as club_record_to_json
from .serialization import person_record_from_json as person_record_from_json
from .serialization import person_record_to_json as person_record_to_json
from .tallies import CHARLEMAGNES as CHARLEMAGNES
from .tallies import bids_from_json as bids_from_json
from .tallies import bids_to_json as bids_to_json
from .tallies import count_bids as count_bids
from .values import Balance as Balance
from .values import BestPair as BestPair
from .values import Bids as Bids
from .values import ClubRecord as ClubRecord
from .values import Company as Company
from .values import ContractCount as ContractCount
from .values import Feat as Feat
from .values import Holder as Holder
from .values import PersonId as PersonId
from .values import PersonRecord as PersonRecord
from .values import Players as Players
from .values import RecordedMatch as RecordedMatch
from .values import Streak as Streak
from .values import Year as Year
