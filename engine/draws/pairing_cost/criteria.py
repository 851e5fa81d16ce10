"""The criteria of a good pairing: small functions, each of which prices how far two entrants are from it.

A criterion prices the meeting of the entrants at two positions of a field, the first the higher one, or the
bye of one. 0 is the best price. Criteria are in order of importance; the first that differs decides.

==============  =====================================================  =======================================
criterion       what it says                                           FIDE C.04.3 (Dutch system)
==============  =====================================================  =======================================
``must_not_meet``   no forbidden meetings                                  C.04.2, prohibited pairings
``byes``        nobody sits out again before others                    C.2, C.9
``repeats``     nobody meets the same opponent again                   C.1
``bye_score``   the lowest score sits out                              C.5
``scores``      opponents have equal scores                            C.6, C.7: floaters, then their scores
``floats``      nobody floats the same way twice running               C.14 to C.17
``avoid``       few meetings within a club, a family or a car          –
``distance``    upper half against lower half, in order                D.1
``sides``       everybody sits as often on either side                 C.10 to C.13
==============  =====================================================  =======================================

FIDE's absolute criteria (C.1 to C.3) are only expensive here, so that every field can be drawn. The property
tests of each are in ``docs/development/draws.md``; ``tests/engine/draws/test_objective.py`` counts all of
them again, from these sentences.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.draws.bonds import LABELS, bonds_in_force, never_meet, rather_not
from engine.draws.seating import need_two_tables
from engine.draws.settings import boolean, check_setting_names, choice, names, whole_number
from engine.draws.values import DrawInput
from errors import Refusal

from .fields import PairingField
from .targets import TARGETS

Value = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion: ``value(higher, lower)`` is at least 0 and at most ``most``."""

    value: Value
    most: int


INDIFFERENT = Criterion(lambda higher, lower: 0, 0)
"""A criterion that costs every pair nothing, for example bonds in a field without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSettings:
    """Settings of an event for its pairings.

    ``criteria`` in order, most important first. Entrants who share a bond of a kind in ``must_not`` do not
    meet; of a kind in ``avoid``, only if necessary: in the first ``apart_rounds``, None: in all. Two may meet
    again after ``rematch_after`` rounds; None: never, if that is possible. ``target`` is the preferred
    opponent among those of the same score. In the first ``accelerated_rounds`` the upper half of the starting
    list has a head start (``acceleration``).
    """

    criteria: tuple[str, ...] = (
        "forbidden",
        "byes",
        "repeats",
        "bye_score",
        "scores",
        "floats",
        "avoid",
        "distance",
        "sides",
    )
    target: str = "slide"
    must_not: tuple[str, ...] = ()
    avoid: tuple[str, ...] = LABELS
    apart_rounds: int | None = None
    rematch_after: int | None = None
    forfeits_count: bool = True
    mixes_sections: bool = False
    accelerated_rounds: int = 0


def pairing_settings(plain: Mapping[str, Any], *, usual: PairingSettings) -> PairingSettings:
    """Return the usual settings changed by these.

    Refuses: no_such_setting, no_such_choice, criterion_twice, not_a_list, not_a_number, number_too_small.
    """
    known = [item.name for item in fields(PairingSettings)]
    check_setting_names(plain, known)
    wanted = {**{name: getattr(usual, name) for name in known}, **plain}
    return PairingSettings(
        criteria=_criteria(wanted),
        target=choice(wanted, "target", tuple(TARGETS)),
        must_not=names(wanted, "must_not"),
        avoid=names(wanted, "avoid"),
        apart_rounds=whole_number(wanted, "apart_rounds", least=1),
        rematch_after=whole_number(wanted, "rematch_after", least=1),
        forfeits_count=boolean(wanted, "forfeits_count"),
        mixes_sections=boolean(wanted, "mixes_sections"),
        accelerated_rounds=whole_number(wanted, "accelerated_rounds", least=0) or 0,
    )


def pairing_settings_of(draw_input: DrawInput, *, usual: PairingSettings) -> PairingSettings:
    """Return the settings of a draw, as its version understands them. Refuses: what ``pairing_settings``
    refuses."""
    if draw_input.version == 1:
        usual = replace(usual, criteria=tuple(key for key in usual.criteria if key != "bye_score"))
    return pairing_settings(draw_input.settings, usual=usual)


def _criteria(wanted: Mapping[str, Any]) -> tuple[str, ...]:
    criteria = names(wanted, "criteria")
    for key in criteria:
        if key not in CRITERIA:
            raise Refusal("no_such_choice", field="criteria", value=key, choices=tuple(CRITERIA))
    if len(set(criteria)) < len(criteria):
        raise Refusal("criterion_twice", field="criteria")
    return criteria


def must_not_meet(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price two who must not meet: a bond, another section, or a seat that both need."""
    nobody, entrants = drawn.nobody, drawn.entrants
    bonds = bonds_in_force(entrants, never_meet(settings, drawn.round), drawn.round)
    sections = [None if settings.mixes_sections else entrant.section for entrant in entrants]
    most = max(map(len, bonds), default=0) + 3

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return 0
        one, other = entrants[higher], entrants[lower]
        return (
            len(bonds[higher] & bonds[lower])
            + (sections[higher] != sections[lower])
            + need_two_tables(one, other)
            + (one.side is not None and one.side is other.side)
        )

    matters = any(bonds) or len(set(sections)) > 1 or _has_seats(drawn)
    return Criterion(value, most) if matters else INDIFFERENT


