"""Reading a report from its text."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from engine.draws.values import EntryId, PlayedPairing
from errors import Refusal
from rules import Side

from .columns import (
    APART,
    BYE_KIND,
    BYE_ROUND,
    BYES,
    EXTENSION,
    GIVEN,
    GIVEN_KIND,
    GIVEN_POINTS,
    GIVEN_ROUND,
    LAST_ROUND,
    LIST_STEP,
    LISTS,
    NAME,
    NUMBER,
    PLAYER,
    POINTS,
    RANK,
    RATING,
    RESULT_POINTS,
    TEAMS,
    TEXTS,
    Columns,
    get_colour_columns,
    get_opponent_columns,
    get_result_columns,
)
from .report import UNDECIDED, PointSystem, ReportEntry, TrfAbsence, TrfCell, TrfReport

ROUNDS = {"XXR", "142"}
TIEBREAKS = {"202", "212"}
RESULTS = {"W": ["win"], "D": ["draw"], "L": ["loss"], "A": ["absence", "forfeit_loss"], "P": ["bye"]}
"""The results that the letters of line 162 give points for; X, a result still unknown, is left out."""
FIRST_COLOUR = {"white1": Side.A, "black1": Side.B, "W": Side.A, "B": Side.B}
COLOURS = {"w": Side.A, "b": Side.B, "-": None, " ": None}
OPPOSITE_CODES = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", UNDECIDED: UNDECIDED}
EQUIVALENT_CODES = {"W": "1", "D": "=", "L": "0"}
"""Games of less than one move: not rated, but counted like any other."""
CODES_WITHOUT_OPPONENT = {"U": "U", "F": "F", "H": "H", "Z": "Z", " ": "Z", "+": "U", "=": "H", "-": "Z"}
"""Codes of a round without an opponent, including those of older files."""


def read_report(text: str) -> TrfReport:
    """Read the report in a file's text. Lines with other codes are skipped.

    Of matches between teams it reads the single games. Refuses, naming the line (from 1): report_line
    (columns that cannot be read), report_undecided (in an earlier round than the last), drawn_twice,
    report_opponents_differ, report_points_differ.
    """
    reader = _Reader()
    # Not splitlines: a name may hold what Python takes for the end of a line.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        reader.read_line(number, line)
    return reader.build_report()


@dataclass(frozen=True, slots=True)
class _Player:
    """The line of a player, parsed."""

    line: int
    entry: ReportEntry
    points: int
    cells: Mapping[int, TrfCell]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line, by the columns of the handbook; columns beyond its end are blank."""

    number: int
    text: str

    @property
    def code(self) -> str:
        return self.text[:3]

    @property
    def rest(self) -> str:
        return self.text[3:].strip()

    def get_text(self, columns: Columns) -> str:
        first, last = columns
        return self.text[first - 1 : last].ljust(last - first + 1)

    def parse_number(self, columns: Columns, *, least: int = 0) -> int:
        """Return the number in these columns, 0 if they are blank."""
        text = self.get_text(columns).strip()
        if not re.fullmatch(r"[0-9]{0,9}", text) or int(text or 0) < least:
            raise self.build_refusal(columns)
        return int(text or 0)

    def parse_tenths(self, columns: Columns) -> int:
        text = self.get_text(columns).strip()
        if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9])?", text):
            raise self.build_refusal(columns)
        return int(10 * Decimal(text))

    def parse_numbers(self) -> tuple[EntryId, ...]:
        """Return the starting numbers in a list from column 4."""
        tokens = self.text[3:].split()
        if not all(re.fullmatch(r"[0-9]{1,9}", token) for token in tokens):
            raise self.build_refusal((4, len(self.text)))
        return tuple(EntryId(int(token)) for token in tokens)

    def parse_number_list(self, first_column: int) -> tuple[EntryId, ...]:
        """Return the starting numbers in a list of fixed columns."""
        starts = range(first_column, len(self.text.rstrip()) + 1, LIST_STEP)
        numbers = (self.parse_number((column, column + 3)) for column in starts)
        return tuple(EntryId(number) for number in numbers if number)

    def build_refusal(self, columns: Columns) -> Refusal:
        return Refusal("report_line", field="report", line=self.number, columns=columns, value=self.get_text(columns))


