"""First rounds of rotations for individuals, from which all others follow by counting on.

A table is (a, b, c, d): a and b against c and d. The next round adds 1 to every place, within the places that
turn; a place beyond those stays. All of it is proved by counting in the tests.

Whist tournaments exist for every number of people 4k or 4k + 1 (I. Anderson, Combinatorial Designs and
Tournaments). For a prime number 4k + 1 there is a formula (E. H. Moore, 1896), so it needs no table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt, prod

Four = tuple[int, int, int, int]
"""Places from 0: the first two are partners, and so are the last two."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """A first round and how it continues. The places that turn come in ``cycles`` of equal length, one after
    the other; within each they count modulo ``moduli``, a pair of digits if there are two."""

    first_round: tuple[Four, ...]
    moduli: tuple[int, ...]
    cycles: int = 1

    @property
    def rounds(self) -> int:
        """The number of rounds until it repeats."""
        return prod(self.moduli)

    def build_tables(self, number: int) -> tuple[Four, ...]:
        """Return the tables of this round, from 1."""
        steps = (number - 1) % self.rounds
        return tuple(
            (
                self._advance_place(a, steps),
                self._advance_place(b, steps),
                self._advance_place(c, steps),
                self._advance_place(d, steps),
            )
            for a, b, c, d in self.first_round
        )

    def _advance_place(self, place: int, steps: int) -> int:
        cycle, digit_source = divmod(place, self.rounds)
        if cycle >= self.cycles:
            return place
        new_place, unit = 0, 1
        for modulus in self.moduli:
            new_place += (digit_source + steps) % modulus * unit
            digit_source, steps, unit = digit_source // modulus, steps // modulus, unit * modulus
        return cycle * self.rounds + new_place


def find_whist_rotation(people: int) -> Rotation | None:
    """Return the rotation in which everybody partners everybody once and opposes everybody twice, if it is
    known."""
    if people == 9:
        return Rotation(first_round=_WHIST_9, moduli=(3, 3))
    if people in _WHIST:
        return Rotation(first_round=_WHIST[people], moduli=(people - 1 + people % 4,))
    if people % 4 == 1 and people > 1 and all(people % divisor for divisor in range(3, isqrt(people) + 1)):
        return Rotation(first_round=_build_moore_round(people), moduli=(people,))
    return None


def find_meet_once_rotation(people: int) -> Rotation | None:
    """Return the rotation in which each two share a table exactly once, as partners or not, if it is
    known."""
    if people in _MEET_ONCE:
        return Rotation(first_round=_MEET_ONCE[people], moduli=((people - 1) // 3,), cycles=3)
    return None


def _build_moore_round(prime: int) -> tuple[Four, ...]:
    """Return Moore's first round: x and -x against xy and -xy, where y² = -1 and x runs over the powers of a
    generator below y."""
    quarter = prime // 4
    generator = next(
        number
        for number in range(2, prime)
        if len({pow(number, power, prime) for power in range(prime - 1)}) == prime - 1
    )
    turn = pow(generator, quarter, prime)
    powers = (pow(generator, power, prime) for power in range(quarter))
    return tuple((x, prime - x, x * turn % prime, prime - x * turn % prime) for x in powers)


_WHIST_9: tuple[Four, ...] = ((1, 2, 6, 3), (4, 8, 7, 5))
"""Moore's formula in the field of nine elements: place = first digit + 3 × second digit."""

_WHIST: Mapping[int, tuple[Four, ...]] = {
    4: ((3, 0, 1, 2),),
    8: (
        (7, 0, 2, 6),
        (1, 3, 5, 4),
    ),
    12: (
        (11, 0, 8, 9),
        (1, 7, 2, 5),
        (3, 10, 4, 6),
    ),
    16: (
        (15, 0, 8, 4),
        (1, 14, 2, 7),
        (3, 10, 13, 12),
        (5, 11, 9, 6),
    ),
    20: (
        (19, 0, 14, 6),
        (1, 18, 2, 11),
        (3, 15, 7, 13),
        (4, 8, 5, 10),
        (9, 12, 17, 16),
    ),
    21: (
        (1, 12, 13, 19),
        (2, 16, 8, 11),
        (3, 4, 20, 18),
        (5, 17, 15, 7),
        (6, 10, 14, 9),
    ),
    24: (
        (23, 0, 4, 18),
        (1, 3, 10, 15),
        (2, 9, 22, 19),
        (5, 17, 16, 20),
        (6, 14, 21, 8),
        (7, 13, 11, 12),
    ),
    25: (
        (1, 14, 20, 17),
        (2, 3, 6, 13),
        (4, 19, 9, 11),
        (5, 22, 18, 23),
        (7, 16, 21, 15),
        (8, 12, 10, 24),
    ),
    28: (
        (27, 0, 20, 10),
        (1, 17, 21, 26),
        (2, 9, 8, 23),
        (3, 7, 11, 25),
        (4, 5, 16, 19),
        (6, 24, 14, 22),
        (12, 18, 13, 15),
    ),
    32: (
        (31, 0, 26, 30),
        (1, 16, 19, 24),
        (2, 15, 27, 18),
        (3, 20, 10, 22),
        (4, 7, 6, 29),
        (5, 25, 12, 14),
        (8, 9, 13, 23),
        (11, 17, 28, 21),
    ),
    33: (
        (1, 24, 31, 26),
        (2, 32, 12, 20),
        (3, 18, 10, 4),
        (5, 22, 25, 16),
        (6, 27, 11, 15),
        (7, 29, 30, 23),
        (8, 21, 19, 17),
        (9, 28, 14, 13),
    ),
    36: (
        (35, 0, 18, 24),
        (1, 21, 32, 7),
        (2, 29, 22, 20),
        (3, 34, 28, 6),
        (4, 27, 19, 5),
        (8, 17, 9, 33),
        (10, 15, 12, 31),
        (11, 14, 23, 16),
        (13, 30, 25, 26),
    ),
    40: (
        (39, 0, 13, 26),
        (1, 2, 3, 6),
        (16, 32, 9, 18),
        (22, 5, 27, 15),
        (4, 23, 7, 31),
        (25, 17, 34, 28),
        (10, 38, 37, 19),
        (8, 33, 12, 14),
        (11, 21, 36, 29),
        (20, 24, 30, 35),
    ),
}
"""First rounds by the number of people. For 4k the last place stays; for 4k + 1 place 0 is the first to sit
out."""

_MEET_ONCE: Mapping[int, tuple[Four, ...]] = {
    16: (
        (15, 0, 5, 14),
        (1, 12, 4, 11),
        (2, 3, 9, 6),
        (7, 13, 10, 8),
    ),
    28: (
        (27, 0, 13, 23),
        (1, 17, 25, 8),
        (2, 3, 6, 14),
        (4, 22, 26, 20),
        (5, 11, 24, 15),
        (7, 19, 12, 18),
        (9, 21, 16, 10),
    ),
}
"""First rounds by the number of people: the lines of a plane of order 4, and the blocks of a resolvable (28,
4, 1) design. The places turn in three cycles, the last place stays."""