def byes(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price another bye for an entry by its earlier byes and missed rounds, squared."""
    had = [drawn.history.idle_rounds(entry) for entry in drawn.ids]
    nobody = drawn.nobody
    return Criterion(
        lambda higher, lower: had[higher] ** 2 if lower == nobody else 0, max(had, default=0) ** 2
    )


def repeats(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price earlier meetings, squared, so that unavoidable rematches are spread."""
    position = drawn.place_of
    priced: dict[tuple[int, int], int] = {}

    def counts(met: int) -> bool:
        return settings.rematch_after is None or met >= drawn.round - settings.rematch_after

    for pair, _ in drawn.history.meetings:
        if all(entry in position for entry in pair):
            one, other = pair
            higher, lower = sorted((position[one], position[other]))
            rounds = drawn.history.rounds_met(one, other)
            priced[higher, lower] = sum(counts(met) for met in rounds) ** 2
    return Criterion(lambda higher, lower: priced.get((higher, lower), 0), max(priced.values(), default=0))


def bye_score(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price a bye by how much the entry's score is above the lowest in the field."""
    points, nobody = drawn.scores, drawn.nobody
    if not drawn.is_odd or points[0] == points[-1]:
        return INDIFFERENT
    return Criterion(
        lambda higher, lower: points[higher] - points[-1] if lower == nobody else 0, points[0] - points[-1]
    )


def scores(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price the difference of the scores, squared; for a bye its distance from the lowest score, unless a
    criterion of its own prices that."""
    points, nobody = drawn.scores, drawn.nobody
    prices_bye = "bye_score" not in settings.criteria

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return (points[higher] - points[-1]) ** 2 if prices_bye else 0
        return (points[higher] - points[lower]) ** 2

    return Criterion(value, (points[0] - points[-1]) ** 2 if points else 0)


def floats(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price entries that floated in the round before, and would again the same way."""
    before = [drawn.history.float_of(entry, drawn.round - 1) for entry in drawn.ids]
    points, nobody = drawn.scores, drawn.nobody

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return before[higher] > 0
        return (before[higher] > 0) + (before[lower] < 0) if points[higher] != points[lower] else 0

    return Criterion(value, 2) if any(before) else INDIFFERENT


def avoid(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price the bonds of two who should not meet if possible."""
    bonds = [*bonds_in_force(drawn.entrants, rather_not(settings, drawn.round), drawn.round), frozenset()]
    return Criterion(lambda higher, lower: len(bonds[higher] & bonds[lower]), max(map(len, bonds)))


def distance(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price how far two are from their target opponents, squared."""
    target = TARGETS[settings.target]
    group_at, groups, nobody = drawn.group_at, drawn.groups, drawn.nobody

    def value(higher: int, lower: int) -> int:
        group = groups[group_at[higher]]
        if lower == nobody:
            return (group.stop - 1 - higher) ** 2
        other = groups[group_at[lower]]
        if group is other:
            return target.distance(higher - group.start, lower - group.start, len(group)) ** 2
        return (group.stop - 1 - higher + lower - other.start) ** 2

    return Criterion(value, (2 * len(drawn.entrants) + 1) ** 2)


def sides(drawn: PairingField, settings: PairingSettings) -> Criterion:
    """Price how unevenly the two will have sat on side A and on side B, after the best seating."""
    lean = [drawn.history.lean(entry) for entry in drawn.ids]
    nobody = drawn.nobody

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return 0
        low, high = sorted((lean[higher], lean[lower]))
        return (low + 1) ** 2 + (high - 1) ** 2

    return Criterion(value, 2 * (max(map(abs, lean), default=0) + 1) ** 2)


CRITERIA: Mapping[str, Callable[[PairingField, PairingSettings], Criterion]] = {
    "forbidden": must_not_meet,
    "byes": byes,
    "repeats": repeats,
    "bye_score": bye_score,
    "scores": scores,
    "floats": floats,
    "avoid": avoid,
    "distance": distance,
    "sides": sides,
}


def _has_seats(drawn: PairingField) -> bool:
    return any(entrant.table is not None or entrant.side is not None for entrant in drawn.entrants)