@dataclass(slots=True)
class _Reader:
    players: dict[EntryId, _Player] = field(default_factory=dict)
    frame: dict[str, Any] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    apart: list[tuple[EntryId, ...]] = field(default_factory=list)
    apart_first: list[tuple[int, tuple[EntryId, ...]]] = field(default_factory=list)
    absent: list[tuple[_Line, EntryId]] = field(default_factory=list)
    byes: list[tuple[_Line, int, TrfAbsence, EntryId]] = field(default_factory=list)
    teams: list[tuple[_Line, str, EntryId]] = field(default_factory=list)
    given: list[tuple[_Line, int, int, EntryId]] = field(default_factory=list)

    def read_line(self, number: int, text: str) -> None:
        if read := _READERS.get(text[:3]):
            read(self, _Line(number, text))

    def read_player(self, line: _Line) -> None:
        entry = EntryId(line.parse_number(NUMBER, least=1))
        if entry in self.players:
            raise Refusal("drawn_twice", field="report", line=line.number, entry=entry)
        self.players[entry] = _Player(
            line=line.number,
            entry=ReportEntry(
                id=entry,
                name=line.get_text(NAME).strip(),
                rating=line.parse_number(RATING),
                rank=line.parse_number(RANK),
            ),
            points=line.parse_tenths(POINTS),
            cells=_parse_cells(line),
        )

    def read_text(self, line: _Line) -> None:
        self.frame[TEXTS[line.code]] = line.rest

    def read_result_points(self, line: _Line) -> None:
        self.points[RESULT_POINTS[line.code]] = line.parse_tenths((5, max(8, len(line.text))))

    def read_rounds(self, line: _Line) -> None:
        self.frame["rounds"] = line.parse_number((4, max(8, len(line.text))), least=1)

    def read_first_colour(self, line: _Line) -> None:
        sides = [FIRST_COLOUR[token] for token in line.rest.split() if token in FIRST_COLOUR]
        self.frame |= {"first_side": sides[-1]} if sides else {}

    def read_apart(self, line: _Line) -> None:
        self.apart.append(line.parse_numbers())

    def read_apart_first(self, line: _Line) -> None:
        self.apart_first.append((line.parse_number(LAST_ROUND, least=1), line.parse_number_list(LISTS[APART])))

    def read_absent(self, line: _Line) -> None:
        self.absent += [(line, entry) for entry in line.parse_numbers()]

    def read_byes(self, line: _Line) -> None:
        letter, number = line.get_text(BYE_KIND).upper(), line.parse_number(BYE_ROUND, least=1)
        if letter not in list(TrfAbsence):
            raise line.build_refusal(BYE_KIND)
        self.byes += [(line, number, TrfAbsence(letter), entry) for entry in line.parse_number_list(LISTS[BYES])]

    def read_given_points(self, line: _Line) -> None:
        """Read the points that the arbiter gave or took; not what a kind of result, or a team match, is worth."""
        if not line.get_text(GIVEN_KIND).strip() and line.get_text(GIVEN_POINTS).strip():
            points, number = line.parse_tenths(GIVEN_POINTS), line.parse_number(GIVEN_ROUND)
            self.given += [(line, number, points, entry) for entry in line.parse_number_list(LISTS[GIVEN])]

    def read_team(self, line: _Line) -> None:
        name, players = TEAMS[line.code]
        self.teams += [(line, line.get_text(name).strip(), entry) for entry in line.parse_number_list(players)]

    def read_tiebreaks(self, line: _Line) -> None:
        self.frame["tiebreaks"] = tuple(filter(None, map(str.strip, line.rest.split(","))))

    def read_comment(self, line: _Line) -> None:
        if line.text.startswith(EXTENSION):
            self.frame["extension"] = line.text.removeprefix(EXTENSION).strip()

    def read_point_system(self, line: _Line) -> None:
        """Read the points of each letter, in columns 6 and 7 to 10, then every 9 columns."""
        for first in range(6, len(line.text.rstrip()) + 1, 9):
            if (letter := line.get_text((first, first))) != "X":
                if letter not in RESULTS:
                    raise line.build_refusal((first, first))
                self.points |= dict.fromkeys(RESULTS[letter], line.parse_tenths((first + 1, first + 4)))

    def build_report(self) -> TrfReport:
        """Return the report of all lines together."""
        pairings = tuple(
            sorted(
                (played for player in self.players.values() for played in self._iterate_pairings(player)),
                key=lambda played: (played.round, min(played.a + played.b)),
            )
        )
        points = PointSystem(**({"bye": self.points["win"]} if "win" in self.points else {}) | self.points)
        given = self._collect_given_points()
        last_round = max((played.round for played in pairings if played.b or self._is_drawn_bye(played)), default=0)
        last_match_round = last_round
        while self._is_round_of_byes(last_round + 1, points, given):
            last_round += 1
        undecided = {played for played in pairings if self._is_undecided(played, last_round)}
        for entry, player in self.players.items():
            self._check_points(player, points, last_round, given=sum(given[entry].values()))
        absences = self._collect_absences(last_round)
        teams = {self._check_entry(line, entry): name for line, name, entry in self.teams}
        return TrfReport(
            **self.frame,
            points=points,
            apart=tuple(self.apart),
            apart_first=tuple(self.apart_first),
            entries=tuple(
                replace(player.entry, absences=absences[entry], given=given[entry], team=teams.get(entry, ""))
                for entry, player in sorted(self.players.items())
            ),
            # Byes by own wish beyond the last round that was drawn are wishes for the next.
            history=tuple(played for played in pairings if played.round <= last_round and played not in undecided),
            pending=tuple(played for played in pairings if played in undecided),
            drawn=last_round if last_round > last_match_round else 0,
        )

    def _collect_given_points(self) -> dict[EntryId, Counter[int]]:
        given: dict[EntryId, Counter[int]] = {entry: Counter() for entry in self.players}
        for line, number, points, entry in self.given:
            given[self._check_entry(line, entry)][number] += points
        return given

    def _is_round_of_byes(self, number: int, points: PointSystem, given: Mapping[EntryId, Counter[int]]) -> bool:
        """Return whether all players sat out a round that their points count. Byes that are asked for a round to
        come do not count yet."""
        total = worth = 0
        for entry, player in self.players.items():
            if number not in player.cells:
                return False
            values = [points.get_points(cell.code) for place, cell in player.cells.items() if place <= number]
            total += player.points - sum(given[entry].values()) - sum(values)
            worth += points.get_points(player.cells[number].code)
        return worth > 0 and total == 0

    def _collect_absences(self, last_round: int) -> dict[EntryId, dict[int, TrfAbsence]]:
        absences = {entry: self._collect_player_absences(player, last_round) for entry, player in self.players.items()}
        for line, entry in self.absent:
            absences[self._check_entry(line, entry)][last_round + 1] = TrfAbsence.ZERO
        for line, number, letter, entry in self.byes:
            if number > last_round:
                absences[self._check_entry(line, entry)][number] = letter
        return absences

    def _check_entry(self, line: _Line, entry: EntryId) -> EntryId:
        if entry not in self.players:
            raise line.build_refusal((4, len(line.text)))
        return entry

    def _is_undecided(self, played: PlayedPairing, last_round: int) -> bool:
        """Return whether a match has no result yet. Refuses: report_undecided."""
        if not played.b or self.players[played.a[0]].cells[played.round].code != UNDECIDED:
            return False
        if played.round < last_round:
            player = self.players[min(played.a + played.b)]
            raise Refusal(
                "report_undecided",
                field="report",
                line=player.line,
                entry=player.entry.id,
                round=played.round,
            )
        return True

    def _is_drawn_bye(self, played: PlayedPairing) -> bool:
        return self.players[played.a[0]].cells[played.round].code == "U"

    def _iterate_pairings(self, player: _Player) -> Iterator[PlayedPairing]:
        me = player.entry.id
        for number, cell in player.cells.items():
            if cell.opponent is None:
                if cell.code != "Z":
                    yield PlayedPairing(round=number, a=(me,))
                continue
            other = self._find_opponent_cell(player, number, cell)
            if me > cell.opponent:
                continue  # yielded for the other player's line
            a, b = (cell.opponent, me) if cell.side is Side.B else (me, cell.opponent)
            winner = {"1": Side.A, "+": Side.A, "0": Side.B}.get(cell.code)
            if cell.code == "-" and other.code == "+":
                winner = Side.B
            if winner is not None and a != me:
                winner = winner.other
            yield PlayedPairing(round=number, a=(a,), b=(b,), winner=winner, is_forfeit=cell.code in "+-")

    def _find_opponent_cell(self, player: _Player, number: int, cell: TrfCell) -> TrfCell:
        """Return the cell of the same match in the opponent's line. Refuses: report_opponents_differ."""
        opponent = None if cell.opponent is None else self.players.get(cell.opponent)
        other = None if opponent is None else opponent.cells.get(number)
        if (
            other is None
            or cell.opponent == player.entry.id
            or other.opponent != player.entry.id
            or (cell.side is not None and cell.side is other.side)
            or ((cell.side is None) != (other.side is None))
            or (other.code != OPPOSITE_CODES[cell.code] and cell.code + other.code != "--")
        ):
            raise Refusal(
                "report_opponents_differ",
                field="report",
                line=player.line,
                entry=player.entry.id,
                opponent=cell.opponent,
                round=number,
            )
        return other

    def _collect_player_absences(self, player: _Player, last_round: int) -> dict[int, TrfAbsence]:
        """Return how the entry sat out each round, or will; a round without a cell is an absence."""
        absences = {
            number: TrfAbsence(cell.code)
            for number, cell in player.cells.items()
            if cell.opponent is None and cell.code in "FHZ"
        }
        blank = (number for number in range(1, last_round + 1) if number not in player.cells)
        return absences | dict.fromkeys(blank, TrfAbsence.ZERO)

    def _check_points(self, player: _Player, points: PointSystem, last_round: int, *, given: int) -> None:
        """Check the player's points. A file made before a round may count what is known of it, or not yet;
        a match without a result as a draw, or not yet; and points ``given`` by the arbiter, or not."""
        cell_points = {number: points.get_points(cell.code) for number, cell in player.cells.items()}
        blank = points.absence * sum(number not in cell_points for number in range(1, last_round + 1))
        counted_points = blank + sum(value for number, value in cell_points.items() if number <= last_round)
        known_points = counted_points + sum(value for number, value in cell_points.items() if number > last_round)
        undecided = points.draw * sum(cell.code == UNDECIDED for cell in player.cells.values())
        expected = {counted_points, known_points, counted_points + undecided, known_points + undecided}
        if not {player.points, player.points - given} & expected:
            raise Refusal(
                "report_points_differ",
                field="report",
                line=player.line,
                entry=player.entry.id,
                points=player.points,
                counted=counted_points,
            )


