"""Ladders and their lines as JSON data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any, TypeVar

from engine.draws.settings import check_setting_names, parse_choice, parse_whole_number
from errors import Refusal

from .values import Eligibility, Ladder, LadderFigure, LadderRow, LadderUnit, Score

NAME_LENGTH = 40
MAX_LADDERS = 8
MAX_NIGHTS = 366
MAX_POINTS = 1_000
MAX_RANKS = 100

LadderJson = Mapping[str, Any]
LadderRowJson = dict[str, Any]

_Member = TypeVar("_Member", bound=StrEnum)


def ladder_to_json(ladder: Ladder) -> dict[str, Any]:
    """Return the name of a ladder, and its settings that differ from the usual ones."""
    usual = asdict(Ladder(name=""))
    return {name: value for name, value in asdict(ladder).items() if value != usual[name]}


def ladder_from_json(data: LadderJson) -> Ladder:
    """Return the ladder from the output of ``ladder_to_json``, or from values of a form.

    Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small, number_too_large, not_a_list,
    ladder_name_required, name_too_long.
    """
    check_setting_names(data, (item.name for item in fields(Ladder)))
    name = str(data.get("name", ""))
    if not name:
        raise Refusal("ladder_name_required", field="name")
    if len(name) > NAME_LENGTH:
        raise Refusal("name_too_long", field="name", name=name, most=NAME_LENGTH)
    return Ladder(
        name=name,
        unit=_parse_member(LadderUnit, data, "unit", LadderUnit.PERSON),
        counts=_parse_member(LadderFigure, data, "counts", LadderFigure.POINTS_FOR),
        rank_points=_parse_rank_points(data.get("rank_points", ())),
        best=_read_number(data, "best", least=1, maximum=MAX_NIGHTS),
        least_nights=_read_number(data, "least_nights", least=0, maximum=MAX_NIGHTS) or 0,
        presence=_read_number(data, "presence", least=0, maximum=MAX_POINTS) or 0,
        who=_parse_member(Eligibility, data, "who", Eligibility.ALL),
        label=str(data.get("label", "")),
    )


def ladders_from_json(data: Sequence[LadderJson]) -> tuple[Ladder, ...]:
    """Return the ladders of a season; a refusal of one names its field as ``ladders.0.name``.

    Refuses: ladder_required, too_many_ladders, ladder_name_taken, and what ``ladder_from_json`` does.
    """
    if not data:
        raise Refusal("ladder_required", field="ladders")
    if len(data) > MAX_LADDERS:
        raise Refusal("too_many_ladders", field="ladders", most=MAX_LADDERS)
    found: list[Ladder] = []
    for place, one in enumerate(data):
        try:
            ladder = ladder_from_json(one)
        except Refusal as refusal:
            raise Refusal(refusal.code, field=f"ladders.{place}.{refusal.field}", **refusal.details) from None
        if ladder.name.casefold() in {other.name.casefold() for other in found}:
            raise Refusal("ladder_name_taken", field=f"ladders.{place}.name", name=ladder.name)
        found.append(ladder)
    return tuple(found)


def build_line_key(players: Sequence[int]) -> str:
    """Return the key of a line in addresses: ``12``, or ``12-31`` for a pair."""
    return "-".join(map(str, players))


def build_scores_key(players: Sequence[int]) -> str:
    """Return the key under which the nights of a line are stored, so that a database finds them without
    reading all."""
    return "_".join(["line", *map(str, players)])


def rows_to_json(rows: Iterable[LadderRow]) -> list[LadderRowJson]:
    """Return the lines as plain data without their nights, which most readers do not open::

    {"players": [12, 31], "rank": 1, "total": 214, "bonus": 10, "nights": 9, "firsts": 3, "highest": 40}
    """
    names = ("rank", "total", "bonus", "nights", "firsts", "highest")
    return [{"players": list(row.players), **{name: getattr(row, name) for name in names}} for row in rows]


def scores_to_json(rows: Iterable[LadderRow]) -> dict[str, list[list[int]]]:
    """Return the nights of each line by its key: event, entry, rank, of, gained, and 1 where it counts."""
    return {
        build_scores_key(row.players): [
            [score.event, score.entry, score.rank, score.of, score.gained, int(score.is_counted)]
            for score in row.scores
        ]
        for row in rows
    }


def scores_from_json(data: Iterable[Sequence[int]]) -> tuple[Score, ...]:
    """Return the nights from a value of ``scores_to_json``."""
    return tuple(
        Score(event=event, entry=entry, rank=rank, of=entry_count, gained=points, is_counted=bool(is_counted))
        for event, entry, rank, entry_count, points, is_counted in data
    )


def list_score_events(ladders: Iterable[Mapping[str, Iterable[Sequence[int]]]]) -> set[int]:
    """Return the events of all nights in these ladders, each as ``scores_to_json`` has it."""
    return {event for ladder_scores in ladders for scores in ladder_scores.values() for event, *_ in scores}


def _parse_member(kind: type[_Member], data: LadderJson, name: str, usual: _Member) -> _Member:
    return kind(parse_choice({name: str(data.get(name, usual.value))}, name, tuple(one.value for one in kind)))


def _read_number(data: LadderJson, name: str, *, least: int, maximum: int) -> int | None:
    number = parse_whole_number(data, name, least=least)
    if number is not None and number > maximum:
        raise Refusal("number_too_large", field=name, value=number, most=maximum)
    return number


def _parse_rank_points(data: Any) -> tuple[int, ...]:
    """Return the points by rank. Refuses: not_a_list, too_many_ranks, rank_points_disordered."""
    if not isinstance(data, list | tuple) or not all(type(each) is int for each in data):
        raise Refusal("not_a_list", field="rank_points", value=data)
    if len(data) > MAX_RANKS:
        raise Refusal("too_many_ranks", field="rank_points", most=MAX_RANKS)
    if any(not 0 <= each <= MAX_POINTS for each in data) or list(data) != sorted(data, reverse=True):
        raise Refusal("rank_points_disordered", field="rank_points", most=MAX_POINTS)
    return tuple(data)
