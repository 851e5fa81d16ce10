"""Writing a report as text."""

from collections.abc import Iterable, Iterator, Mapping

from engine.draws.values import EntryId
from errors import Refusal
from rules import Side

from .columns import (
    APART,
    EXTENSION,
    FIRST_ROUND,
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
from .report import PointSystem, ReportEntry, TrfCell, TrfReport, cells_of

LINE_END = "\r\n"


def render_trf(report: TrfReport) -> str:
    """Return the file's text, to be stored as UTF-8. Names are cut after 33 characters, as the format
    requires.

    Refuses: drawn_twice, no_such_entrant, not_one_a_side, report_full (a number too large for its columns).
    """
    return "".join(line.rstrip() + LINE_END for line in _lines(report))


def _lines(report: TrfReport) -> Iterator[str]:
    for code, name in TEXTS.items():
        if text := _plain(getattr(report, name)):
            yield f"{code} {text}"
    yield f"062 {len(report.entries)}"
    if report.rounds is not None:
        yield f"XXR {report.rounds}"
    if report.first_side is not None:
        yield f"XXC {'white1' if report.first_side is Side.A else 'black1'}"
    yield from _points(report.points)
    yield from _kept_apart(report)
    if report.tiebreaks:
        yield f"212 {','.join(report.tiebreaks)}"
    cells = cells_of(report)
    for entry in sorted(report.entries, key=lambda entry: entry.id):
        yield _player(report, entry, cells[entry.id])
    yield from _teams(report)
    if report.extension:
        yield EXTENSION + report.extension


def _points(points: PointSystem) -> Iterator[str]:
    usual = PointSystem(bye=points.win)
    for code, name in WORTH.items():
        if getattr(points, name) != getattr(usual, name):
            yield f"{code} {_tenths(getattr(points, name)):>4}"


def _kept_apart(report: TrfReport) -> Iterator[str]:
    for group in report.apart:
        yield " ".join(("XXP", *map(str, group)))
    for last, group in report.apart_first:
        line = _Line(APART)
        line.put(FIRST_ROUND, "001")
        line.put(LAST_ROUND, f"{last:03}")
        line.put_list(LISTS[APART], group)
        yield str(line)


def _teams(report: TrfReport) -> Iterator[str]:
    """Yield the team lines in the form of 2016: that of 2026 is for matches between teams."""
    members: dict[str, list[EntryId]] = {}
    for entry in sorted(report.entries, key=lambda entry: entry.id):
        members.setdefault(_plain(entry.team), []).append(entry.id)
    (first, last), players = TEAMS["013"]
    for team in sorted(members.keys() - {""}):
        line = _Line("013")
        line.put((first, last), team[: last - first + 1].ljust(last - first + 1))
        line.put_list(players, members[team])
        yield str(line)


def _player(report: TrfReport, entry: ReportEntry, rounds: Mapping[int, TrfCell]) -> str:
    counted = (cell for number, cell in rounds.items() if number <= report.rounds_played)
    points = sum(report.points.worth(cell.code) for cell in counted)
    line = _Line(PLAYER)
    line.put(NUMBER, str(entry.id))
    line.put(NAME, _plain(entry.name)[: NAME[1] - NAME[0] + 1].ljust(NAME[1] - NAME[0] + 1))
    line.put(RATING, str(entry.rating or ""))
    line.put(POINTS, _tenths(points))
    line.put(RANK, str(entry.rank or ""))
    for number, cell in rounds.items():
        line.put(opponent_in(number), "0000" if cell.opponent is None else str(cell.opponent))
        line.put(colour_in(number), "-" if cell.side is None else "wb"[cell.side])
        line.put(result_in(number), cell.code)
    return str(line)


class _Line:
    """A line whose columns are filled one field at a time, to the right."""

    def __init__(self, code: str) -> None:
        self._characters = list(code)

    def put(self, columns: Columns, text: str) -> None:
        first, last = columns
        width = last - first + 1
        if len(text) > width:
            raise Refusal("report_full", field="report", value=text, columns=columns)
        self._characters += " " * (last - len(self._characters))
        self._characters[first - 1 : last] = text.rjust(width)

    def put_list(self, first: int, numbers: Iterable[int]) -> None:
        for place, number in enumerate(numbers):
            column = first + LIST_STEP * place
            self.put((column, column + 3), str(number))

    def __str__(self) -> str:
        return "".join(self._characters)


def _plain(text: str) -> str:
    """Replace characters that would break a line by spaces."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _tenths(points: int) -> str:
    return f"{points // 10}.{points % 10}"
