"""A report from its text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.draws.values import EntryId, PlayedPairing
from rules import Refusal, Side

from .columns import (
    NAME,
    NUMBER,
    PLAYER,
    POINTS,
    RANK,
    RATING,
    TEXTS,
    WORTH,
    Columns,
    colour_in,
    opponent_in,
    result_in,
)
from .report import PointSystem, ReportEntry, TrfAbsence, TrfCell, TrfReport

ROUNDS = {"XXR", "142"}
TEAMS = {"013", "310"}
RESULTS = {"W": ["win"], "D": ["draw"], "L": ["loss"], "A": ["absence", "forfeit_loss"], "P": ["bye"]}
"""What the letters of line 162 are worth; there is no X, a result still unknown, here."""
FIRST_COLOUR = {"white1": Side.A, "black1": Side.B, "W": Side.A, "B": Side.B}
COLOURS = {"w": Side.A, "b": Side.B, "-": None, " ": None}
REVERSED = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}
SAME_AS = {"W": "1", "D": "=", "L": "0"}
"""Games of less than one move: not rated, but counted like any other."""
WITHOUT_OPPONENT = {"U": "U", "F": "F", "H": "H", "Z": "Z", " ": "Z", "+": "U", "=": "H", "-": "Z"}
"""How a bye is told, also in files older than the letters for it."""


def read_report(text: str) -> TrfReport:
    """The report in a file's text. Lines of other codes are passed over.

    Refuses, naming the line (from 1): report_line (columns that cannot be read), drawn_twice,
    report_opponents_differ, report_points_differ, report_teams.
    """
    reader = _Reader()
    # Not splitlines: a name may hold what Python takes for the end of a line.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        reader.line(number, line)
    return reader.report()


@dataclass(frozen=True, slots=True)
class _Player:
    """A player's line as it was read."""

    line: int
    entry: ReportEntry
    points: int
    cells: Mapping[int, TrfCell]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line, by the columns of the handbook; what is beyond its end is blank."""

    number: int
    text: str

    def at(self, columns: Columns) -> str:
        first, last = columns
        return self.text[first - 1 : last].ljust(last - first + 1)

    def whole(self, columns: Columns, *, least: int = 0) -> int:
        """The number in these columns, 0 where they are blank."""
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
        """The starting numbers in a list from column 4."""
        words = self.text[3:].split()
        if not all(re.fullmatch(r"[0-9]+", word) for word in words):
            raise self.unread((4, len(self.text)))
        return tuple(EntryId(int(word)) for word in words)

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
    absent: list[tuple[_Line, EntryId]] = field(default_factory=list)

    def line(self, number: int, text: str) -> None:
        line, code, rest = _Line(number, text), text[:3], text[3:].strip()
        if code == PLAYER:
            self._player(line)
        elif code in TEAMS:
            raise Refusal("report_teams", field="report", line=number)
        elif code in TEXTS:
            self.frame[TEXTS[code]] = rest
        elif code in WORTH:
            self.worth[WORTH[code]] = line.tenths((5, max(8, len(text))))
        elif code == "162":
            self._point_system(line)
        elif code in ROUNDS:
            self.frame["rounds"] = line.whole((4, max(8, len(text))), least=1)
        elif code in {"XXC", "152"}:
            sides = [FIRST_COLOUR[word] for word in rest.split() if word in FIRST_COLOUR]
            self.frame |= {"first_side": sides[-1]} if sides else {}
        elif code == "XXP":
            self.apart.append(line.numbers())
        elif code == "XXZ":
            self.absent += [(line, entry) for entry in line.numbers()]

    def _player(self, line: _Line) -> None:
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

    def _point_system(self, line: _Line) -> None:
        """Columns 6 and 7 to 10, then 9 columns on: a letter and its points."""
        for first in range(6, len(line.text.rstrip()) + 1, 9):
            if (letter := line.at((first, first))) != "X":
                if letter not in RESULTS:
                    raise line.unread((first, first))
                self.worth |= dict.fromkeys(RESULTS[letter], line.tenths((first + 1, first + 4)))

    def report(self) -> TrfReport:
        """All lines together."""
        history = tuple(
            sorted(
                (played for player in self.players.values() for played in self._pairings_of(player)),
                key=lambda played: (played.round, min(played.a + played.b)),
            )
        )
        last = max((played.round for played in history if played.b or self._is_drawn_bye(played)), default=0)
        points = PointSystem(**({"bye": self.worth["win"]} if "win" in self.worth else {}) | self.worth)
        out = {entry: self._out(player, last) for entry, player in self.players.items()}
        for line, entry in self.absent:
            if entry not in out:
                raise line.unread((4, len(line.text)))
            out[entry][last + 1] = TrfAbsence.ZERO
        for player in self.players.values():
            self._check_points(player, points, last)
        return TrfReport(
            **self.frame,
            points=points,
            apart=tuple(self.apart),
            entries=tuple(
                replace(player.entry, out=out[entry]) for entry, player in sorted(self.players.items())
            ),
            # Byes by own wish beyond the last round that was drawn are wishes for the next.
            history=tuple(played for played in history if played.round <= last),
        )

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
                continue  # told by the line of the other
            a, b = (cell.opponent, me) if cell.side is Side.B else (me, cell.opponent)
            won = {"1": Side.A, "+": Side.A, "0": Side.B}.get(cell.code)
            if cell.code == "-" and other.code == "+":
                won = Side.B
            if won is not None and a != me:
                won = won.other
            yield PlayedPairing(round=number, a=(a,), b=(b,), winner=won, is_forfeit=cell.code in "+-")

    def _facing(self, player: _Player, number: int, cell: TrfCell) -> TrfCell:
        """What the opponent's line says of the same match. Refuses: report_opponents_differ."""
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
        return {
            number: TrfAbsence(cell.code)
            for number, cell in player.cells.items()
            if cell.opponent is None and (cell.code in "FH" or (cell.code == "Z" and number > last))
        }

    def _check_points(self, player: _Player, points: PointSystem, last: int) -> None:
        """A file made before a round may count what is known of it, or not yet."""
        worth = {number: points.worth(cell.code) for number, cell in player.cells.items()}
        blank = points.absence * sum(number not in worth for number in range(1, last + 1))
        counted = blank + sum(value for number, value in worth.items() if number <= last)
        known = counted + sum(value for number, value in worth.items() if number > last)
        if player.points not in {counted, known}:
            raise Refusal(
                "report_points_differ",
                field="report",
                line=player.line,
                entry=player.entry.id,
                points=player.points,
                counted=counted,
            )


def _cells(line: _Line) -> dict[int, TrfCell]:
    """By round what the line tells; nothing of rounds that are blank."""
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
