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

from engine.draws.history import History, meeting_history
from engine.draws.pairing_cost.blossom import least_matching
from engine.draws.rounds import Plan, UnnumberedTable, by_number, bye_in_turn, drawn_as_planned, to_be_drawn
from engine.draws.schedules.foursomes import (
    LEFT_OVER_SINCE,
    ODD,
    TABLE_FOR_TWO,
    facing,
    fewest_people,
    ids,
    slots_of_people,
    turn_to_play_alone,
    turn_to_sit_out,
)
from engine.draws.schedules.rotation_tables import Rotation, all_meet_once, whist
from engine.draws.seating import need_two_tables
from engine.draws.settings import MIXES, boolean, check_setting_names, choice, whole_number
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
    def of(cls, plain: Mapping[str, Any]) -> "RotationSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small."""
        check_setting_names(plain, ("rounds", "odd", MIXES))
        boolean(plain, MIXES)
        return cls(
            rounds=whole_number(plain, "rounds", least=1),
            odd=choice(plain, "odd", ODD),
        )


def design(people: int, settings: RotationSettings) -> Rotation | None:
    """Return the design for this many people and rounds; None if there is none, or if matchings are better.

    A few rounds of a whist tournament are less even than matchings, most of its rounds are more even: for 13
    to 28 people the break-even is between two fifths and three quarters of it, for fewer people the
    difference is small.
    """
    short, whole, rounds = all_meet_once(people), whist(people), settings.rounds
    if rounds is not None and short is not None and rounds <= short.rounds:
        return short
    if whole is None or rounds is None or people <= 12 or 3 * rounds >= 2 * whole.rounds:
        return whole
    return None


