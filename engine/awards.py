"""Prize winners, worked out from a ranking. Plain Python.

>>> main = Contest(amounts=(10000, 6000), ranked=(("Roy", 1), ("Dubé", 2), ("Cyr", 3)))
>>> women = Contest(amounts=(5000,), ranked=(("Dubé", 1), ("Cyr", 2)))
>>> [(award.winner, award.amount) for award in awards((main, women), one_each=True)]
[('Roy', 10000), ('Dubé', 6000), ('Cyr', 5000)]
"""

from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A ranking with prizes: ``amounts`` has the prize of each place in cents, 0 for one without an amount;
    ``ranked`` has the competitors, best first, with their ranks (equal ranks are ties)."""

    amounts: tuple[int, ...]
    ranked: tuple[tuple[Hashable, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A prize that a competitor wins. ``contest`` is its index (from 0), ``first`` to ``last`` the places
    (from 1) shared among the ``sharing`` competitors who are tied, ``amount`` the share in cents."""

    contest: int
    first: int
    last: int
    winner: Hashable
    sharing: int
    amount: int


def awards(contests: Sequence[Contest], *, one_each: bool, step: int = 1) -> tuple[Award, ...]:
    """Return the winners of all prizes, by contest and place.

    Tied competitors take the places that they cover together, and split the prizes of these by
    ``equal_shares``, the first competitor getting the first share. With ``one_each`` nobody wins in two
    contests: the larger prize is given first, and its winner is left out of the other contests. Among equal
    prizes, and if any prize has no amount, the one listed first is given first.
    """
    given: list[Award] = []
    winners: set[Hashable] = set()
    for index, place in _in_order(contests):
        here = {award.winner for award in given if award.contest == index}
        if any(award.contest == index and place < award.last for award in given):
            continue  # tied competitors have taken it
        level = _best(contests[index], without=here | winners if one_each else here)
        given += _share_prizes(index, place, contests[index].amounts, level, step)
        winners.update(level)
    return tuple(sorted(given, key=lambda award: (award.contest, award.first)))


def _in_order(contests: Sequence[Contest]) -> list[tuple[int, int]]:
    """Return the prizes, contest and place (both from 0), in the order in which they are given."""
    prizes = [
        (amount, index, place)
        for index, contest in enumerate(contests)
        for place, amount in enumerate(contest.amounts)
    ]
    if all(amount for amount, _, _ in prizes):
        prizes.sort(key=lambda prize: -prize[0])
    return [(index, place) for _, index, place in prizes]


def _best(contest: Contest, *, without: AbstractSet[Hashable]) -> list[Hashable]:
    """Return the best-ranked competitors who are left, all of them if tied; empty if nobody is left."""
    left = ((one, rank) for one, rank in contest.ranked if one not in without)
    level = next((list(those) for _, those in groupby(left, key=lambda each: each[1])), [])
    return [one for one, _ in level]


def _share_prizes(
    index: int, place: int, amounts: Sequence[int], level: Sequence[Hashable], step: int
) -> Iterator[Award]:
    covered = amounts[place : place + len(level)]
    shares = equal_shares(sum(covered), len(level), step)
    for winner, amount in zip(level, shares, strict=True):
        yield Award(
            contest=index,
            first=place + 1,
            last=place + len(covered),
            winner=winner,
            sharing=len(level),
            amount=amount,
        )


def equal_shares(amount: int, sharing: int, step: int) -> tuple[int, ...]:
    """Split the amount into shares of whole steps, in cents: steps left over go to the first, one each, and
    what is less than a step to the next. They add up to the amount, and differ by a step at most.

    >>> equal_shares(10_000, 3, 5), equal_shares(10_000, 3, 100), equal_shares(503, 2, 5)
    ((3335, 3335, 3330), (3400, 3300, 3300), (253, 250))
    """
    steps, cents = divmod(amount, step)
    each, over = divmod(steps, sharing) if sharing else (0, 0)
    return tuple(
        (each + (number < over)) * step + (cents if number == over else 0) for number in range(sharing)
    )


def percent_shares(fund: int, percents: Sequence[int], step: int) -> tuple[int, ...]:
    """Split the fund by percentages, in cents: each share is rounded down to a whole step, except the first,
    which takes what is left. They add up to their part of the fund, rounded down to a step.

    >>> percent_shares(14_300, (50, 30, 20), 100)
    (7300, 4200, 2800)
    """
    lower = [round_down(fund * percent // 100, step) for percent in percents[1:]]
    return (round_down(fund * sum(percents) // 100, step) - sum(lower), *lower)


def round_down(amount: int, step: int) -> int:
    """Round an amount in cents down to a whole step."""
    return amount - amount % step
