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

from engine.draws.bonds import LABEL_KINDS, list_active_bonds, list_avoided_kinds, list_bond_kinds, list_forbidden_kinds
from engine.draws.history import build_history
from engine.draws.pairing_cost.blossom import find_min_cost_matching
from engine.draws.pairing_cost.fields import PairingField, build_pairing_field
from engine.draws.rounds import UnnumberedTable, build_draw, list_drawable_entrants
from engine.draws.schedules.foursomes import (
    ODD_CHOICES,
    assign_sides,
    build_turn_byes,
    build_two_player_table,
    get_fewest_people,
    get_people_slots,
    list_ids,
    list_repeat_reasons,
    split_into_fours,
)
from engine.draws.seating import need_two_tables
from engine.draws.settings import check_setting_names, parse_boolean, parse_choice, parse_names, parse_whole_number
from engine.draws.values import Draw, DrawInput, Format, Reason, ReasonCode, SeparationTiming
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
    avoid: tuple[str, ...] = LABEL_KINDS
    apart_rounds: int | None = None
    together: tuple[str, ...] = ()
    mixes_sections: bool = False
    forfeits_count: bool = True

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "IndividualSettings":
        """Return the usual settings changed by these. Refuses: no_such_setting, no_such_choice, not_a_list,
        not_a_number, number_too_small."""
        usual = {item.name: item.default for item in fields(cls)}
        check_setting_names(data, usual)
        values = {**usual, **data}
        return cls(
            odd=parse_choice(values, "odd", ODD_CHOICES),
            must_not=parse_names(values, "must_not"),
            avoid=parse_names(values, "avoid"),
            apart_rounds=parse_whole_number(values, "apart_rounds", least=1),
            together=parse_names(values, "together"),
            mixes_sections=parse_boolean(values, "mixes_sections"),
            forfeits_count=parse_boolean(values, "forfeits_count"),
        )


