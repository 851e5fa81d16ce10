"""The records of a club, of all years together and of each."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from rules import Side

from .people import get_pair
from .tallies import CHARLEMAGNES
from .values import Balance, BestPair, ClubRecord, Feat, Holder, PersonId, Players, RecordedMatch, Streak

MIN_PAIR_MATCHES = 10
"""The matches that a pair needs to be the best one."""
MAX_HOLDERS = 4

_Key = TypeVar("_Key")


def compute_club_record(meetings: Sequence[RecordedMatch], *, excluded: Collection[PersonId] = ()) -> ClubRecord:
    """Return the records of these matches, which must be in order.

    ``excluded`` people hold no record, nor do their partners for the same match; their matches are counted.
    """
    is_shown = _NameFilter(excluded)
    people = {person for meeting in meetings for side in meeting.sides for person in side}
    return ClubRecord(
        nights=len({meeting.event for meeting in meetings}),
        matches=len(meetings),
        people=len(people),
        highest=_find_highest(meetings, is_shown),
        charlemagnes=_find_charlemagnes(meetings, is_shown),
        streak=_find_streak(meetings, is_shown),
        most_nights=_find_most_nights(meetings, is_shown),
        best_pair=_find_best_pair(meetings, is_shown),
    )


def compute_yearly_records(
    meetings: Iterable[RecordedMatch], *, excluded: Collection[PersonId] = ()
) -> dict[int, ClubRecord]:
    """Return the records of each year, the latest first."""
    years: dict[int, list[RecordedMatch]] = defaultdict(list)
    for meeting in meetings:
        years[meeting.held_on.year].append(meeting)
    return {year: compute_club_record(years[year], excluded=excluded) for year in sorted(years, reverse=True)}


class _NameFilter:
    """A check that all of these players may be named."""

    def __init__(self, excluded: Collection[PersonId]) -> None:
        self.left_out = frozenset(excluded)

    def __call__(self, players: Players) -> bool:
        return self.left_out.isdisjoint(players)


def _find_highest(meetings: Iterable[RecordedMatch], is_shown: _NameFilter) -> Feat | None:
    return _build_feat(
        (meeting.points[side], Holder(get_pair(meeting.sides[side]), meeting.event))
        for meeting in meetings
        for side in Side
        if is_shown(meeting.sides[side])
    )


def _find_charlemagnes(meetings: Sequence[RecordedMatch], is_shown: _NameFilter) -> Feat | None:
    """Return the most Charlemagnes by person and night; partners who stayed together hold the record as a
    pair."""
    counts: Counter[tuple[PersonId, int]] = Counter()
    for meeting in meetings:
        for bids in meeting.bids:
            if bids.contract in CHARLEMAGNES and bids.made:
                for person in meeting.sides[bids.side]:
                    counts[person, meeting.event] += bids.made
    return _build_feat(
        ((number, Holder((person,), event)) for (person, event), number in counts.items() if is_shown((person,))),
        _find_steady_pairs(meetings),
    )


def _find_streak(meetings: Sequence[RecordedMatch], is_shown: _NameFilter) -> Feat | None:
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
    return _build_feat(
        ((streak.length, Holder((person,), streak.event)) for person, streak in longest.items() if is_shown((person,))),
        _find_steady_pairs(meetings),
    )


def _find_most_nights(meetings: Iterable[RecordedMatch], is_shown: _NameFilter) -> Feat | None:
    nights = _gather(meetings, lambda players: players)
    return _build_feat((len(found), Holder((person,), None)) for person, found in nights.items() if is_shown((person,)))


def _gather(meetings: Iterable[RecordedMatch], keys: Callable[[Players], Iterable[_Key]]) -> Mapping[_Key, set[int]]:
    found: dict[_Key, set[int]] = defaultdict(set)
    for meeting in meetings:
        for side in meeting.sides:
            for key in keys(side):
                found[key].add(meeting.event)
    return found


def _find_best_pair(meetings: Iterable[RecordedMatch], is_shown: _NameFilter) -> BestPair | None:
    """Return the pair with the largest share of wins, a draw counting half; among equals, the one with more
    matches."""
    sums: dict[Players, list[int]] = defaultdict(lambda: [0, 0, 0])
    for meeting in meetings:
        for side in Side:
            if len(meeting.sides[side]) == 2:
                result = 1 if meeting.winner is None else 0 if meeting.winner is side else 2
                sums[get_pair(meeting.sides[side])][result] += 1
    eligible = [
        BestPair(players=players, balance=Balance(*found))
        for players, found in sums.items()
        if sum(found) >= MIN_PAIR_MATCHES and is_shown(players)
    ]
    return max(eligible, key=_get_merit, default=None)


def _get_merit(pair: BestPair) -> tuple[float, int, tuple[int, ...]]:
    balance = pair.balance
    share = (balance.won + balance.drawn / 2) / balance.played
    return share, balance.played, tuple(-person for person in pair.players)


def _find_steady_pairs(meetings: Iterable[RecordedMatch]) -> dict[Holder, Players]:
    """Return the pair of each person who had one partner in all matches of a night."""
    found: dict[Holder, set[Players]] = defaultdict(set)
    for meeting in meetings:
        for side in meeting.sides:
            for person in side:
                found[Holder((person,), meeting.event)].add(get_pair(side))
    return {holder: next(iter(pairs)) for holder, pairs in found.items() if len(pairs) == 1}


def _merge_pairs(holders: Sequence[Holder], pairs: Mapping[Holder, Players]) -> list[Holder]:
    """Merge holders who are both partners of a pair into one holder."""

    found: list[Holder] = []
    for holder in holders:
        partners = pairs.get(holder, holder.players)
        is_held = {Holder((person,), holder.event) for person in partners} <= set(holders)
        pair = Holder(partners, holder.event) if is_held else holder
        if pair == holder or pair not in found:
            found.append(pair)
    return found


def _build_feat(
    candidates: Iterable[tuple[int, Holder]], pairs: Mapping[Holder, Players] = MappingProxyType({})
) -> Feat | None:
    """Return the highest number and its holders, in the order of the matches; None if all are zero."""
    best, holders = 0, list[Holder]()
    for number, holder in candidates:
        if number > best:
            best, holders = number, [holder]
        elif number == best:
            holders.append(holder)
    if not best:
        return None
    holders = _merge_pairs(holders, pairs)
    return Feat(number=best, holders=tuple(holders[:MAX_HOLDERS]), shared=len(holders))
