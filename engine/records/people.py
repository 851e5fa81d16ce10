"""The record of every person, from the matches in the order in which they were played."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules import Side, side_of

from .values import (
    Balance,
    Company,
    ContractCount,
    PersonId,
    PersonRecord,
    Players,
    RecordedMatch,
    Streak,
    Year,
)

MOST_COMPANY = 20
"""The most partners, and the most opponents, that are stored: those met most often."""

_WON, _DRAWN, _LOST = range(3)

Sums = list[int]


def _three() -> Sums:
    return [0, 0, 0]


def _four() -> Sums:
    return [0, 0, 0, 0]


@dataclass(slots=True)
class _Adding:
    """Running totals of a person over the matches."""

    balance: Sums = field(default_factory=_three)
    games: Sums = field(default_factory=lambda: [0, 0])
    points: Sums = field(default_factory=lambda: [0, 0])
    marked: int = 0
    contracts: dict[str, Sums] = field(default_factory=lambda: defaultdict(_four))
    own: dict[str, Sums] = field(default_factory=lambda: defaultdict(_four))
    partners: dict[PersonId, Sums] = field(default_factory=lambda: defaultdict(_three))
    opponents: dict[PersonId, Sums] = field(default_factory=lambda: defaultdict(_three))
    streak: Streak = field(default_factory=Streak)
    running: int = 0
    nights: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    years: dict[int, Sums] = field(default_factory=lambda: defaultdict(_three))

    def add(self, meeting: RecordedMatch, side: Side, person: PersonId) -> None:
        came = _DRAWN if meeting.winner is None else _WON if meeting.winner is side else _LOST
        year = meeting.held_on.year
        self.balance[came] += 1
        self.years[year][came] += 1
        self.nights[year].add(meeting.event)
        for place, whose in enumerate((side, side.other)):
            self.games[place] += meeting.games[whose]
            self.points[place] += meeting.points[whose]
        for other in meeting.sides[side]:
            if other != person:
                self.partners[other][came] += 1
        for other in meeting.sides[side.other]:
            self.opponents[other][came] += 1
        self.running = self.running + 1 if came == _WON else 0
        if self.running > self.streak.length:
            self.streak = Streak(self.running, meeting.event)
        self._add_bids(meeting, side, person)

    def _add_bids(self, meeting: RecordedMatch, side: Side, person: PersonId) -> None:
        self.marked += bool(meeting.bids)
        players = meeting.sides[side]
        for bids in meeting.bids:
            if bids.side is not side:
                continue
            _plus(self.contracts[bids.contract], bids[3:])
            if bids.seat is not None and side_of(bids.seat) is side and players[bids.seat // 2] == person:
                _plus(self.own[bids.contract], bids[3:])

    def record(self) -> PersonRecord:
        return PersonRecord(
            nights=sum(map(len, self.nights.values())),
            balance=Balance(*self.balance),
            games=(self.games[0], self.games[1]),
            points=(self.points[0], self.points[1]),
            marked=self.marked,
            contracts=_counts(self.contracts),
            own=_counts(self.own),
            partners=_company(self.partners),
            opponents=_company(self.opponents),
            streak=self.streak,
            running=self.running,
            years={
                year: Year(len(self.nights[year]), Balance(*sums))
                for year, sums in sorted(self.years.items())
            },
        )


def records_of(meetings: Iterable[RecordedMatch]) -> dict[PersonId, PersonRecord]:
    """Return the record of everybody who played, from matches in order."""
    adding: dict[PersonId, _Adding] = defaultdict(_Adding)
    for meeting in meetings:
        for side in Side:
            for person in meeting.sides[side]:
                adding[person].add(meeting, side, person)
    return {person: one.record() for person, one in adding.items()}


def pair_of(players: Players) -> Players:
    """Return the two of a side, the lower id first, whatever their seats."""
    return tuple(sorted(players))


def _plus(sums: Sums, more: tuple[int, ...]) -> None:
    for place, number in enumerate(more):
        sums[place] += number


def _counts(found: Mapping[str, Sums]) -> dict[str, ContractCount]:
    return {contract: ContractCount(*sums) for contract, sums in sorted(found.items())}


def _company(found: Mapping[PersonId, Sums]) -> tuple[Company, ...]:
    """Return the people met most often; among equals, those with the most wins first."""
    in_order = sorted(found.items(), key=lambda each: (-sum(each[1]), -each[1][_WON], each[0]))
    return tuple(Company(person, Balance(*sums)) for person, sums in in_order[:MOST_COMPANY])
