"""A rotation of individuals: new partners each round, and opponents as evenly as possible.

If a design is known (``rotation_tables``) and everybody it was made for is present, it is followed: over all
its rounds everybody partners everybody once and opposes everybody twice, or, in the short ones, each two
share a table once. For other numbers, for fewer rounds, and from the round on in which somebody came, left or
stayed away, each round is two matchings: people to pairs so that partners repeat as little as possible, then
pairs to tables so that opponents do. That is the best next round, not always the best way to the end.

Surplus people sit out, those who have done so least often first; of two or three, two may have a table of
their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Any

from engine.draws.history import History, build_history
from engine.draws.pairing_cost.blossom import find_min_cost_matching
from engine.draws.rounds import (
    Plan,
    UnnumberedTable,
    build_draw,
    build_turn_bye,
    list_drawable_entrants,
    sort_by_number,
)
from engine.draws.schedules.foursomes import (
    LEFT_OVER_VERSION,
    ODD_CHOICES,
    TABLE_FOR_TWO,
    assign_sides,
    get_bye_turns,
    get_duel_turns,
    get_fewest_people,
    get_people_slots,
    list_ids,
)
from engine.draws.schedules.rotation_tables import Rotation, find_meet_once_rotation, find_whist_rotation
from engine.draws.seating import need_two_tables
from engine.draws.settings import MIXES, check_setting_names, parse_boolean, parse_choice, parse_whole_number
from engine.draws.values import Draw, DrawInput, DrawnBye, Entrant, Format, Reason, ReasonCode

Couple = tuple[Entrant, ...]
"""The people on one side: partners, or one alone at a table for two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationSettings:
    """Settings of a rotation. ``rounds`` to be played, None: all of the design. ``odd``: what two people
    without a table of four do: a bye each, or a two-player table."""

    rounds: int | None = None
    odd: str = "bye"

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "RotationSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small."""
        check_setting_names(data, ("rounds", "odd", MIXES))
        parse_boolean(data, MIXES)
        return cls(
            rounds=parse_whole_number(data, "rounds", least=1),
            odd=parse_choice(data, "odd", ODD_CHOICES),
        )


def find_design(people: int, settings: RotationSettings) -> Rotation | None:
    """Return the design for this many people and rounds; None if there is none, or if matchings are better.

    A few rounds of a whist tournament are less even than matchings, most of its rounds are more even: for 13
    to 28 people the break-even is between two fifths and three quarters of it, for fewer people the
    difference is small.
    """
    short_rotation, full_rotation, rounds = (
        find_meet_once_rotation(people),
        find_whist_rotation(people),
        settings.rounds,
    )
    if rounds is not None and short_rotation is not None and rounds <= short_rotation.rounds:
        return short_rotation
    if full_rotation is None or rounds is None or people <= 12 or 3 * rounds >= 2 * full_rotation.rounds:
        return full_rotation
    return None


