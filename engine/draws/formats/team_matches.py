"""Team matches: teams meet in a round robin, each match over the same number of boards. The team named first in
the reasons of its tables is at home; by the Berger tables, matches at home and away differ by one at most.

A team is the club of its entries; those without a board are its substitutes. Until the captains decide, those
who have sat out most often play. A board that only one team can fill is won without play. A team of which
nobody is present loses its match by forfeit, on every board; one that has left for good meets nobody any more.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from engine.draws.rounds import build_draw, build_requested_byes
from engine.draws.settings import MIXES, check_setting_names, parse_boolean, parse_choice, parse_whole_number
from engine.draws.values import Draw, DrawInput, DrawnBye, EntryId, Format, Reason, ReasonCode

from .interclub import ClubMeetingInput, PairedClubs, choose_team, find_forfeits, list_clubs, pair_clubs, plan_meetings

DEFAULT_BOARDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchSettings:
    """Settings of team matches. ``boards``: tables of a match. ``legs``: how often two teams meet. ``home``: whether
    each match is played at the place of one of them. ``moves``: how many teams change between two sections after the
    season."""

    boards: int = DEFAULT_BOARDS
    legs: int = 1
    home: bool = False
    moves: int = 0

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "TeamMatchSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small."""
        check_setting_names(data, ("boards", "legs", "home", "moves", MIXES))
        parse_boolean(data, MIXES)
        boards = parse_whole_number(data, "boards", least=2)
        return cls(
            boards=boards or DEFAULT_BOARDS,
            legs=parse_choice(data, "legs", (1, 2)),
            home=parse_boolean(data, "home"),
            moves=parse_whole_number(data, "moves", least=0) or 0,
        )


def draw_team_matches(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = TeamMatchSettings.parse(draw_input.settings)
    teams = list_clubs(draw_input.entrants)
    plan = plan_meetings(
        teams,
        draw_input,
        partial(_pair_boards, boards=settings.boards, locked_counts=_count_locked_boards(draw_input, teams)),
        legs=settings.legs,
        has_boards=True,
    )
    return build_draw("teams", draw_input, plan)


def list_team_slots(draw_input: DrawInput) -> frozenset[str] | None:
    """Return the slots ahead; a match that a team forfeits is one, too. Refuses: what the settings refuse."""
    legs = TeamMatchSettings.parse(draw_input.settings).legs
    clubs = list_clubs(draw_input.entrants)
    meetings, team_byes, line_up = pair_clubs(clubs, draw_input, legs=legs)
    if meetings or any(find_forfeits(clubs, team_byes, draw_input)):
        return frozenset({""})
    has_byes = build_requested_byes(draw_input) or any(line_up[bye.entry] for bye in team_byes)
    return frozenset() if has_byes else None


def build_unopposed_bye(entry: EntryId, board: int, opponent: str, away: EntryId | None = None) -> DrawnBye:
    """Return the bye of an entry at a board that the other team cannot fill, or forfeits: then ``away`` loses it."""
    details = {"board": board, "club": opponent, **({} if away is None else {"entry": away})}
    return DrawnBye(entry=entry, reasons=(Reason(code=ReasonCode.UNOPPOSED, details=details),))


def build_substitute_bye(entry: EntryId) -> DrawnBye:
    """Return the bye of an entry whose team seats others."""
    return DrawnBye(entry=entry, reasons=(Reason(code=ReasonCode.SUBSTITUTE),))


def _count_locked_boards(draw_input: DrawInput, teams: Mapping[str, Sequence[EntryId]]) -> Counter[frozenset[str]]:
    """Count the locked tables of each two teams, which take boards of their match."""
    team_by_entry = {entry: name for name, entries in teams.items() for entry in entries}
    return Counter(
        frozenset(team_by_entry.get(entry, "") for entry in (*table.a, *table.b)) for table in draw_input.locked
    )


def _pair_boards(meeting: ClubMeetingInput, *, boards: int, locked_counts: Counter[frozenset[str]]) -> PairedClubs:
    open_boards = max(0, boards - locked_counts[frozenset(meeting.names)])
    teams = [choose_team(entries, open_boards, meeting.history) for entries in meeting.entries]
    away = dict(enumerate(choose_team(meeting.away, open_boards, meeting.history), start=1))
    pairs: list[tuple[EntryId, EntryId]] = []
    byes = []
    for board, (one, other) in enumerate(zip_longest(*teams), start=1):
        if other is None:
            byes.append(build_unopposed_bye(one, board, meeting.names[1], away.get(board)))
        elif one is None:
            byes.append(build_unopposed_bye(other, board, meeting.names[0]))
        else:
            pairs.append((one, other))
    playing = {entry for team in teams for entry in team}
    substitutes = [entry for entries in meeting.entries for entry in entries if entry not in playing]
    return pairs, [*byes, *(build_substitute_bye(entry) for entry in substitutes)]


FORMAT = Format(
    key="teams",
    draw=draw_team_matches,
    next_slots=list_team_slots,
    check=TeamMatchSettings.parse,
    can_leave_out=True,
    separates_sections=True,
    is_interclub=True,
    has_team_matches=True,
)