def draw_swiss_individual(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = IndividualSettings.parse(draw_input.settings)
    history = build_history(draw_input, forfeits_count=settings.forfeits_count)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    people = sorted(list_drawable_entrants(draw_input), key=lambda person: -person.score)
    seats = split_into_fours(people, history, odd=settings.odd, version=draw_input.version)
    field = build_pairing_field(seats.fours, history, played_round=draw_input.round)
    partners, partner_levels = find_cheapest_pairs(len(field.entrants), _build_partner_criteria(field, settings))
    partners.sort(key=lambda pair: (-_sum_scores(field, pair), sum(pair), pair))
    meetings, opponent_levels = find_cheapest_pairs(len(partners), _build_opponent_criteria(field, partners, settings))
    tables = [_build_table(field, (partners[one], partners[other]), settings, chance=chance) for one, other in meetings]
    if seats.two:
        tables.append(build_two_player_table(seats.two, history=history, chance=chance))
    drawn = build_draw("swiss_individual", draw_input, (tables, build_turn_byes(seats.idle, people, history)))
    byes = sum(history.count_idle_rounds(person.id) ** 2 for person in seats.idle)
    return replace(drawn, price={"byes": byes, **partner_levels, **opponent_levels})


def find_cheapest_pairs(count: int, criteria: Mapping[str, Value]) -> tuple[list[Pair], dict[str, int]]:
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
    matched = find_min_cost_matching(count, edges).pairs
    return matched, {key: sum(value(*pair) for pair in matched) for key, value in criteria.items()}


def _build_partner_criteria(field: PairingField, settings: IndividualSettings) -> dict[str, Value]:
    """Return the criteria for partners."""
    history, entrants, scores, entries = field.history, field.entrants, field.scores, field.ids
    together_kinds = frozenset(settings.together)
    must_not = list_active_bonds(entrants, list_forbidden_kinds(settings, field.round) - together_kinds, field.round)
    avoid = list_active_bonds(entrants, list_avoided_kinds(settings, field.round) - together_kinds, field.round)
    together = list_active_bonds(entrants, together_kinds, field.round)

    def count_conflicts(one: int, other: int) -> int:
        first, second = entrants[one], entrants[other]
        return (
            len(must_not[one] & must_not[other])
            + (not settings.mixes_sections and first.section != second.section)
            + need_two_tables(first, second)
            + ({first.side, second.side} == set(Side))
        )

    return {
        "partner_forbidden": count_conflicts,
        "partner_repeats": lambda one, other: len(history.get_rounds_partnered(entries[one], entries[other])) ** 2,
        "partner_apart": lambda one, other: len(together[one] ^ together[other]),
        "partner_scores": lambda one, other: (scores[one] - scores[other]) ** 2,
        "partner_avoid": lambda one, other: len(avoid[one] & avoid[other]),
        "partner_distance": lambda one, other: _compute_distance(field, one, other) ** 2,
        "partner_met": lambda one, other: len(history.get_rounds_met(entries[one], entries[other])) ** 2,
    }


def _compute_distance(field: PairingField, one: int, other: int) -> int:
    """Return the distance of two from being 1 and 4, or 2 and 3, of one four in their score group. Of two
    groups, the last of the upper one should partner the first of the lower one."""
    group, below = field.groups[field.group_indexes[one]], field.groups[field.group_indexes[other]]
    if group is not below:
        return group.stop - 1 - one + other - below.start
    (four, place), (other_four, other_place) = divmod(one - group.start, 4), divmod(other - group.start, 4)
    if four != other_four:
        return 4 * (other_four - four)
    return abs(place + other_place - 3)


def _build_opponent_criteria(
    field: PairingField, partners: list[Pair], settings: IndividualSettings
) -> dict[str, Value]:
    """Return the criteria for two partnerships that meet."""
    history, entries = field.history, field.ids
    must_not = list_active_bonds(field.entrants, list_forbidden_kinds(settings, field.round), field.round)
    avoid = list_active_bonds(field.entrants, list_avoided_kinds(settings, field.round), field.round)
    score = [_sum_scores(field, pair) for pair in partners]
    lean = [sum(history.get_side_balance(entries[place]) for place in pair) for pair in partners]

    def sum_over_table(value: Value) -> Value:
        return lambda one, other: sum(value(*two) for two in product(partners[one], partners[other]))

    def count_conflicts(one: int, other: int) -> int:
        first, second = field.entrants[one], field.entrants[other]
        return (
            len(must_not[one] & must_not[other])
            + (not settings.mixes_sections and first.section != second.section)
            + need_two_tables(first, second)
            + (first.side is not None and first.side is second.side)
        )

    def compute_side_price(one: int, other: int) -> int:
        low, high = sorted((lean[one], lean[other]))
        return (low + 2) ** 2 + (high - 2) ** 2

    return {
        "opponent_forbidden": sum_over_table(count_conflicts),
        "opponent_repeats": sum_over_table(
            lambda one, other: len(history.get_rounds_met(entries[one], entries[other])) ** 2
        ),
        "opponent_scores": lambda one, other: (score[one] - score[other]) ** 2,
        "opponent_avoid": sum_over_table(lambda one, other: len(avoid[one] & avoid[other])),
        "opponent_distance": lambda one, other: (sum(partners[one]) - sum(partners[other])) ** 2,
        "opponent_sides": compute_side_price,
    }


def _sum_scores(field: PairingField, pair: Pair) -> int:
    return sum(field.scores[place] for place in pair)


def _build_table(
    field: PairingField, meeting: tuple[Pair, Pair], settings: IndividualSettings, *, chance: Random
) -> UnnumberedTable:
    one, other = ([field.entrants[place] for place in pair] for pair in meeting)
    a, b = (list_ids(side) for side in assign_sides(one, other, history=field.history, chance=chance))
    reasons = [_explain_places(field, meeting), *list_repeat_reasons((a, b), field.history)]
    kinds = list_forbidden_kinds(settings, field.round) | list_avoided_kinds(settings, field.round)
    bonds = list_active_bonds([*one, *other], kinds, field.round)
    if shared := [bond for two, three in combinations(bonds, 2) for bond in two & three]:
        details = {"bonds": len(shared), "kinds": list_bond_kinds(shared)}
        reasons.append(Reason(code=ReasonCode.BOND_SHARED, details=details))
    return UnnumberedTable(a=a, b=b, reasons=tuple(reasons))


def _explain_places(field: PairingField, meeting: tuple[Pair, Pair]) -> Reason:
    places = sorted((*meeting[0], *meeting[1]))
    scores = tuple(field.scores[place] for place in places)
    group = field.groups[field.group_indexes[places[0]]]
    if places[-1] not in group:
        return Reason(code=ReasonCode.FLOATED, details={"scores": scores})
    group_places = tuple(place - group.start + 1 for place in places)
    details = {"score": scores[0], "places": group_places, "size": len(group)}
    return Reason(code=ReasonCode.SCORE_GROUP, details=details)


FORMAT = Format(
    key="swiss_individual",
    draw=draw_swiss_individual,
    next_slots=lambda ahead: get_people_slots(ahead, odd=IndividualSettings.parse(ahead.settings).odd),
    check=IndividualSettings.parse,
    side=2,
    min_entrants=get_fewest_people,
    separation=SeparationTiming.EACH_ROUND,
    separates_sections=True,
)
