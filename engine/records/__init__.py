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

from .clubs import MIN_PAIR_MATCHES, compute_club_record, compute_yearly_records
from .people import MAX_COMPANY, compute_records
from .serialization import club_record_from_json, club_record_to_json, person_record_from_json, person_record_to_json
from .tallies import CHARLEMAGNES, bids_from_json, bids_to_json, count_bids
from .values import (
    Balance,
    BestPair,
    Bids,
    ClubRecord,
    Company,
    ContractCount,
    Feat,
    Holder,
    PersonId,
    PersonRecord,
    Players,
    RecordedMatch,
    Streak,
    Year,
)

__all__ = [
    "CHARLEMAGNES",
    "MAX_COMPANY",
    "MIN_PAIR_MATCHES",
    "Balance",
    "BestPair",
    "Bids",
    "ClubRecord",
    "Company",
    "ContractCount",
    "Feat",
    "Holder",
    "PersonId",
    "PersonRecord",
    "Players",
    "RecordedMatch",
    "Streak",
    "Year",
    "bids_from_json",
    "bids_to_json",
    "club_record_from_json",
    "club_record_to_json",
    "compute_club_record",
    "compute_records",
    "compute_yearly_records",
    "count_bids",
    "person_record_from_json",
    "person_record_to_json",
]
