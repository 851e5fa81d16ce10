"""Prize winners, worked out from a ranking. Plain Python.

>>> main = Contest(amounts=(10000, 6000), ranking=(("Roy", 1), ("Dubé", 2), ("Cyr", 3)))
>>> women = Contest(amounts=(5000,), ranking=(("Dubé", 1), ("Cyr", 2)))
>>> [(award.winner, award.amount) for award in compute_awards((main, women), one_prize_each=True)]
[('Roy', 10000), ('Dubé', 6000), ('Cyr', 5000)]
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A ranking with prizes.

    ``amounts`` is the prize of each place in cents, 0 for a place without an amount. ``ranking`` lists the
    competitors, best first, with their ranks; equal ranks are ties.
    """

    amounts: tuple[int, ...]
    ranking: tuple[tuple[Hashable, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A prize that a competitor wins.

    ``contest`` is the index of the contest (from 0). ``first_place`` to ``last_place`` are the places (from 1) that
    the ``tied_count`` tied competitors share, ``amount`` is the share in cents.
    """

    contest: int
    first_place: int
    last_place: int
    winner: Hashable
    tied_count: int
    amount: int


def compute_awards(contests: Sequence[Contest], *, one_prize_each: bool, step: int = 1) -> tuple[Award, ...]:
    """Return the winners of all prizes, by contest and place.

    Tied competitors take the places that they cover together, and split the prizes of these places with
    ``split_equally``; the first competitor gets the first share. With ``one_prize_each`` nobody wins in two
    contests: the largest prize or share is given first, and its winners are left out of the other contests. If
    these are equal, or any prize has no amount, the contest listed first comes first.
    """
    by_amount = all(amount for contest in contests for amount in contest.amounts)
    granted: list[Award] = []

    def share_next(index: int) -> list[Award]:
        return list(_share_next_prizes(index, contests[index], granted, one_prize_each=one_prize_each, step=step))

    found = [share_next(index) for index in range(len(contests))]
    while open_shares := [shares for shares in found if shares]:
        newest = max(open_shares, key=_compute_mean_share) if by_amount else open_shares[0]
        granted += newest
        winners = {award.winner for award in newest}
        for index, shares in enumerate(found):
            if shares is newest or not winners.isdisjoint(award.winner for award in shares):
                found[index] = share_next(index)
    return tuple(sorted(granted, key=lambda award: (award.contest, award.first_place)))


def _share_next_prizes(
    index: int, contest: Contest, granted: Sequence[Award], *, one_prize_each: bool, step: int
) -> Iterator[Award]:
    """Yield the awards of the next prizes of a contest to the best who are left; none if either runs out."""
    place = max((award.last_place for award in granted if award.contest == index), default=0)
    if place < len(contest.amounts):
        excluded = {award.winner for award in granted if one_prize_each or award.contest == index}
        yield from _share_prizes(index, place, contest.amounts, _find_best(contest, excluded=excluded), step)


def _compute_mean_share(awards: Iterable[Award]) -> float:
    amounts = [award.amount for award in awards]
    return sum(amounts) / len(amounts)


def _find_best(contest: Contest, *, excluded: AbstractSet[Hashable]) -> list[Hashable]:
    """Return the best-ranked competitors who are left, all of them if tied; empty if nobody is left."""
    eligible = ((one, rank) for one, rank in contest.ranking if one not in excluded)
    level = next((list(group) for _, group in groupby(eligible, key=lambda each: each[1])), [])
    return [one for one, _ in level]


def _share_prizes(
    index: int, place: int, amounts: Sequence[int], level: Sequence[Hashable], step: int
) -> Iterator[Award]:
    covered = amounts[place : place + len(level)]
    shares = split_equally(sum(covered), len(level), step)
    for winner, amount in zip(level, shares, strict=True):
        yield Award(
            contest=index,
            first_place=place + 1,
            last_place=place + len(covered),
            winner=winner,
            tied_count=len(level),
            amount=amount,
        )


def split_equally(amount: int, count: int, step: int) -> tuple[int, ...]:
    """Split the amount into shares of whole steps, in cents: steps left over go to the first, one each, and
    what is less than a step to the next. They add up to the amount, and differ by a step at most.

    >>> split_equally(10_000, 3, 5), split_equally(10_000, 3, 100), split_equally(503, 2, 5)
    ((3335, 3335, 3330), (3400, 3300, 3300), (253, 250))
    """
    steps, cents = divmod(amount, step)
    each, remainder = divmod(steps, count) if count else (0, 0)
    return tuple(
        (each + (number < remainder)) * step + (cents if number == remainder else 0) for number in range(count)
    )


def split_by_percentages(fund: int, percents: Sequence[int], step: int) -> tuple[int, ...]:
    """Split the fund by percentages, in cents: each share is rounded down to a whole step, except the first,
    which takes what is left. They add up to their part of the fund, rounded down to a step.

    >>> split_by_percentages(14_300, (50, 30, 20), 100)
    (7300, 4200, 2800)
    """
    lower = [round_down(fund * percent // 100, step) for percent in percents[1:]]
    return (round_down(fund * sum(percents) // 100, step) - sum(lower), *lower)


def round_down(amount: int, step: int) -> int:
    """Round an amount in cents down to a whole step."""
    return amount - amount % step
