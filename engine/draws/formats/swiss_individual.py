"""The Swiss draw of people: partners and opponents by rank, 1 and 4 against 2 and 3 of each score group,
nobody with the same partner, or against the same opponent, twice.

Two matchings, one after the other: people to partners, then partners to tables. Each is an exact optimum over
all its criteria. The two together are not: the first does not look ahead to the second, so that now and then
other partners, equally good, would have led to fewer rematches.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations, product
from random import Random
from typing import Any

from engine.draws.bonds import LABELS, bonds_in_force, kinds_of, never_meet, rather_not
from engine.draws.history import meeting_history
from engine.draws.pairing_cost.blossom import least_matching
from engine.draws.pairing_cost.fields import PairingField, pairing_field
from engine.draws.rounds import UnnumberedTable, drawn_as_planned, to_be_drawn
from engine.draws.schedules.foursomes import (
    ODD,
    byes_in_turn,
    facing,
    fewest_people,
    ids,
    repeats_at,
    slots_of_people,
    split_into_fours,
    table_of_two,
)
from engine.draws.seating import need_two_tables
from engine.draws.settings import boolean, check_setting_names, choice, names, whole_number
from engine.draws.values import Draw, DrawInput, Format, KeepsApart, Reason, ReasonCode
from rules import Side

Pair = tuple[int, int]
Value = Callable[[int, int], int]
"""The cost of matching two, by their places: at least 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndividualSettings:
    """Settings of an individual Swiss draw.

    ``odd`` says what happens to people left over. People who share a bond of a kind in ``must_not`` do not
    sit at one table; of a kind in ``avoid``, only if necessary: in the first ``apart_rounds``, None: in all.
    Of a kind in ``together``: partners if possible.
    """

    odd: str = "bye"
    must_not: tuple[str, ...] = ()
    avoid: tuple[str, ...] = LABELS
    apart_rounds: int | None = None
    together: tuple[str, ...] = ()
    mixes_sections: bool = False
    forfeits_count: bool = True

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "IndividualSettings":
        """Return the usual settings changed by these. Refuses: no_such_setting, no_such_choice, not_a_list,
        not_a_number, number_too_small."""
        usual = {item.name: item.default for item in fields(cls)}
        check_setting_names(plain, usual)
        wanted = {**usual, **plain}
        return cls(
            odd=choice(wanted, "odd", ODD),
            must_not=names(wanted, "must_not"),
            avoid=names(wanted, "avoid"),
            apart_rounds=whole_number(wanted, "apart_rounds", least=1),
            together=names(wanted, "together"),
            mixes_sections=boolean(wanted, "mixes_sections"),
            forfeits_count=boolean(wanted, "forfeits_count"),
        )


