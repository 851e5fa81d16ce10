"""Club against club over several tables.

Entries belong to the club of their bond. Two clubs play the Scheveningen system: every entry of one meets
every entry of the other, in round n the first of one the nth of the other, and sides change each round. More
clubs play a round robin of clubs, and in each meeting of two clubs their entries meet once, in the order of
their numbers. Either can be chosen for any number of clubs.

If one club has more entries than the other, its entries take byes in turn. Entries without a club count as
one club.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from engine.draws.bonds import club_of
from engine.draws.history import History, meeting_history
from engine.draws.rounds import Plan, UnnumberedTable, by_number, byes_asked, drawn_as_planned, to_be_drawn
from engine.draws.schedules.scheduled import (
    Meeting,
    Schedule,
    in_their_seats,
    least_left_out,
    plan_of,
    slots_of_schedules,
)
from engine.draws.settings import check_setting_names, choice
from engine.draws.values import (
    Draw,
    DrawInput,
    DrawnBye,
    Entrant,
    EntryId,
    Format,
    PlayedPairing,
    Reason,
    ReasonCode,
)

from .round_robin import berger_table, round_robin

Club = tuple[EntryId, ...]
"""The entries of a club in the order of their numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterclubSettings:
    """Settings of an interclub. ``meet``: everyone, by_order; usual: everyone if there are two clubs."""

    meet: str = "usual"

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "InterclubSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice."""
        check_setting_names(plain, ("meet",))
        return cls(meet=choice(plain, "meet", ("usual", "everyone", "by_order")))

    def everyone(self, clubs: int) -> bool:
        return self.meet == "everyone" or (self.meet == "usual" and clubs <= 2)


def clubs_in_order(entrants: Sequence[Entrant]) -> dict[str, Club]:
    """Return the clubs in the order of their lowest numbers; "" for entries without a club."""
    clubs: dict[str, list[EntryId]] = {}
    for entrant in by_number(entrants):
        clubs.setdefault(club_of(entrant), []).append(entrant.id)
    return {name: tuple(entries) for name, entries in clubs.items()}


def scheveningen(one: Club, other: Club) -> Iterator[tuple[Meeting, ...]]:
    """Yield the rounds in which every entry of one club meets every entry of the other; byes for surplus
    entries."""
    size = max(len(one), len(other))
    for turn in range(size):
        yield tuple(
            meeting
            for place in range(size)
            for meeting in _meeting(_at(one, place), _at(other, (place + turn) % size), turned=turn % 2 == 1)
        )


