"""Club against club over several tables.

Entries belong to the club of their bond. Two clubs play the Scheveningen system: every entry of one meets
every entry of the other, in round n the first of one the nth of the other, and sides change each round. More
clubs play a round robin of clubs, and in each meeting of two clubs their entries meet once, in the order of
their numbers. Either can be chosen for any number of clubs.

If one club has more entries than the other, its entries take byes in turn. Entries without a club count as
one club.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from engine.draws.bonds import get_club
from engine.draws.formats.round_robin import build_berger_table, build_round_robin
from engine.draws.history import History, build_history
from engine.draws.rounds import (
    Plan,
    UnnumberedTable,
    build_draw,
    build_requested_byes,
    list_drawable_entrants,
    sort_by_number,
)
from engine.draws.schedules.round_schedule import (
    Meeting,
    Schedule,
    assign_scheduled_sides,
    build_plan,
    get_schedule_slots,
    match_with_leftovers,
)
from engine.draws.settings import check_setting_names, parse_choice
from engine.draws.values import Draw, DrawInput, DrawnBye, Entrant, EntryId, Format, PlayedPairing, Reason, ReasonCode

HomeMatch = tuple[int, int]
"""The places of two teams in the list of teams, the home team first."""


MEETS = ("usual", "everyone", "by_order")

Club = tuple[EntryId, ...]
"""The entries of a club in the order of their numbers."""

PairedClubs = tuple[Sequence[tuple[EntryId, EntryId]], Sequence[DrawnBye]]
"""The tables of a meeting of two clubs, and the byes of both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterclubSettings:
    """Settings of an interclub. ``meet``: everyone, by_order; usual: everyone if there are two clubs."""

    meet: str = "usual"

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "InterclubSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice."""
        check_setting_names(data, ("meet",))
        return cls(meet=parse_choice(data, "meet", MEETS))

    def is_scheveningen(self, clubs: int) -> bool:
        return self.meet == "everyone" or (self.meet == "usual" and clubs <= 2)


def list_clubs(entrants: Sequence[Entrant]) -> dict[str, Club]:
    """Return the clubs in the order of their lowest numbers; "" for entries without a club."""
    clubs: dict[str, list[EntryId]] = {}
    for entrant in sort_by_number(entrants):
        clubs.setdefault(get_club(entrant), []).append(entrant.id)
    return {name: tuple(entries) for name, entries in clubs.items()}


def build_scheveningen_rounds(one: Club, other: Club) -> Iterator[tuple[Meeting, ...]]:
    """Yield the rounds in which every entry of one club meets every entry of the other; byes for surplus
    entries."""
    size = max(len(one), len(other))
    for turn in range(size):
        yield tuple(
            meeting
            for place in range(size)
            for meeting in _build_meeting(
                _get_entry(one, place), _get_entry(other, (place + turn) % size), is_reversed=turn % 2 == 1
            )
        )


