"""Reading a report from its text."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
    LAST_ROUND,
    LIST_STEP,
    LISTS,
    NAME,
    NUMBER,
    PLAYER,
    POINTS,
    RANK,
    RATING,
    TEAMS,
    TEXTS,
    WORTH,
    Columns,
    colour_in,
    opponent_in,
    result_in,
)
from .report import UNDECIDED, PointSystem, ReportEntry, TrfAbsence, TrfCell, TrfReport

ROUNDS = {"XXR", "142"}
TIEBREAKS = {"202", "212"}
RESULTS = {"W": ["win"], "D": ["draw"], "L": ["loss"], "A": ["absence", "forfeit_loss"], "P": ["bye"]}
"""The results that the letters of line 162 give points for; X, a result still unknown, is left out."""
FIRST_COLOUR = {"white1": Side.A, "black1": Side.B, "W": Side.A, "B": Side.B}
COLOURS = {"w": Side.A, "b": Side.B, "-": None, " ": None}
REVERSED = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", UNDECIDED: UNDECIDED}
SAME_AS = {"W": "1", "D": "=", "L": "0"}
"""Games of less than one move: not rated, but counted like any other."""
WITHOUT_OPPONENT = {"U": "U", "F": "F", "H": "H", "Z": "Z", " ": "Z", "+": "U", "=": "H", "-": "Z"}
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
        reader.line(number, line)
    return reader.report()


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

    def at(self, columns: Columns) -> str:
        first, last = columns
        return self.text[first - 1 : last].ljust(last - first + 1)

    def whole(self, columns: Columns, *, least: int = 0) -> int:
        """Return the number in these columns, 0 if they are blank."""
        text = self.at(columns).strip()
        if not re.fullmatch(r"[0-9]*", text) or int(text or 0) < least:
            raise self.unread(columns)
        return int(text or 0)

    def tenths(self, columns: Columns) -> int:
        text = self.at(columns).strip()
        if not re.fullmatch(r"[0-9]+(\.[0-9])?", text):
            raise self.unread(columns)
        points, _, tenth = text.partition(".")
        return 10 * int(points) + int(tenth or 0)

    def numbers(self) -> tuple[EntryId, ...]:
        """Return the starting numbers in a list from column 4."""
        words = self.text[3:].split()
        if not all(re.fullmatch(r"[0-9]+", word) for word in words):
            raise self.unread((4, len(self.text)))
        return tuple(EntryId(int(word)) for word in words)

    def number_list(self, first: int) -> tuple[EntryId, ...]:
        """Return the starting numbers in a list of fixed columns."""
        starts = range(first, len(self.text.rstrip()) + 1, LIST_STEP)
        numbers = (self.whole((column, column + 3)) for column in starts)
        return tuple(EntryId(number) for number in numbers if number)

    def unread(self, columns: Columns) -> Refusal:
        return Refusal(
            "report_line", field="report", line=self.number, columns=columns, value=self.at(columns)
        )


@dataclass(slots=True)
class _Reader:
    players: dict[EntryId, _Player] = field(default_factory=dict)
    frame: dict[str, Any] = field(default_factory=dict)
    worth: dict[str, int] = field(default_factory=dict)
    apart: list[tuple[EntryId, ...]] = field(default_factory=list)
    apart_first: list[tuple[int, tuple[EntryId, ...]]] = field(default_factory=list)
    absent: list[tuple[_Line, EntryId]] = field(default_factory=list)
    byes: list[tuple[_Line, int, TrfAbsence, EntryId]] = field(default_factory=list)
    teams: list[tuple[_Line, str, EntryId]] = field(default_factory=list)

    def line(self, number: int, text: str) -> None:
        if read := _READERS.get(text[:3]):
            read(self, _Line(number, text))

    def read_player(self, line: _Line) -> None:
        entry = EntryId(line.whole(NUMBER, least=1))
        if entry in self.players:
            raise Refusal("drawn_twice", field="report", line=line.number, entry=entry)
        self.players[entry] = _Player(
            line=line.number,
            entry=ReportEntry(
                id=entry, name=line.at(NAME).strip(), rating=line.whole(RATING), rank=line.whole(RANK)
            ),
            points=line.tenths(POINTS),
            cells=_cells(line),
        )

    def read_text(self, line: _Line) -> None:
        self.frame[TEXTS[line.code]] = line.rest

    def read_worth(self, line: _Line) -> None:
        self.worth[WORTH[line.code]] = line.tenths((5, max(8, len(line.text))))

    def read_rounds(self, line: _Line) -> None:
        self.frame["rounds"] = line.whole((4, max(8, len(line.text))), least=1)

    def read_first_colour(self, line: _Line) -> None:
        sides = [FIRST_COLOUR[word] for word in line.rest.split() if word in FIRST_COLOUR]
        self.frame |= {"first_side": sides[-1]} if sides else {}

    def read_apart(self, line: _Line) -> None:
        self.apart.append(line.numbers())

    def read_apart_first(self, line: _Line) -> None:
        self.apart_first.append((line.whole(LAST_ROUND, least=1), line.number_list(LISTS[APART])))

    def read_absent(self, line: _Line) -> None:
        self.absent += [(line, entry) for entry in line.numbers()]

    def read_byes(self, line: _Line) -> None:
        letter, number = line.at(BYE_KIND).upper(), line.whole(BYE_ROUND, least=1)
        if letter not in list(TrfAbsence):
            raise line.unread(BYE_KIND)
        self.byes += [(line, number, TrfAbsence(letter), entry) for entry in line.number_list(LISTS[BYES])]

    def read_team(self, line: _Line) -> None:
        name, players = TEAMS[line.code]
        self.teams += [(line, line.at(name).strip(), entry) for entry in line.number_list(players)]

    def read_tiebreaks(self, line: _Line) -> None:
        self.frame["tiebreaks"] = tuple(filter(None, map(str.strip, line.rest.split(","))))

    def read_comment(self, line: _Line) -> None:
        if line.text.startswith(EXTENSION):
            self.frame["extension"] = line.text.removeprefix(EXTENSION).strip()

    def read_point_system(self, line: _Line) -> None:
        """Read the points of each letter, in columns 6 and 7 to 10, then every 9 columns."""
        for first in range(6, len(line.text.rstrip()) + 1, 9):
            if (letter := line.at((first, first))) != "X":
                if letter not in RESULTS:
                    raise line.unread((first, first))
                self.worth |= dict.fromkeys(RESULTS[letter], line.tenths((first + 1, first + 4)))

    def report(self) -> TrfReport:
        """Return the report of all lines together."""
        told = tuple(
            sorted(
                (played for player in self.players.values() for played in self._pairings_of(player)),
                key=lambda played: (played.round, min(played.a + played.b)),
            )
        )
        last = max((played.round for played in told if played.b or self._is_drawn_bye(played)), default=0)
        undecided = {played for played in told if self._is_undecided(played, last)}
        points = PointSystem(**({"bye": self.worth["win"]} if "win" in self.worth else {}) | self.worth)
        for player in self.players.values():
            self._check_points(player, points, last)
        out = self._all_out(last)
        teams = {self._check_entry(line, entry): name for line, name, entry in self.teams}
        return TrfReport(
            **self.frame,
            points=points,
            apart=tuple(self.apart),
            apart_first=tuple(self.apart_first),
            entries=tuple(
                replace(player.entry, out=out[entry], team=teams.get(entry, ""))
                for entry, player in sorted(self.players.items())
            ),
            # Byes by own wish beyond the last round that was drawn are wishes for the next.
            history=tuple(played for played in told if played.round <= last and played not in undecided),
            pending=tuple(played for played in told if played in undecided),
        )

    def _all_out(self, last: int) -> dict[EntryId, dict[int, TrfAbsence]]:
        out = {entry: self._out(player, last) for entry, player in self.players.items()}
        for line, entry in self.absent:
            out[self._check_entry(line, entry)][last + 1] = TrfAbsence.ZERO
        for line, number, letter, entry in self.byes:
            if number > last:
                out[self._check_entry(line, entry)][number] = letter
        return out

    def _check_entry(self, line: _Line, entry: EntryId) -> EntryId:
        if entry not in self.players:
            raise line.unread((4, len(line.text)))
        return entry

    def _is_undecided(self, played: PlayedPairing, last: int) -> bool:
        """Return whether a match has no result yet. Refuses: report_undecided."""
        if not played.b or self.players[played.a[0]].cells[played.round].code != UNDECIDED:
            return False
        if played.round < last:
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

    def _pairings_of(self, player: _Player) -> Iterator[PlayedPairing]:
        me = player.entry.id
        for number, cell in player.cells.items():
            if cell.opponent is None:
                if cell.code != "Z":
                    yield PlayedPairing(round=number, a=(me,))
                continue
            other = self._facing(player, number, cell)
            if me > cell.opponent:
                continue  # yielded for the other player's line
            a, b = (cell.opponent, me) if cell.side is Side.B else (me, cell.opponent)
            won = {"1": Side.A, "+": Side.A, "0": Side.B}.get(cell.code)
            if cell.code == "-" and other.code == "+":
                won = Side.B
            if won is not None and a != me:
                won = won.other
            yield PlayedPairing(round=number, a=(a,), b=(b,), winner=won, is_forfeit=cell.code in "+-")

    def _facing(self, player: _Player, number: int, cell: TrfCell) -> TrfCell:
        """Return the cell of the same match in the opponent's line. Refuses: report_opponents_differ."""
        opponent = None if cell.opponent is None else self.players.get(cell.opponent)
        other = None if opponent is None else opponent.cells.get(number)
        if (
            other is None
            or cell.opponent == player.entry.id
            or other.opponent != player.entry.id
            or (cell.side is not None and cell.side is other.side)
            or ((cell.side is None) != (other.side is None))
            or (other.code != REVERSED[cell.code] and cell.code + other.code != "--")
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

    def _out(self, player: _Player, last: int) -> dict[int, TrfAbsence]:
        """Return how the entry sat out each round, or will; a round without a cell is an absence."""
        told = {
            number: TrfAbsence(cell.code)
            for number, cell in player.cells.items()
            if cell.opponent is None and cell.code in "FHZ"
        }
        blank = (number for number in range(1, last + 1) if number not in player.cells)
        return told | dict.fromkeys(blank, TrfAbsence.ZERO)

    def _check_points(self, player: _Player, points: PointSystem, last: int) -> None:
        """Check the player's points. A file made before a round may count what is known of it, or not yet;
        and a match without a result as a draw, or not yet."""
        worth = {number: points.worth(cell.code) for number, cell in player.cells.items()}
        blank = points.absence * sum(number not in worth for number in range(1, last + 1))
        counted = blank + sum(value for number, value in worth.items() if number <= last)
        known = counted + sum(value for number, value in worth.items() if number > last)
        undecided = points.draw * sum(cell.code == UNDECIDED for cell in player.cells.values())
        if player.points not in {counted, known, counted + undecided, known + undecided}:
            raise Refusal(
                "report_points_differ",
                field="report",
                line=player.line,
                entry=player.entry.id,
                points=player.points,
                counted=counted,
            )


_READERS: Mapping[str, Callable[[_Reader, _Line], None]] = {
    PLAYER: _Reader.read_player,
    **dict.fromkeys(TEXTS, _Reader.read_text),
    **dict.fromkeys(WORTH, _Reader.read_worth),
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
    EXTENSION[:3]: _Reader.read_comment,
}
"""The function that reads a line, by its code."""


def _cells(line: _Line) -> dict[int, TrfCell]:
    """Return the cells of the line by round; blank rounds are left out."""
    cells: dict[int, TrfCell] = {}
    for number in range(1, (len(line.text) - opponent_in(1)[0]) // 10 + 2):
        opponent = line.whole(opponent_in(number))
        colour, result = line.at(colour_in(number)).lower(), line.at(result_in(number)).upper()
        if not opponent and colour + result == "  ":
            continue
        known = REVERSED.keys() | SAME_AS.keys() if opponent else WITHOUT_OPPONENT.keys()
        if result not in known:
            raise line.unread(result_in(number))
        if colour not in COLOURS or (not opponent and COLOURS[colour] is not None):
            raise line.unread(colour_in(number))
        if opponent:
            cells[number] = TrfCell(SAME_AS.get(result, result), EntryId(opponent), COLOURS[colour])
        else:
            cells[number] = TrfCell(WITHOUT_OPPONENT[result])
    return cells
