"""Writing a report as text."""

from collections.abc import Iterable, Iterator, Mapping

from engine.draws.values import EntryId
from errors import Refusal
from rules import Side

from .columns import (
    APART,
    EXTENSION,
    FIRST_ROUND,
    GIVEN,
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
from .report import PointSystem, ReportEntry, TrfCell, TrfReport, build_cells

LINE_END = "\r\n"


def render_trf(report: TrfReport) -> str:
    """Return the file's text, to be stored as UTF-8. Names are cut after 33 characters, as the format
    requires.

    Refuses: drawn_twice, no_such_entrant, not_one_a_side, report_full (a number too large for its columns).
    """
    return "".join(line.rstrip() + LINE_END for line in _iterate_lines(report))


def _iterate_lines(report: TrfReport) -> Iterator[str]:
    for code, name in TEXTS.items():
        if text := _clean_text(getattr(report, name)):
            yield f"{code} {text}"
    yield f"062 {len(report.entries)}"
    if report.rounds is not None:
        yield f"XXR {report.rounds}"
    if report.first_side is not None:
        yield f"XXC {'white1' if report.first_side is Side.A else 'black1'}"
    yield from _iterate_points(report.points)
    yield from _iterate_separated_groups(report)
    if report.tiebreaks:
        yield f"212 {','.join(report.tiebreaks)}"
    cells = build_cells(report)
    for entry in sorted(report.entries, key=lambda entry: entry.id):
        yield _format_player(report, entry, cells[entry.id])
    yield from _iterate_teams(report)
    yield from _iterate_given_points(report)
    if report.extension:
        yield EXTENSION + report.extension


def _iterate_points(points: PointSystem) -> Iterator[str]:
    usual = PointSystem(bye=points.win)
    for code, name in RESULT_POINTS.items():
        if getattr(points, name) != getattr(usual, name):
            yield f"{code} {_format_tenths(getattr(points, name)):>4}"


def _iterate_separated_groups(report: TrfReport) -> Iterator[str]:
    for group in report.apart:
        yield " ".join(("XXP", *map(str, group)))
    for last, group in report.apart_first:
        line = _Line(APART)
        line.put(FIRST_ROUND, "001")
        line.put(LAST_ROUND, f"{last:03}")
        line.put_list(LISTS[APART], group)
        yield str(line)


def _iterate_teams(report: TrfReport) -> Iterator[str]:
    """Yield the team lines in the form of 2016: that of 2026 is for matches between teams."""
    members: dict[str, list[EntryId]] = {}
    for entry in sorted(report.entries, key=lambda entry: entry.id):
        members.setdefault(_clean_text(entry.team), []).append(entry.id)
    (first, last), players = TEAMS["013"]
    for team in sorted(members.keys() - {""}):
        line = _Line("013")
        line.put((first, last), team[: last - first + 1].ljust(last - first + 1))
        line.put_list(players, members[team])
        yield str(line)


def _iterate_given_points(report: TrfReport) -> Iterator[str]:
    for entry in sorted(report.entries, key=lambda entry: entry.id):
        for number, points in sorted(entry.given.items()):
            line = _Line(GIVEN)
            line.put(GIVEN_POINTS, _format_tenths(points))
            line.put(GIVEN_ROUND, f"{number:03}")
            line.put_list(LISTS[GIVEN], [entry.id])
            yield str(line)


def _format_player(report: TrfReport, entry: ReportEntry, rounds: Mapping[int, TrfCell]) -> str:
    counted = (cell for number, cell in rounds.items() if number <= report.rounds_played)
    points = sum(report.points.get_points(cell.code) for cell in counted) + sum(entry.given.values())
    line = _Line(PLAYER)
    line.put(NUMBER, str(entry.id))
    line.put(NAME, _clean_text(entry.name)[: NAME[1] - NAME[0] + 1].ljust(NAME[1] - NAME[0] + 1))
    line.put(RATING, str(entry.rating or ""))
    line.put(POINTS, _format_tenths(points))
    line.put(RANK, str(entry.rank or ""))
    for number, cell in rounds.items():
        line.put(get_opponent_columns(number), "0000" if cell.opponent is None else str(cell.opponent))
        line.put(get_colour_columns(number), "-" if cell.side is None else "wb"[cell.side])
        line.put(get_result_columns(number), cell.code)
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

    def put_list(self, first_column: int, numbers: Iterable[int]) -> None:
        for place, number in enumerate(numbers):
            column = first_column + LIST_STEP * place
            self.put((column, column + 3), str(number))

    def __str__(self) -> str:
        return "".join(self._characters)


def _clean_text(text: str) -> str:
    """Replace characters that would break a line by spaces."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _format_tenths(points: int) -> str:
    return f"{points / 10:.1f}"