def draw_swiss_individual(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = IndividualSettings.of(draw_input.settings)
    history = meeting_history(draw_input, forfeits_count=settings.forfeits_count)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    people = sorted(to_be_drawn(draw_input), key=lambda person: -person.score)
    seats = split_into_fours(people, history, odd=settings.odd, version=draw_input.version)
    field = pairing_field(seats.fours, history, played_round=draw_input.round)
    partners, partner_levels = cheapest_pairs(len(field.entrants), _of_partners(field, settings))
    partners.sort(key=lambda pair: (-_score(field, pair), sum(pair), pair))
    meetings, opponent_levels = cheapest_pairs(len(partners), _of_opponents(field, partners, settings))
    tables = [
        _table(field, (partners[one], partners[other]), settings, chance=chance) for one, other in meetings
    ]
    if seats.two:
        tables.append(table_of_two(seats.two, history=history, chance=chance))
    drawn = drawn_as_planned(
        "swiss_individual", draw_input, (tables, byes_in_turn(seats.out, people, history))
    )
    byes = sum(history.idle_rounds(person.id) ** 2 for person in seats.out)
    return replace(drawn, price={"byes": byes, **partner_levels, **opponent_levels})


def cheapest_pairs(count: int, criteria: Mapping[str, Value]) -> tuple[list[Pair], dict[str, int]]:
    """Match all of ``count`` at the least price; return the pairs and the levels by criterion. Earlier
    criteria decide first."""
    pairs = list(combinations(range(count), 2))
    prices = [0] * len(pairs)
    for value in criteria.values():
        steps = [value(*pair) for pair in pairs]
        # One step of what came before outweighs all that this criterion can add up to.
        unit = 1 + count // 2 * max(steps, default=0)
        prices = [price * unit + step for price, step in zip(prices, steps, strict=True)]
    edges = [(*pair, price) for pair, price in zip(pairs, prices, strict=True)]
    matched = least_matching(count, edges).pairs
    return matched, {key: sum(value(*pair) for pair in matched) for key, value in criteria.items()}


def _of_partners(field: PairingField, settings: IndividualSettings) -> dict[str, Value]:
    """Return the criteria for partners."""
    history, entrants, scores, entries = field.history, field.entrants, field.scores, field.ids
    wanted = frozenset(settings.together)
    must_not = bonds_in_force(entrants, never_meet(settings, field.round) - wanted, field.round)
    avoid = bonds_in_force(entrants, rather_not(settings, field.round) - wanted, field.round)
    together = bonds_in_force(entrants, wanted, field.round)

    def may_not_meet(one: int, other: int) -> int:
        first, second = entrants[one], entrants[other]
        return (
            len(must_not[one] & must_not[other])
            + (not settings.mixes_sections and first.section != second.section)
            + need_two_tables(first, second)
            + ({first.side, second.side} == set(Side))
        )

    return {
        "partner_forbidden": may_not_meet,
        "partner_repeats": lambda one, other: (
            len(history.rounds_partnered(entries[one], entries[other])) ** 2
        ),
        "partner_apart": lambda one, other: len(together[one] ^ together[other]),
        "partner_scores": lambda one, other: (scores[one] - scores[other]) ** 2,
        "partner_avoid": lambda one, other: len(avoid[one] & avoid[other]),
        "partner_distance": lambda one, other: _distance(field, one, other) ** 2,
        "partner_met": lambda one, other: len(history.rounds_met(entries[one], entries[other])) ** 2,
    }


def _distance(field: PairingField, one: int, other: int) -> int:
    """Return the distance of two from being 1 and 4, or 2 and 3, of one four in their score group. Of two
    groups, the last of the upper one should partner the first of the lower one."""
    group, below = field.groups[field.group_at[one]], field.groups[field.group_at[other]]
    if group is not below:
        return group.stop - 1 - one + other - below.start
    (four, place), (other_four, other_place) = divmod(one - group.start, 4), divmod(other - group.start, 4)
    if four != other_four:
        return 4 * (other_four - four)
    return abs(place + other_place - 3)


def _of_opponents(
    field: PairingField, partners: list[Pair], settings: IndividualSettings
) -> dict[str, Value]:
    """Return the criteria for two partnerships that meet."""
    history, entries = field.history, field.ids
    must_not = bonds_in_force(field.entrants, never_meet(settings, field.round), field.round)
    avoid = bonds_in_force(field.entrants, rather_not(settings, field.round), field.round)
    score = [_score(field, pair) for pair in partners]
    lean = [sum(history.lean(entries[place]) for place in pair) for pair in partners]

    def over_the_table(value: Value) -> Value:
        return lambda one, other: sum(value(*two) for two in product(partners[one], partners[other]))

    def may_not_meet(one: int, other: int) -> int:
        first, second = field.entrants[one], field.entrants[other]
        return (
            len(must_not[one] & must_not[other])
            + (not settings.mixes_sections and first.section != second.section)
            + need_two_tables(first, second)
            + (first.side is not None and first.side is second.side)
        )

    def sides(one: int, other: int) -> int:
        low, high = sorted((lean[one], lean[other]))
        return (low + 2) ** 2 + (high - 2) ** 2

    return {
        "opponent_forbidden": over_the_table(may_not_meet),
        "opponent_repeats": over_the_table(
            lambda one, other: len(history.rounds_met(entries[one], entries[other])) ** 2
        ),
        "opponent_scores": lambda one, other: (score[one] - score[other]) ** 2,
        "opponent_avoid": over_the_table(lambda one, other: len(avoid[one] & avoid[other])),
        "opponent_distance": lambda one, other: (sum(partners[one]) - sum(partners[other])) ** 2,
        "opponent_sides": sides,
    }


def _score(field: PairingField, pair: Pair) -> int:
    return sum(field.scores[place] for place in pair)


def _table(
    field: PairingField, meeting: tuple[Pair, Pair], settings: IndividualSettings, *, chance: Random
) -> UnnumberedTable:
    one, other = ([field.entrants[place] for place in pair] for pair in meeting)
    a, b = (ids(side) for side in facing(one, other, history=field.history, chance=chance))
    reasons = [_reason_of_places(field, meeting), *repeats_at((a, b), field.history)]
    kinds = never_meet(settings, field.round) | rather_not(settings, field.round)
    bonds = bonds_in_force([*one, *other], kinds, field.round)
    if shared := [bond for two, three in combinations(bonds, 2) for bond in two & three]:
        details = {"bonds": len(shared), "kinds": kinds_of(shared)}
        reasons.append(Reason(code=ReasonCode.BOND_SHARED, details=details))
    return UnnumberedTable(a=a, b=b, reasons=tuple(reasons))


def _reason_of_places(field: PairingField, meeting: tuple[Pair, Pair]) -> Reason:
    places = sorted((*meeting[0], *meeting[1]))
    scores = tuple(field.scores[place] for place in places)
    group = field.groups[field.group_at[places[0]]]
    if places[-1] not in group:
        return Reason(code=ReasonCode.FLOATED, details={"scores": scores})
    in_group = tuple(place - group.start + 1 for place in places)
    details = {"score": scores[0], "places": in_group, "size": len(group)}
    return Reason(code=ReasonCode.SCORE_GROUP, details=details)


FORMAT = Format(
    key="swiss_individual",
    draw=draw_swiss_individual,
    slots_ahead=lambda ahead: slots_of_people(ahead, odd=IndividualSettings.of(ahead.settings).odd),
    check=IndividualSettings.of,
    side=2,
    fewest=fewest_people,
    keeps_apart=KeepsApart.EACH_ROUND,
    separates_sections=True,
)