def draw_rotation(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = RotationSettings.of(draw_input.settings)
    people = by_number(to_be_drawn(draw_input))
    history = meeting_history(draw_input)
    rotation = design(len(people), settings)
    if rotation is not None and _is_followed(rotation, people, draw_input):
        plan = _by_design(rotation, people, draw_input, history)
    else:
        plan = _by_matching(people, draw_input, history, settings)
    return drawn_as_planned("rotation", draw_input, plan)


def rotation_rounds(count: int, settings: Mapping[str, Any]) -> int | None:
    """Return the number of rounds; None without a limit. Refuses: what the settings refuse."""
    wanted = RotationSettings.of(settings)
    rotation = design(count, wanted)
    return rotation.rounds if wanted.rounds is None and rotation is not None else wanted.rounds


# By design


def _is_followed(rotation: Rotation, people: Sequence[Entrant], draw_input: DrawInput) -> bool:
    """Return whether all played tables are of this rotation, and it has a round for now."""
    ids = [entrant.id for entrant in people]
    by_round = {
        number: {
            frozenset((frozenset((ids[a], ids[b])), frozenset((ids[c], ids[d]))))
            for a, b, c, d in rotation.tables(number)
        }
        for number in {played.round for played in draw_input.history if played.b}
    }
    return draw_input.round <= rotation.rounds and all(
        frozenset((frozenset(played.a), frozenset(played.b))) in by_round[played.round]
        for played in draw_input.history
        if played.b
    )


def _by_design(
    rotation: Rotation, people: Sequence[Entrant], draw_input: DrawInput, history: History
) -> Plan:
    reasons = (Reason(code=ReasonCode.SCHEDULED, details={"round": draw_input.round}),)
    fours = rotation.tables(draw_input.round)
    tables = [
        _seat_tables((people[a], people[b]), (people[c], people[d]), draw_input, history, reasons)
        for a, b, c, d in fours
    ]
    playing = {place for four in fours for place in four}
    byes = [
        DrawnBye(entry=person.id, reasons=reasons)
        for place, person in enumerate(people)
        if place not in playing
    ]
    return tables, byes


# By two matchings


def _by_matching(
    people: Sequence[Entrant], draw_input: DrawInput, history: History, settings: RotationSettings
) -> Plan:
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    lots = sorted(people, key=lambda _: chance.random())
    sitting, two, playing = _who_plays(lots, draw_input, history, settings)
    tables = [
        _seat_tables(one, other, draw_input, history, _balance(one, other, history))
        for one, other in _tables(_couples(playing, history), history)
    ]
    if two:
        reasons = (Reason(code=ReasonCode.TWO_LEFT),)
        tables.append(_seat_tables(two[:1], two[1:], draw_input, history, reasons))
    return tables, [
        bye_in_turn(person, (*two, *playing), history, are_people=True) for person in by_number(sitting)
    ]


def _who_plays(
    lots: Sequence[Entrant], draw_input: DrawInput, history: History, settings: RotationSettings
) -> tuple[Couple, Couple, Couple]:
    """Return the people who sit out, those at the table for two, and those at tables of four."""
    over = len(lots) % 4
    at_two = 2 if over >= 2 and settings.odd == TABLE_FOR_TWO else 0
    version = draw_input.version
    sits_out = turn_to_sit_out(history, odd=settings.odd, version=version)
    plays_alone = turn_to_play_alone(history, version=LEFT_OVER_SINCE)  # as this format always has
    in_turn = sorted(lots, key=lambda person: (*sits_out(person.id), history.duels(person.id)))
    sitting, rest = in_turn[: over - at_two], in_turn[over - at_two :]
    rest.sort(key=lambda person: plays_alone(person.id))
    left = {person.id for person in (*sitting, *rest[:at_two])}
    return tuple(sitting), tuple(rest[:at_two]), tuple(person for person in lots if person.id not in left)


def _couples(people: Sequence[Entrant], history: History) -> list[Couple]:
    """Pair partners who have been partners least often."""
    partnered = {
        (at, place): len(history.rounds_partnered(people[at].id, people[place].id))
        for at, place in combinations(range(len(people)), 2)
    }
    clash = 1 + len(people) * max(partnered.values(), default=0) ** 2
    edges = (
        (at, place, clash * need_two_tables(people[at], people[place]) + times**2)
        for (at, place), times in partnered.items()
    )
    return [(people[one], people[other]) for one, other in least_matching(len(people), edges).pairs]


def _tables(couples: Sequence[Couple], history: History) -> list[tuple[Couple, Couple]]:
    """Pair couples whose people have been opponents least often."""
    costs = {
        (at, place): sum(len(history.rounds_met(one.id, other.id)) ** 2 for one, other in product(*both))
        for (at, one_side), (place, other_side) in combinations(enumerate(couples), 2)
        for both in [(one_side, other_side)]
    }
    clash = 1 + len(couples) * max(costs.values(), default=0)
    edges = (
        (
            *pair,
            cost + clash * any(need_two_tables(*two) for two in product(couples[pair[0]], couples[pair[1]])),
        )
        for pair, cost in costs.items()
    )
    return [(couples[one], couples[other]) for one, other in least_matching(len(couples), edges).pairs]


def _balance(one: Couple, other: Couple, history: History) -> tuple[Reason, ...]:
    partners = tuple(len(history.rounds_partnered(*(person.id for person in side))) for side in (one, other))
    opponents = sum(len(history.rounds_met(a.id, b.id)) for a, b in product(one, other))
    return (Reason(code=ReasonCode.BALANCED, details={"partners": partners, "opponents": opponents}),)


def _seat_tables(
    one: Couple, other: Couple, draw_input: DrawInput, history: History, reasons: tuple[Reason, ...]
) -> UnnumberedTable:
    chance = Random(f"{draw_input.seed}/{one[0].number}/{other[0].number}")  # noqa: S311
    a, b = (ids(side) for side in facing(one, other, history=history, chance=chance))
    return UnnumberedTable(a=a, b=b, reasons=reasons)


FORMAT = Format(
    key="rotation",
    draw=draw_rotation,
    slots_ahead=lambda ahead: slots_of_people(ahead, odd=RotationSettings.of(ahead.settings).odd),
    check=RotationSettings.of,
    rounds=rotation_rounds,
    side=2,
    fewest=fewest_people,
    separates_sections=True,
)