def draw_interclub(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = InterclubSettings.parse(draw_input.settings)
    clubs = list_clubs(draw_input.entrants)
    if settings.is_scheveningen(len(clubs)):
        plan = build_plan(_build_full_schedule(list(clubs.values())), draw_input)
    else:
        plan = plan_meetings(clubs, draw_input, _pair_by_order)
    return build_draw("interclub", draw_input, plan)


def list_interclub_slots(draw_input: DrawInput) -> frozenset[str] | None:
    """Return the slots ahead. Refuses: what the settings refuse."""
    clubs = list_clubs(draw_input.entrants)
    if InterclubSettings.parse(draw_input.settings).is_scheveningen(len(clubs)):
        return get_schedule_slots([_build_full_schedule(list(clubs.values()))], draw_input)
    meetings, club_byes, line_up = pair_clubs(clubs, draw_input)
    history = build_history(draw_input)
    for meeting in meetings:
        teams = _choose_teams(line_up[meeting.a[0]], line_up[meeting.b[0]], history)
        if any(not history.get_rounds_met(*pair) for pair in product(*teams)):
            return frozenset({""})
    has_byes = meetings or build_requested_byes(draw_input) or any(line_up[bye.entry] for bye in club_byes)
    return frozenset() if has_byes else None


def _get_entry(club: Club, place: int) -> EntryId | None:
    return club[place] if place < len(club) else None


def _build_meeting(one: EntryId | None, other: EntryId | None, *, is_reversed: bool) -> Iterator[Meeting]:
    first, second = (other, one) if is_reversed else (one, other)
    if first is not None:
        yield first, second
    elif second is not None:
        yield second, None


def _build_full_schedule(clubs: Sequence[Club]) -> Schedule:
    """Return a schedule in which each meeting of two clubs lasts as long as the longest of its round; entries
    that finish earlier then sit out."""
    return Schedule(
        rounds=tuple(
            meetings
            for pairs in build_berger_table(len(clubs))
            for meetings in _merge_meetings([(clubs[a - 1], () if b is None else clubs[b - 1]) for a, b in pairs])
        )
    )


def _merge_meetings(pairs: Sequence[tuple[Club, Club]]) -> Iterator[tuple[Meeting, ...]]:
    """Yield the rounds of these simultaneous meetings of clubs; where one side of a pair is empty, all of it
    sit out."""
    parts = [tuple(build_scheveningen_rounds(*pair)) if all(pair) else () for pair in pairs]
    for turn in range(max(map(len, parts))):
        yield tuple(
            meeting
            for part, pair in zip(parts, pairs, strict=True)
            for meeting in (part[turn] if turn < len(part) else ((entry, None) for entry in sum(pair, ())))
        )


# Clubs by order: a round robin whose entrants are the clubs


def plan_meetings(
    clubs: Mapping[str, Club],
    draw_input: DrawInput,
    pair_entries: "Callable[[ClubMeetingInput], PairedClubs]",
    *,
    legs: int = 1,
    has_boards: bool = False,
) -> Plan:
    """Return the tables and byes of a round in which clubs meet; with ``has_boards``, tables are numbered within
    their meeting, the club named first is the home team, and a club of which nobody is present loses by forfeit."""
    names = list(clubs)
    meetings, club_byes, line_up = pair_clubs(clubs, draw_input, legs=legs)
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    history = build_history(draw_input)
    places = {entry: place for place, club in enumerate(clubs.values()) for entry in club}
    home_matches = list_home_matches(draw_input.history, places)
    tables: list[UnnumberedTable] = []
    byes: list[DrawnBye] = []
    for meeting in meetings:
        one, other = meeting.a[0], meeting.b[0]
        if has_boards and meeting.reasons[0].code is not ReasonCode.SCHEDULED:
            one, other = map(EntryId, choose_home(one, other, home_matches))
        clubs_that_meet = names[one], names[other]
        pairs, meeting_byes = pair_entries(ClubMeetingInput(clubs_that_meet, (line_up[one], line_up[other]), history))
        for board, pair in enumerate(pairs, start=1):
            a, b = assign_scheduled_sides(*(entrants[entry] for entry in pair))
            details = {"round": draw_input.round, "clubs": clubs_that_meet, **({"board": board} if has_boards else {})}
            reason = Reason(code=meeting.reasons[0].code, details=details)
            tables.append(UnnumberedTable(a=a, b=b, reasons=(reason,)))
        byes += meeting_byes
    forfeits = find_forfeits(clubs, club_byes, draw_input) if has_boards else {}
    for bye in club_byes:
        (club_reason,) = bye.reasons
        opponent = club_reason.details.get("entry")
        if opponent is not None and bye.entry in forfeits:
            teams = (names[bye.entry], names[opponent])
            away = forfeits[bye.entry]
            byes += pair_entries(ClubMeetingInput(teams, (line_up[bye.entry], ()), history, away=away))[1]
            continue
        club = {} if opponent is None else {"club": names[opponent]}
        reason = Reason(code=club_reason.code, details={"round": draw_input.round, **club})
        byes += [DrawnBye(entry=entry, reasons=(reason,)) for entry in line_up[bye.entry]]
    return tables, byes


def pair_clubs(
    clubs: Mapping[str, Club], draw_input: DrawInput, *, legs: int = 1
) -> tuple[list[UnnumberedTable], list[DrawnBye], list[list[EntryId]]]:
    """Return the clubs that meet, those that sit out, by their places, and the present entries of each
    club."""
    field = _build_club_field(clubs, draw_input)
    schedule = build_round_robin([entrant.id for entrant in field.entrants], legs=legs)
    present = {entrant.id for entrant in list_drawable_entrants(draw_input)}
    line_up = [[entry for entry in club if entry in present] for club in clubs.values()]
    return (*build_plan(schedule, field), line_up)


@dataclass(frozen=True, slots=True)
class ClubMeetingInput:
    """A meeting of two clubs: their names, their entries that can play, and what was played before; ``away`` are
    those of the second one if it forfeits the meeting."""

    names: tuple[str, str]
    entries: tuple[Sequence[EntryId], Sequence[EntryId]]
    history: History
    away: Sequence[EntryId] = ()


def find_forfeits(
    clubs: Mapping[str, Club], club_byes: Iterable[DrawnBye], draw_input: DrawInput
) -> Mapping[EntryId, list[EntryId]]:
    """Return the clubs, by their places, that win by forfeit, with the entries of the opponent: nobody of it is
    present, and not all have left for good."""
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    entries = list(clubs.values())
    forfeits = {}
    for bye in club_byes:
        opponent = bye.reasons[0].details.get("entry")
        away = () if opponent is None else entries[opponent]
        if not any(entrants[entry].is_present(draw_input.round) for entry in away):
            forfeits[bye.entry] = [entry for entry in away if not entrants[entry].has_left(draw_input.round)]
    return {club: away for club, away in forfeits.items() if away}


def _pair_by_order(meeting: ClubMeetingInput) -> PairedClubs:
    teams = _choose_teams(*meeting.entries, meeting.history)
    pairs, unpaired = _pair_in_order(*teams, meeting.history)
    surplus = [entry for club in meeting.entries for entry in club if entry not in {*teams[0], *teams[1]}]
    byes = [_build_surplus_bye(entry, meeting.history) for entry in surplus]
    byes += [DrawnBye(entry=e, reasons=(Reason(code=ReasonCode.NO_OPPONENT_LEFT),)) for e in unpaired]
    return pairs, byes


def _build_surplus_bye(entry: EntryId, history: History) -> DrawnBye:
    """Return the bye of an entry for whom the other club has too few."""
    details = {"rounds": history.get_bye_rounds(entry)}
    return DrawnBye(entry=entry, reasons=(Reason(code=ReasonCode.FEWEST_OF_CLUB, details=details),))


def _build_club_field(clubs: Mapping[str, Club], draw_input: DrawInput) -> DrawInput:
    """Return the clubs as entrants, numbered by their order, with the meetings that they have played."""
    club_by_entry = {entry: place for place, club in enumerate(clubs.values()) for entry in club}
    present = {entrant.id for entrant in list_drawable_entrants(draw_input)}
    remaining = {entrant.id for entrant in draw_input.entrants if not entrant.has_left(draw_input.round)}
    entrants = tuple(
        Entrant(
            id=EntryId(place),
            number=place + 1,
            absent=frozenset(() if present & {*club} else (draw_input.round,)),
            leaves_after=None if remaining & {*club} else draw_input.round - 1,
        )
        for place, club in enumerate(clubs.values())
    )
    history = tuple(_list_club_meetings(draw_input.history, club_by_entry))
    return DrawInput(round=draw_input.round, entrants=entrants, history=history, seed=draw_input.seed)


def _list_club_meetings(
    history: Sequence[PlayedPairing], club_by_entry: Mapping[EntryId, int]
) -> Iterator[PlayedPairing]:
    """Yield the clubs that met in each round. A club has one opponent in a round: that of most of its tables,
    since the director may have set others."""
    tables = Counter(
        (played.round, *sorted((club_by_entry[played.a[0]], club_by_entry[played.b[0]])))
        for played in history
        if played.b and played.a[0] in club_by_entry and played.b[0] in club_by_entry
    )
    busy: set[tuple[int, int]] = set()
    for number, one, other in sorted(tables, key=lambda meeting: (-tables[meeting], meeting)):
        if one != other and not busy & {(number, one), (number, other)}:
            busy |= {(number, one), (number, other)}
            yield PlayedPairing(round=number, a=(EntryId(one),), b=(EntryId(other),))


def _choose_teams(
    one: Sequence[EntryId], other: Sequence[EntryId], history: History
) -> tuple[list[EntryId], list[EntryId]]:
    """Choose as many entries of each club as the smaller one has."""
    size = min(len(one), len(other))
    return choose_team(one, size, history), choose_team(other, size, history)


def choose_team(club: Sequence[EntryId], size: int, history: History) -> list[EntryId]:
    """Choose so many entries of a club: those who have sat out most often, then the first."""
    idle = [history.count_idle_rounds(entry) for entry in club]
    playing = sorted(range(len(club)), key=lambda place: (-idle[place], place))[:size]
    return [club[place] for place in sorted(playing)]


def _pair_in_order(
    one: Sequence[EntryId], other: Sequence[EntryId], history: History
) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId]]:
    """Pair first against first and so on, except those who have met already at a table made by the director.
    Returns the pairs, and the entries with nobody left to meet."""
    size = len(one)
    prices = {
        (place, size + index): (place - index) ** 2
        for place, entry in enumerate(one)
        for index, opponent in enumerate(other)
        if not history.get_rounds_met(entry, opponent)
    }
    all_entries = [*one, *other]
    pairs, unpaired = match_with_leftovers([1 + size**3] * len(all_entries), prices)
    return [(all_entries[place], all_entries[index]) for place, index in pairs], [
        all_entries[place] for place in unpaired
    ]