def draw_interclub(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = InterclubSettings.of(draw_input.settings)
    clubs = clubs_in_order(draw_input.entrants)
    if settings.everyone(len(clubs)):
        plan = plan_of(_everyone(list(clubs.values())), draw_input)
    else:
        plan = _by_order(clubs, draw_input)
    return drawn_as_planned("interclub", draw_input, plan)


def interclub_slots(draw_input: DrawInput) -> frozenset[str] | None:
    """Return the slots ahead. Refuses: what the settings refuse."""
    clubs = clubs_in_order(draw_input.entrants)
    if InterclubSettings.of(draw_input.settings).everyone(len(clubs)):
        return slots_of_schedules([_everyone(list(clubs.values()))], draw_input)
    meetings, club_byes, line_up = _clubs_ahead(clubs, draw_input)
    history = meeting_history(draw_input)
    for meeting in meetings:
        both = _even(line_up[meeting.a[0]], line_up[meeting.b[0]], history)
        if any(not history.rounds_met(*pair) for pair in product(*both)):
            return frozenset({""})
    sits_out = meetings or byes_asked(draw_input) or any(line_up[bye.entry] for bye in club_byes)
    return frozenset() if sits_out else None


def _at(club: Club, place: int) -> EntryId | None:
    return club[place] if place < len(club) else None


def _meeting(one: EntryId | None, other: EntryId | None, *, turned: bool) -> Iterator[Meeting]:
    first, second = (other, one) if turned else (one, other)
    if first is not None:
        yield first, second
    elif second is not None:
        yield second, None


def _everyone(clubs: Sequence[Club]) -> Schedule:
    """Return a schedule in which each meeting of two clubs lasts as long as the longest of its round; entries
    that finish earlier then sit out."""
    return Schedule(
        rounds=tuple(
            meetings
            for pairs in berger_table(len(clubs))
            for meetings in _together([(clubs[a - 1], () if b is None else clubs[b - 1]) for a, b in pairs])
        )
    )


def _together(pairs: Sequence[tuple[Club, Club]]) -> Iterator[tuple[Meeting, ...]]:
    """Yield the rounds of these simultaneous meetings of clubs; where one side of a pair is empty, all of it
    sit out."""
    parts = [tuple(scheveningen(*pair)) if all(pair) else () for pair in pairs]
    for turn in range(max(map(len, parts))):
        yield tuple(
            meeting
            for part, pair in zip(parts, pairs, strict=True)
            for meeting in (part[turn] if turn < len(part) else ((entry, None) for entry in sum(pair, ())))
        )


# Clubs by order: a round robin whose entrants are the clubs


def _by_order(clubs: Mapping[str, Club], draw_input: DrawInput) -> Plan:
    names = list(clubs)
    meetings, club_byes, line_up = _clubs_ahead(clubs, draw_input)
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    history = meeting_history(draw_input)
    tables: list[UnnumberedTable] = []
    byes: list[DrawnBye] = []
    for meeting in meetings:
        one, other = meeting.a[0], meeting.b[0]
        both = _even(line_up[one], line_up[other], history)
        details = {"round": draw_input.round, "clubs": (names[one], names[other])}
        reason = Reason(code=meeting.reasons[0].code, details=details)
        pairs, parted = _in_order(*both, history)
        for pair in pairs:
            a, b = in_their_seats(*(entrants[entry] for entry in pair))
            tables.append(UnnumberedTable(a=a, b=b, reasons=(reason,)))
        over = [entry for entry in (*line_up[one], *line_up[other]) if entry not in {*both[0], *both[1]}]
        byes += [_over(entry, history) for entry in over]
        byes += [DrawnBye(entry=e, reasons=(Reason(code=ReasonCode.NO_OPPONENT_LEFT),)) for e in parted]
    for bye in club_byes:
        (because,) = bye.reasons
        club = {"club": names[because.details["entry"]]} if "entry" in because.details else {}
        reason = Reason(code=because.code, details={"round": draw_input.round, **club})
        byes += [DrawnBye(entry=entry, reasons=(reason,)) for entry in line_up[bye.entry]]
    return tables, byes


def _clubs_ahead(
    clubs: Mapping[str, Club], draw_input: DrawInput
) -> tuple[list[UnnumberedTable], list[DrawnBye], list[list[EntryId]]]:
    """Return the clubs that meet, those that sit out, by their places, and the present entries of each
    club."""
    field = _field_of_clubs(clubs, draw_input)
    schedule = round_robin([entrant.id for entrant in field.entrants], legs=1)
    here = {entrant.id for entrant in to_be_drawn(draw_input)}
    line_up = [[entry for entry in club if entry in here] for club in clubs.values()]
    return (*plan_of(schedule, field), line_up)


def _over(entry: EntryId, history: History) -> DrawnBye:
    """Return the bye of an entry for whom the other club has too few."""
    details = {"rounds": history.byes(entry)}
    return DrawnBye(entry=entry, reasons=(Reason(code=ReasonCode.FEWEST_OF_CLUB, details=details),))


def _field_of_clubs(clubs: Mapping[str, Club], draw_input: DrawInput) -> DrawInput:
    """Return the clubs as entrants, numbered by their order, with the meetings that they have played."""
    at = {entry: place for place, club in enumerate(clubs.values()) for entry in club}
    here = {entrant.id for entrant in to_be_drawn(draw_input)}
    stay = {entrant.id for entrant in draw_input.entrants if not entrant.has_left(draw_input.round)}
    entrants = tuple(
        Entrant(
            id=EntryId(place),
            number=place + 1,
            absent=frozenset(() if here & {*club} else (draw_input.round,)),
            leaves_after=None if stay & {*club} else draw_input.round - 1,
        )
        for place, club in enumerate(clubs.values())
    )
    history = tuple(_club_meetings(draw_input.history, at))
    return DrawInput(round=draw_input.round, entrants=entrants, history=history, seed=draw_input.seed)


def _club_meetings(history: Sequence[PlayedPairing], at: Mapping[EntryId, int]) -> Iterator[PlayedPairing]:
    """Yield the clubs that met in each round. A club has one opponent in a round: that of most of its tables,
    since the director may have set others."""
    tables = Counter(
        (played.round, *sorted((at[played.a[0]], at[played.b[0]])))
        for played in history
        if played.b and played.a[0] in at and played.b[0] in at
    )
    busy: set[tuple[int, int]] = set()
    for number, one, other in sorted(tables, key=lambda meeting: (-tables[meeting], meeting)):
        if one != other and not busy & {(number, one), (number, other)}:
            busy |= {(number, one), (number, other)}
            yield PlayedPairing(round=number, a=(EntryId(one),), b=(EntryId(other),))


def _even(
    one: Sequence[EntryId], other: Sequence[EntryId], history: History
) -> tuple[list[EntryId], list[EntryId]]:
    """Choose as many entries of each club as the smaller one has: those who have sat out most often, then the
    first."""
    size = min(len(one), len(other))

    def choose_team(club: Sequence[EntryId]) -> list[EntryId]:
        idle = [history.idle_rounds(entry) for entry in club]
        playing = sorted(range(len(club)), key=lambda place: (-idle[place], place))[:size]
        return [club[place] for place in sorted(playing)]

    return choose_team(one), choose_team(other)


def _in_order(
    one: Sequence[EntryId], other: Sequence[EntryId], history: History
) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId]]:
    """Pair first against first and so on, except those who have met already at a table made by the director.
    Returns the pairs, and the entries with nobody left to meet."""
    size = len(one)
    prices = {
        (place, size + at): (place - at) ** 2
        for place, entry in enumerate(one)
        for at, opponent in enumerate(other)
        if not history.rounds_met(entry, opponent)
    }
    both = [*one, *other]
    made, left = least_left_out([1 + size**3] * len(both), prices)
    return [(both[place], both[at]) for place, at in made], [both[place] for place in left]


FORMAT = Format(
    key="interclub",
    draw=draw_interclub,
    slots_ahead=interclub_slots,
    check=InterclubSettings.of,
    leaves_out=True,
    of_clubs=True,
)
