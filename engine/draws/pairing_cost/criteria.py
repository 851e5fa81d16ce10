"""The criteria of a good pairing: small functions, each of which prices how far two entrants are from it.

A criterion prices the meeting of the entrants at two positions of a field, the first the higher one, or the
bye of one. 0 is the best price. Criteria are in order of importance; the first that differs decides.

============================  ==============================================  =====================================
criterion                     requirement                                     FIDE C.04.3 (Dutch system)
============================  ==============================================  =====================================
``price_forbidden_meetings``  no forbidden meetings                           C.04.2, prohibited pairings
``price_own_club``            few tables of two from one club                 –
``price_byes``                nobody sits out again before others             C.2, C.9
``price_repeats``             nobody meets the same opponent again            C.1
``price_bye_score``           the lowest score sits out                       C.5
``price_scores``              opponents have equal scores                     C.6, C.7: floaters, then their scores
``price_floats``              nobody floats the same way twice running        C.14 to C.17
``price_avoided_bonds``       few meetings within a club, a family or a car   –
``price_club_spread``         opponents from all other clubs, by their sizes  –
``price_distance``            upper half against lower half, in order         D.1
``price_sides``               everybody sits as often on either side          C.10 to C.13
============================  ==============================================  =====================================

FIDE's absolute criteria (C.1 to C.3) are only expensive here, so that every field can be drawn.
``docs/development/draws.md`` lists the property tests of each criterion; ``tests/engine/draws/test_draw_optimality.py``
computes all of them again, from the requirements above.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import permutations, product
from math import lcm
from typing import Any

from engine.draws.bonds import LABEL_KINDS, list_active_bonds, list_avoided_kinds, list_forbidden_kinds
from engine.draws.seating import need_two_tables
from engine.draws.settings import check_setting_names, parse_boolean, parse_choice, parse_names, parse_whole_number
from engine.draws.values import DrawInput
from errors import Refusal

from .fields import PairingField
from .targets import TARGETS

Value = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion: ``value(higher, lower)`` is at least 0 and at most ``maximum``."""

    value: Value
    maximum: int


INDIFFERENT = Criterion(lambda higher, lower: 0, 0)
"""A criterion that costs every pair nothing, for example bonds in a field without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSettings:
    """Settings of an event for its pairings.

    ``criteria`` are in order, most important first. Entrants who share a bond of a kind in ``must_not`` never meet;
    in the first ``apart_rounds`` (None: in all rounds), those who share a bond of a kind in ``avoid`` meet only if
    necessary. Two entrants may meet again after ``rematch_after`` rounds (None: never, if possible). ``target``
    is the preferred opponent among those of the same score. In the first ``accelerated_rounds`` the upper half of
    the starting list has a head start (``acceleration``).
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
    avoid: tuple[str, ...] = LABEL_KINDS
    apart_rounds: int | None = None
    rematch_after: int | None = None
    forfeits_count: bool = True
    mixes_sections: bool = False
    accelerated_rounds: int = 0


def parse_pairing_settings(data: Mapping[str, Any], *, usual: PairingSettings) -> PairingSettings:
    """Return the usual settings changed by these.

    Refuses: no_such_setting, no_such_choice, criterion_twice, not_a_list, not_a_number, number_too_small.
    """
    known_names = [item.name for item in fields(PairingSettings)]
    check_setting_names(data, known_names)
    values = {**{name: getattr(usual, name) for name in known_names}, **data}
    return PairingSettings(
        criteria=_parse_criteria(values),
        target=parse_choice(values, "target", tuple(TARGETS)),
        must_not=parse_names(values, "must_not"),
        avoid=parse_names(values, "avoid"),
        apart_rounds=parse_whole_number(values, "apart_rounds", least=1),
        rematch_after=parse_whole_number(values, "rematch_after", least=1),
        forfeits_count=parse_boolean(values, "forfeits_count"),
        mixes_sections=parse_boolean(values, "mixes_sections"),
        accelerated_rounds=parse_whole_number(values, "accelerated_rounds", least=0) or 0,
    )


def get_pairing_settings(draw_input: DrawInput, *, usual: PairingSettings) -> PairingSettings:
    """Return the settings of a draw, as its version understands them.

    Refuses: what ``parse_pairing_settings`` refuses.
    """
    if draw_input.version == 1:
        usual = replace(usual, criteria=tuple(key for key in usual.criteria if key != "bye_score"))
    return parse_pairing_settings(draw_input.settings, usual=usual)


def _parse_criteria(values: Mapping[str, Any]) -> tuple[str, ...]:
    criteria = parse_names(values, "criteria")
    for key in criteria:
        if key not in CRITERIA:
            raise Refusal("no_such_choice", field="criteria", value=key, choices=tuple(CRITERIA))
    if len(set(criteria)) < len(criteria):
        raise Refusal("criterion_twice", field="criteria")
    return criteria