FORMAT = Format(
    key="interclub",
    draw=draw_interclub,
    next_slots=list_interclub_slots,
    check=InterclubSettings.parse,
    can_leave_out=True,
    is_interclub=True,
)


def list_home_matches(history: Iterable[PlayedPairing], team_by_entry: Mapping[EntryId, int]) -> list[HomeMatch]:
    """Return the matches of teams in the order of their rounds. The home team is on side A of most tables; of two
    equals, it is the first one in the list of teams."""
    boards: defaultdict[tuple[int, frozenset[int]], Counter[HomeMatch]] = defaultdict(Counter)
    for played in history:
        teams = tuple(team_by_entry[side[0]] for side in (played.a, played.b) if side and side[0] in team_by_entry)
        if len(teams) == 2 and teams[0] != teams[1]:
            boards[played.round, frozenset(teams)][teams] += 1
    matches = sorted(
        (number, *min(counts, key=lambda match: (-counts[match], match))) for (number, _), counts in boards.items()
    )
    return [(home, away) for _, home, away in matches]


def choose_home(one: int, other: int, played: Iterable[HomeMatch]) -> HomeMatch:
    """Return the two teams, home team first: the one that was away when they met last, else the one with fewer
    matches at home than away.

    >>> choose_home(1, 2, [(1, 2)]), choose_home(1, 2, [(1, 3)]), choose_home(1, 2, [(3, 1)])
    ((2, 1), (2, 1), (1, 2))
    """
    balance: Counter[int] = Counter()
    last = None
    for home, away in played:
        balance.update({home: 1, away: -1})
        last = (home, away) if {home, away} == {one, other} else last
    if last is not None:
        return last[1], last[0]
    return (other, one) if balance[other] < balance[one] else (one, other)
