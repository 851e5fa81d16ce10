"""Who wins which prize, worked out from an order. Plain Python.

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
    """What can be won among some: ``amounts`` has the prize of each place in cents, 0 for one without an
    amount; ``ranked`` has who competes, best first, with a rank that is equal for who is level."""

    amounts: tuple[int, ...]
    ranked: tuple[tuple[Hashable, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """What somebody wins: in the contest of that index (from 0) a place, or a share of the places ``first``
    to ``last`` (from 1) among the ``sharing`` who are level; ``amount`` in cents."""

    contest: int
    first: int
    last: int
    winner: Hashable
    sharing: int
    amount: int


def awards(contests: Sequence[Contest], *, one_each: bool) -> tuple[Award, ...]:
    """Who wins what, by contest and place.

    Who is level takes the places that they cover together, and an equal share of what these bring; cents that
    cannot be shared go to the first of them. Where nobody wins more than ``one_each``, the larger prize is
    given first, and its winner stands aside in the other contests; of equal ones, and where any has no
    amount, the one that stands first.
    """
    given: list[Award] = []
    winners: set[Hashable] = set()
    for index, place in _in_order(contests):
        here = {award.winner for award in given if award.contest == index}
        if any(award.contest == index and place < award.last for award in given):
            continue  # those who were level have taken it
        level = _best(contests[index], without=here | winners if one_each else here)
        given += _share_prizes(index, place, contests[index].amounts, level)
        winners.update(level)
    return tuple(sorted(given, key=lambda award: (award.contest, award.first)))


def _in_order(contests: Sequence[Contest]) -> list[tuple[int, int]]:
    """The prizes, contest and place (both from 0), in the order in which they are given."""
    prizes = [
        (amount, index, place)
        for index, contest in enumerate(contests)
        for place, amount in enumerate(contest.amounts)
    ]
    if all(amount for amount, _, _ in prizes):
        prizes.sort(key=lambda prize: -prize[0])
    return [(index, place) for _, index, place in prizes]


def _best(contest: Contest, *, without: AbstractSet[Hashable]) -> list[Hashable]:
    """Those of the best rank who are left; nobody, where nobody is."""
    left = ((one, rank) for one, rank in contest.ranked if one not in without)
    level = next((list(those) for _, those in groupby(left, key=lambda each: each[1])), [])
    return [one for one, _ in level]


def _share_prizes(
    index: int, place: int, amounts: Sequence[int], level: Sequence[Hashable]
) -> Iterator[Award]:
    covered = amounts[place : place + len(level)]
    share, rest = divmod(sum(covered), len(level)) if level else (0, 0)
    for number, winner in enumerate(level):
        yield Award(
            contest=index,
            first=place + 1,
            last=place + len(covered),
            winner=winner,
            sharing=len(level),
            amount=share + (number < rest),
        )
