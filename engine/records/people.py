"""The record of every person, from the matches in the order in which they were played."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules import Side, get_side

from .values import Balance, Company, ContractCount, PersonId, PersonRecord, Players, RecordedMatch, Streak, Year

MAX_COMPANY = 20
"""The most partners, and the most opponents, that are stored: those met most often."""

_WON, _DRAWN, _LOST = range(3)

Sums = list[int]


def _build_three_zeros() -> Sums:
    return [0, 0, 0]


def _build_four_zeros() -> Sums:
    return [0, 0, 0, 0]


@dataclass(slots=True)
class _PersonTotals:
    """Running totals of a person over the matches."""

    balance: Sums = field(default_factory=_build_three_zeros)
    games: Sums = field(default_factory=lambda: [0, 0])
    points: Sums = field(default_factory=lambda: [0, 0])
    marked: int = 0
    contracts: dict[str, Sums] = field(default_factory=lambda: defaultdict(_build_four_zeros))
    own: dict[str, Sums] = field(default_factory=lambda: defaultdict(_build_four_zeros))
    partners: dict[PersonId, Sums] = field(default_factory=lambda: defaultdict(_build_three_zeros))
    opponents: dict[PersonId, Sums] = field(default_factory=lambda: defaultdict(_build_three_zeros))
    streak: Streak = field(default_factory=Streak)
    running: int = 0
    nights: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    years: dict[int, Sums] = field(default_factory=lambda: defaultdict(_build_three_zeros))

    def add(self, meeting: RecordedMatch, side: Side, person: PersonId) -> None:
        result = _DRAWN if meeting.winner is None else _WON if meeting.winner is side else _LOST
        year = meeting.held_on.year
        self.balance[result] += 1
        self.years[year][result] += 1
        self.nights[year].add(meeting.event)
        for place, team in enumerate((side, side.other)):
            self.games[place] += meeting.games[team]
            self.points[place] += meeting.points[team]
        for other in meeting.sides[side]:
            if other != person:
                self.partners[other][result] += 1
        for other in meeting.sides[side.other]:
            self.opponents[other][result] += 1
        self.running = self.running + 1 if result == _WON else 0
        if self.running > self.streak.length:
            self.streak = Streak(self.running, meeting.event)
        self._add_bids(meeting, side, person)

    def _add_bids(self, meeting: RecordedMatch, side: Side, person: PersonId) -> None:
        self.marked += bool(meeting.bids)
        players = meeting.sides[side]
        for bids in meeting.bids:
            if bids.side is not side:
                continue
            _add_sums(self.contracts[bids.contract], bids[3:])
            if bids.seat is not None and get_side(bids.seat) is side and players[bids.seat // 2] == person:
                _add_sums(self.own[bids.contract], bids[3:])

    def build_record(self) -> PersonRecord:
        return PersonRecord(
            nights=sum(map(len, self.nights.values())),
            balance=Balance(*self.balance),
            games=(self.games[0], self.games[1]),
            points=(self.points[0], self.points[1]),
            marked=self.marked,
            contracts=_build_contract_counts(self.contracts),
            own=_build_contract_counts(self.own),
            partners=_build_company(self.partners),
            opponents=_build_company(self.opponents),
            streak=self.streak,
            running=self.running,
            years={year: Year(len(self.nights[year]), Balance(*sums)) for year, sums in sorted(self.years.items())},
        )


def compute_records(meetings: Iterable[RecordedMatch]) -> dict[PersonId, PersonRecord]:
    """Return the record of everybody who played, from matches in order."""
    totals: dict[PersonId, _PersonTotals] = defaultdict(_PersonTotals)
    for meeting in meetings:
        for side in Side:
            for person in meeting.sides[side]:
                totals[person].add(meeting, side, person)
    return {person: one.build_record() for person, one in totals.items()}


def get_pair(players: Players) -> Players:
    """Return the two of a side, the lower id first, whatever their seats."""
    return tuple(sorted(players))


def _add_sums(sums: Sums, numbers: tuple[int, ...]) -> None:
    for place, number in enumerate(numbers):
        sums[place] += number


def _build_contract_counts(sums_by_contract: Mapping[str, Sums]) -> dict[str, ContractCount]:
    return {contract: ContractCount(*sums) for contract, sums in sorted(sums_by_contract.items())}


def _build_company(sums_by_person: Mapping[PersonId, Sums]) -> tuple[Company, ...]:
    """Return the people met most often; among equals, those with the most wins first."""
    ordered = sorted(sums_by_person.items(), key=lambda each: (-sum(each[1]), -each[1][_WON], each[0]))
    return tuple(Company(person, Balance(*sums)) for person, sums in ordered[:MAX_COMPANY])