_READERS: Mapping[str, Callable[[_Reader, _Line], None]] = {
    PLAYER: _Reader.read_player,
    **dict.fromkeys(TEXTS, _Reader.read_text),
    **dict.fromkeys(RESULT_POINTS, _Reader.read_result_points),
    **dict.fromkeys(TEAMS, _Reader.read_team),
    **dict.fromkeys(TIEBREAKS, _Reader.read_tiebreaks),
    **dict.fromkeys(ROUNDS, _Reader.read_rounds),
    "162": _Reader.read_point_system,
    "152": _Reader.read_first_colour,
    "XXC": _Reader.read_first_colour,
    "XXP": _Reader.read_apart,
    "XXZ": _Reader.read_absent,
    APART: _Reader.read_apart_first,
    BYES: _Reader.read_byes,
    GIVEN: _Reader.read_given_points,
    EXTENSION[:3]: _Reader.read_comment,
}
"""The function that reads a line, by its code."""


def _parse_cells(line: _Line) -> dict[int, TrfCell]:
    """Return the cells of the line by round; blank rounds are left out."""
    cells: dict[int, TrfCell] = {}
    for number in range(1, (len(line.text) - get_opponent_columns(1)[0]) // 10 + 2):
        opponent = line.parse_number(get_opponent_columns(number))
        colour, result = (
            line.get_text(get_colour_columns(number)).lower(),
            line.get_text(get_result_columns(number)).upper(),
        )
        if not opponent and colour + result == "  ":
            continue
        known_codes = OPPOSITE_CODES.keys() | EQUIVALENT_CODES.keys() if opponent else CODES_WITHOUT_OPPONENT.keys()
        if result not in known_codes:
            raise line.build_refusal(get_result_columns(number))
        if colour not in COLOURS or (not opponent and COLOURS[colour] is not None):
            raise line.build_refusal(get_colour_columns(number))
        if opponent:
            cells[number] = TrfCell(EQUIVALENT_CODES.get(result, result), EntryId(opponent), COLOURS[colour])
        else:
            cells[number] = TrfCell(CODES_WITHOUT_OPPONENT[result])
    return cells
