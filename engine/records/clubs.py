"""The records of a club, of all years together and of each."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from rules import Side

from .people import pair_of
from .tallies import CHARLEMAGNES
from .values import Balance, BestPair, ClubRecord, Feat, Holder, PersonId, Players, RecordedMatch, Streak

LEAST_TOGETHER = 10
"""The matches that a pair needs to be the best one."""
MOST_HOLDERS = 4

_Key = TypeVar("_Key")


def club_record(meetings: Sequence[RecordedMatch], *, left_out: Collection[PersonId] = ()) -> ClubRecord:
    """Return the records of these matches, which come in order. People ``left_out`` hold none, nor does a
    partner by the same match; their matches are counted."""
    shown = _Shown(left_out)
    people = {person for meeting in meetings for side in meeting.sides for person in side}
    return ClubRecord(
        nights=len({meeting.event for meeting in meetings}),
        matches=len(meetings),
        people=len(people),
        highest=_highest(meetings, shown),
        charlemagnes=_charlemagnes(meetings, shown),
        streak=_streak(meetings, shown),
        most_nights=_most_nights(meetings, shown),
        best_pair=_best_pair(meetings, shown),
    )


def by_year(
    meetings: Iterable[RecordedMatch], *, left_out: Collection[PersonId] = ()
) -> dict[int, ClubRecord]:
    """Return the records of each year, the latest first."""
    years: dict[int, list[RecordedMatch]] = defaultdict(list)
    for meeting in meetings:
        years[meeting.held_on.year].append(meeting)
    return {year: club_record(years[year], left_out=left_out) for year in sorted(years, reverse=True)}


class _Shown:
    """A check that all of these players may be named."""

    def __init__(self, left_out: Collection[PersonId]) -> None:
        self.left_out = frozenset(left_out)

    def __call__(self, players: Players) -> bool:
        return self.left_out.isdisjoint(players)


def _highest(meetings: Iterable[RecordedMatch], shown: _Shown) -> Feat | None:
    return _feat(
        (meeting.points[side], Holder(pair_of(meeting.sides[side]), meeting.event))
        for meeting in meetings
        for side in Side
        if shown(meeting.sides[side])
    )


def _charlemagnes(meetings: Sequence[RecordedMatch], shown: _Shown) -> Feat | None:
    """Return the most Charlemagnes by person and night; partners who stayed together hold the record as a
    pair."""
    made: Counter[tuple[PersonId, int]] = Counter()
    for meeting in meetings:
        for bids in meeting.bids:
            if bids.contract in CHARLEMAGNES and bids.made:
                for person in meeting.sides[bids.side]:
                    made[person, meeting.event] += bids.made
    return _feat(
        ((number, Holder((person,), event)) for (person, event), number in made.items() if shown((person,))),
        _steady_pairs(meetings),
    )


def _streak(meetings: Sequence[RecordedMatch], shown: _Shown) -> Feat | None:
    """Return the longest streak by person; partners who stayed together on its last night hold it as a
    pair."""
    running: Counter[PersonId] = Counter()
    longest: dict[PersonId, Streak] = defaultdict(Streak)
    for meeting in meetings:
        for side in Side:
            for person in meeting.sides[side]:
                running[person] = running[person] + 1 if meeting.winner is side else 0
                if running[person] > longest[person].length:
                    longest[person] = Streak(running[person], meeting.event)
    return _feat(
        (
            (streak.length, Holder((person,), streak.event))
            for person, streak in longest.items()
            if shown((person,))
        ),
        _steady_pairs(meetings),
    )


def _most_nights(meetings: Iterable[RecordedMatch], shown: _Shown) -> Feat | None:
    nights = _gather(meetings, lambda players: players)
    return _feat(
        (len(found), Holder((person,), None)) for person, found in nights.items() if shown((person,))
    )


def _gather(
    meetings: Iterable[RecordedMatch], keys: Callable[[Players], Iterable[_Key]]
) -> Mapping[_Key, set[int]]:
    found: dict[_Key, set[int]] = defaultdict(set)
    for meeting in meetings:
        for side in meeting.sides:
            for key in keys(side):
                found[key].add(meeting.event)
    return found


def _best_pair(meetings: Iterable[RecordedMatch], shown: _Shown) -> BestPair | None:
    """Return the pair with the largest share of wins, a draw counting half; among equals, the one with more
    matches."""
    sums: dict[Players, list[int]] = defaultdict(lambda: [0, 0, 0])
    for meeting in meetings:
        for side in Side:
            if len(meeting.sides[side]) == 2:
                came = 1 if meeting.winner is None else 0 if meeting.winner is side else 2
                sums[pair_of(meeting.sides[side])][came] += 1
    known = [
        BestPair(players=players, balance=Balance(*found))
        for players, found in sums.items()
        if sum(found) >= LEAST_TOGETHER and shown(players)
    ]
    return max(known, key=_merit, default=None)


def _merit(pair: BestPair) -> tuple[float, int, tuple[int, ...]]:
    balance = pair.balance
    share = (balance.won + balance.drawn / 2) / balance.played
    return share, balance.played, tuple(-person for person in pair.players)


def _steady_pairs(meetings: Iterable[RecordedMatch]) -> dict[Holder, Players]:
    """Return the pair of each person who had one partner in all matches of a night."""
    found: dict[Holder, set[Players]] = defaultdict(set)
    for meeting in meetings:
        for side in meeting.sides:
            for person in side:
                found[Holder((person,), meeting.event)].add(pair_of(side))
    return {holder: next(iter(pairs)) for holder, pairs in found.items() if len(pairs) == 1}


def _as_pairs(holders: Sequence[Holder], pairs: Mapping[Holder, Players]) -> list[Holder]:
    """Merge holders who are both partners of a pair into one holder."""

    found: list[Holder] = []
    for holder in holders:
        both = pairs.get(holder, holder.players)
        is_held = {Holder((person,), holder.event) for person in both} <= set(holders)
        pair = Holder(both, holder.event) if is_held else holder
        if pair == holder or pair not in found:
            found.append(pair)
    return found


def _feat(
    reached: Iterable[tuple[int, Holder]], pairs: Mapping[Holder, Players] = MappingProxyType({})
) -> Feat | None:
    """Return the highest number and its holders, in the order of the matches; None if all are zero."""
    best, holders = 0, list[Holder]()
    for number, holder in reached:
        if number > best:
            best, holders = number, [holder]
        elif number == best:
            holders.append(holder)
    if not best:
        return None
    holders = _as_pairs(holders, pairs)
    return Feat(number=best, holders=tuple(holders[:MOST_HOLDERS]), shared=len(holders))