def draw_rotation(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = RotationSettings.parse(draw_input.settings)
    people = sort_by_number(list_drawable_entrants(draw_input))
    history = build_history(draw_input)
    rotation = find_design(len(people), settings)
    if rotation is not None and _is_followed(rotation, people, draw_input):
        plan = _plan_by_design(rotation, people, draw_input, history)
    else:
        plan = _plan_by_matching(people, draw_input, history, settings)
    return build_draw("rotation", draw_input, plan)


def count_rotation_rounds(count: int, settings: Mapping[str, Any]) -> int | None:
    """Return the number of rounds; None without a limit. Refuses: what the settings refuse."""
    rotation_settings = RotationSettings.parse(settings)
    rotation = find_design(count, rotation_settings)
    return rotation.rounds if rotation_settings.rounds is None and rotation is not None else rotation_settings.rounds


# By design


def _is_followed(rotation: Rotation, people: Sequence[Entrant], draw_input: DrawInput) -> bool:
    """Return whether all played tables are of this rotation, and it has a round for now."""
    ids = [entrant.id for entrant in people]
    by_round = {
        number: {
            frozenset((frozenset((ids[a], ids[b])), frozenset((ids[c], ids[d]))))
            for a, b, c, d in rotation.build_tables(number)
        }
        for number in {played.round for played in draw_input.history if played.b}
    }
    return draw_input.round <= rotation.rounds and all(
        frozenset((frozenset(played.a), frozenset(played.b))) in by_round[played.round]
        for played in draw_input.history
        if played.b
    )


def _plan_by_design(rotation: Rotation, people: Sequence[Entrant], draw_input: DrawInput, history: History) -> Plan:
    reasons = (Reason(code=ReasonCode.SCHEDULED, details={"round": draw_input.round}),)
    fours = rotation.build_tables(draw_input.round)
    tables = [
        _seat_tables((people[a], people[b]), (people[c], people[d]), draw_input, history, reasons)
        for a, b, c, d in fours
    ]
    playing = {place for four in fours for place in four}
    byes = [DrawnBye(entry=person.id, reasons=reasons) for place, person in enumerate(people) if place not in playing]
    return tables, byes


# By two matchings


def _plan_by_matching(
    people: Sequence[Entrant], draw_input: DrawInput, history: History, settings: RotationSettings
) -> Plan:
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    lots = sorted(people, key=lambda _: chance.random())
    idle_people, two, playing = _split_people(lots, draw_input, history, settings)
    tables = [
        _seat_tables(one, other, draw_input, history, _explain_balance(one, other, history))
        for one, other in _pair_couples(_pair_partners(playing, history), history)
    ]
    if two:
        reasons = (Reason(code=ReasonCode.TWO_LEFT),)
        tables.append(_seat_tables(two[:1], two[1:], draw_input, history, reasons))
    return tables, [
        build_turn_bye(person, (*two, *playing), history, is_individual=True) for person in sort_by_number(idle_people)
    ]


def _split_people(
    lots: Sequence[Entrant], draw_input: DrawInput, history: History, settings: RotationSettings
) -> tuple[Couple, Couple, Couple]:
    """Return the people who sit out, those at the table for two, and those at tables of four."""
    surplus = len(lots) % 4
    two_count = 2 if surplus >= 2 and settings.odd == TABLE_FOR_TWO else 0
    version = draw_input.version
    sits_out = get_bye_turns(history, odd=settings.odd, version=version)
    plays_alone = get_duel_turns(history, version=LEFT_OVER_VERSION)  # as this format always has
    ordered = sorted(lots, key=lambda person: (*sits_out(person.id), history.count_duels(person.id)))
    idle_people, rest = ordered[: surplus - two_count], ordered[surplus - two_count :]
    rest.sort(key=lambda person: plays_alone(person.id))
    unseated = {person.id for person in (*idle_people, *rest[:two_count])}
    return tuple(idle_people), tuple(rest[:two_count]), tuple(person for person in lots if person.id not in unseated)


def _pair_partners(people: Sequence[Entrant], history: History) -> list[Couple]:
    """Pair partners who have been partners least often."""
    partnered = {
        (index, place): len(history.get_rounds_partnered(people[index].id, people[place].id))
        for index, place in combinations(range(len(people)), 2)
    }
    clash = 1 + len(people) * max(partnered.values(), default=0) ** 2
    edges = (
        (index, place, clash * need_two_tables(people[index], people[place]) + times**2)
        for (index, place), times in partnered.items()
    )
    return [(people[one], people[other]) for one, other in find_min_cost_matching(len(people), edges).pairs]


def _pair_couples(couples: Sequence[Couple], history: History) -> list[tuple[Couple, Couple]]:
    """Pair couples whose people have been opponents least often."""
    costs = {
        (index, place): sum(len(history.get_rounds_met(one.id, other.id)) ** 2 for one, other in product(*couple_pair))
        for (index, one_side), (place, other_side) in combinations(enumerate(couples), 2)
        for couple_pair in [(one_side, other_side)]
    }
    clash = 1 + len(couples) * max(costs.values(), default=0)
    edges = (
        (
            *pair,
            cost + clash * any(need_two_tables(*two) for two in product(couples[pair[0]], couples[pair[1]])),
        )
        for pair, cost in costs.items()
    )
    return [(couples[one], couples[other]) for one, other in find_min_cost_matching(len(couples), edges).pairs]


def _explain_balance(one: Couple, other: Couple, history: History) -> tuple[Reason, ...]:
    partners = tuple(len(history.get_rounds_partnered(*(person.id for person in side))) for side in (one, other))
    opponents = sum(len(history.get_rounds_met(a.id, b.id)) for a, b in product(one, other))
    return (Reason(code=ReasonCode.BALANCED, details={"partners": partners, "opponents": opponents}),)


def _seat_tables(
    one: Couple, other: Couple, draw_input: DrawInput, history: History, reasons: tuple[Reason, ...]
) -> UnnumberedTable:
    chance = Random(f"{draw_input.seed}/{one[0].number}/{other[0].number}")  # noqa: S311
    a, b = (list_ids(side) for side in assign_sides(one, other, history=history, chance=chance))
    return UnnumberedTable(a=a, b=b, reasons=reasons)


FORMAT = Format(
    key="rotation",
    draw=draw_rotation,
    next_slots=lambda ahead: get_people_slots(ahead, odd=RotationSettings.parse(ahead.settings).odd),
    check=RotationSettings.parse,
    rounds=count_rotation_rounds,
    side=2,
    min_entrants=get_fewest_people,
    separates_sections=True,
)