def price_forbidden_meetings(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price two who must not meet: a bond, another section, or a seat that both need."""
    nobody, entrants = field.bye_position, field.entrants
    bonds = list_active_bonds(entrants, list_forbidden_kinds(settings, field.round), field.round)
    sections = [None if settings.mixes_sections else entrant.section for entrant in entrants]
    maximum = max(map(len, bonds), default=0) + 3

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

    matters = any(bonds) or len(set(sections)) > 1 or _has_seats(field)
    return Criterion(value, maximum) if matters else INDIFFERENT


def price_own_club(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price a table of two from one club; entrants without a club are one club together."""
    clubs, nobody = [field.clubs[entry] for entry in field.ids], field.bye_position
    return Criterion(lambda higher, lower: int(lower != nobody and clubs[higher] == clubs[lower]), 1)


def price_byes(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price another bye for an entry by its earlier byes and missed rounds, squared."""
    idle_counts = [field.history.count_idle_rounds(entry) for entry in field.ids]
    nobody = field.bye_position
    return Criterion(
        lambda higher, lower: idle_counts[higher] ** 2 if lower == nobody else 0, max(idle_counts, default=0) ** 2
    )


def price_repeats(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price earlier meetings, squared, so that unavoidable rematches are spread."""
    position = field.places_by_entry
    repeat_prices: dict[tuple[int, int], int] = {}

    def is_counted(met_round: int) -> bool:
        return settings.rematch_after is None or met_round >= field.round - settings.rematch_after

    for pair, _ in field.history.meetings:
        if all(entry in position for entry in pair):
            one, other = pair
            higher, lower = sorted((position[one], position[other]))
            rounds = field.history.get_rounds_met(one, other)
            repeat_prices[higher, lower] = sum(is_counted(met_round) for met_round in rounds) ** 2
    return Criterion(
        lambda higher, lower: repeat_prices.get((higher, lower), 0), max(repeat_prices.values(), default=0)
    )


def price_bye_score(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price a bye by how much the entry's score is above the lowest in the field."""
    points, nobody = field.scores, field.bye_position
    if not field.is_odd or points[0] == points[-1]:
        return INDIFFERENT
    return Criterion(
        lambda higher, lower: points[higher] - points[-1] if lower == nobody else 0, points[0] - points[-1]
    )


def price_scores(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price the difference of the scores, squared; for a bye its distance from the lowest score, unless a
    criterion of its own prices that."""
    points, nobody = field.scores, field.bye_position
    prices_bye = "bye_score" not in settings.criteria

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return (points[higher] - points[-1]) ** 2 if prices_bye else 0
        return (points[higher] - points[lower]) ** 2

    return Criterion(value, (points[0] - points[-1]) ** 2 if points else 0)


def price_floats(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price entries that floated in the round before, and would again the same way."""
    last_floats = [field.history.get_float(entry, field.round - 1) for entry in field.ids]
    points, nobody = field.scores, field.bye_position

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return last_floats[higher] > 0
        return (last_floats[higher] > 0) + (last_floats[lower] < 0) if points[higher] != points[lower] else 0

    return Criterion(value, 2) if any(last_floats) else INDIFFERENT


def price_avoided_bonds(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price the bonds of two who should not meet if possible."""
    bonds = [*list_active_bonds(field.entrants, list_avoided_kinds(settings, field.round), field.round), frozenset()]
    return Criterion(lambda higher, lower: len(bonds[higher] & bonds[lower]), max(map(len, bonds)))


def price_club_spread(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price how often each of the two has met entries of the other's club, by Webster's method.

    Opponents are spread by the sizes of the clubs: the next table against a club of ``size`` entries costs
    (2 × tables against it + 1) / size. The least total over all rounds is that of the sum of
    tables² / size.
    """
    own_clubs, position, nobody = [field.clubs[entry] for entry in field.ids], field.places_by_entry, field.bye_position
    sizes = Counter(own_clubs)
    common_multiple = lcm(*sizes.values())
    met_counts: Counter[tuple[int, str]] = Counter()
    for pair, times in field.history.meetings:
        for one, other in permutations(pair, 2):
            if one in position and other in field.clubs:
                met_counts[position[one], field.clubs[other]] += times

    def price(place: int, club: str) -> int:
        return (2 * met_counts[place, club] + 1) * common_multiple // sizes[club]

    def value(higher: int, lower: int) -> int:
        return 0 if lower == nobody else price(higher, own_clubs[lower]) + price(lower, own_clubs[higher])

    return Criterion(value, 2 * max((price(*each) for each in product(range(nobody), sizes)), default=0))


def price_distance(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price how far two are from their target opponents, squared."""
    target = TARGETS[settings.target]
    group_at, groups, nobody = field.group_indexes, field.groups, field.bye_position

    def value(higher: int, lower: int) -> int:
        group = groups[group_at[higher]]
        if lower == nobody:
            return (group.stop - 1 - higher) ** 2
        other = groups[group_at[lower]]
        if group is other:
            return target.compute_distance(higher - group.start, lower - group.start, len(group)) ** 2
        return (group.stop - 1 - higher + lower - other.start) ** 2

    return Criterion(value, (2 * len(field.entrants) + 1) ** 2)


def price_sides(field: PairingField, settings: PairingSettings) -> Criterion:
    """Price how unevenly the two will have sat on side A and on side B, after the best seating."""
    lean = [field.history.get_side_balance(entry) for entry in field.ids]
    nobody = field.bye_position

    def value(higher: int, lower: int) -> int:
        if lower == nobody:
            return 0
        low, high = sorted((lean[higher], lean[lower]))
        return (low + 1) ** 2 + (high - 1) ** 2

    return Criterion(value, 2 * (max(map(abs, lean), default=0) + 1) ** 2)


CRITERIA: Mapping[str, Callable[[PairingField, PairingSettings], Criterion]] = {
    "forbidden": price_forbidden_meetings,
    "own_club": price_own_club,
    "byes": price_byes,
    "repeats": price_repeats,
    "bye_score": price_bye_score,
    "scores": price_scores,
    "floats": price_floats,
    "avoid": price_avoided_bonds,
    "clubs": price_club_spread,
    "distance": price_distance,
    "sides": price_sides,
}


def _has_seats(field: PairingField) -> bool:
    return any(entrant.table is not None or entrant.side is not None for entrant in field.entrants)
