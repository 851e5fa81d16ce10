"""Ladders and their lines as JSON data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any, TypeVar

from engine.draws.settings import check_setting_names, choice, whole_number
from errors import Refusal

from .values import Counts, Ladder, LadderRow, LadderUnit, Score, Who

NAME_LENGTH = 40
MOST_LADDERS = 8
MOST_NIGHTS = 366
MOST_POINTS = 1_000
MOST_RANKS = 100

PlainLadder = Mapping[str, Any]
PlainLadderRow = dict[str, Any]

_Member = TypeVar("_Member", bound=StrEnum)


def ladder_to_json(ladder: Ladder) -> dict[str, Any]:
    """Return the name of a ladder, and its settings that differ from the usual ones."""
    usual = asdict(Ladder(name=""))
    return {name: value for name, value in asdict(ladder).items() if value != usual[name]}


def ladder_from_json(plain: PlainLadder) -> Ladder:
    """Return the ladder from the output of ``ladder_to_json``, or from values of a form.

    Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small, number_too_large, not_a_list,
    ladder_name_required, name_too_long.
    """
    check_setting_names(plain, (item.name for item in fields(Ladder)))
    name = str(plain.get("name", ""))
    if not name:
        raise Refusal("ladder_name_required", field="name")
    if len(name) > NAME_LENGTH:
        raise Refusal("name_too_long", field="name", name=name, most=NAME_LENGTH)
    return Ladder(
        name=name,
        unit=_member(LadderUnit, plain, "unit", LadderUnit.PERSON),
        counts=_member(Counts, plain, "counts", Counts.POINTS_FOR),
        rank_points=_rank_points(plain.get("rank_points", ())),
        best=_read_number(plain, "best", least=1, most=MOST_NIGHTS),
        least_nights=_read_number(plain, "least_nights", least=0, most=MOST_NIGHTS) or 0,
        presence=_read_number(plain, "presence", least=0, most=MOST_POINTS) or 0,
        who=_member(Who, plain, "who", Who.ALL),
        label=str(plain.get("label", "")),
    )


def ladders_from_json(plain: Sequence[PlainLadder]) -> tuple[Ladder, ...]:
    """Return the ladders of a season; a refusal of one names its field as ``ladders.0.name``.

    Refuses: ladder_required, too_many_ladders, ladder_name_taken, and what ``ladder_from_json`` does.
    """
    if not plain:
        raise Refusal("ladder_required", field="ladders")
    if len(plain) > MOST_LADDERS:
        raise Refusal("too_many_ladders", field="ladders", most=MOST_LADDERS)
    found: list[Ladder] = []
    for place, one in enumerate(plain):
        try:
            ladder = ladder_from_json(one)
        except Refusal as refusal:
            raise Refusal(refusal.code, field=f"ladders.{place}.{refusal.field}", **refusal.details) from None
        if ladder.name.casefold() in {other.name.casefold() for other in found}:
            raise Refusal("ladder_name_taken", field=f"ladders.{place}.name", name=ladder.name)
        found.append(ladder)
    return tuple(found)


def line_key(players: Sequence[int]) -> str:
    """Return the key of a line in addresses: ``12``, or ``12-31`` for a pair."""
    return "-".join(map(str, players))


def scores_key(players: Sequence[int]) -> str:
    """Return the key under which the nights of a line are stored, so that a database finds them without
    reading all."""
    return "_".join(["line", *map(str, players)])


def rows_to_json(rows: Iterable[LadderRow]) -> list[PlainLadderRow]:
    """Return the lines as plain data without their nights, which most readers do not open::

    {"players": [12, 31], "rank": 1, "total": 214, "bonus": 10, "nights": 9, "firsts": 3, "highest": 40}
    """
    names = ("rank", "total", "bonus", "nights", "firsts", "highest")
    return [{"players": list(row.players), **{name: getattr(row, name) for name in names}} for row in rows]


def scores_to_json(rows: Iterable[LadderRow]) -> dict[str, list[list[int]]]:
    """Return the nights of each line by its key: event, entry, rank, of, gained, and 1 where it counts."""
    return {
        scores_key(row.players): [
            [score.event, score.entry, score.rank, score.of, score.gained, int(score.is_counted)]
            for score in row.scores
        ]
        for row in rows
    }


def scores_from_json(plain: Iterable[Sequence[int]]) -> tuple[Score, ...]:
    """Return the nights from a value of ``scores_to_json``."""
    return tuple(
        Score(event=event, entry=entry, rank=rank, of=of, gained=gained, is_counted=bool(is_counted))
        for event, entry, rank, of, gained, is_counted in plain
    )


def events_in_scores(ladders: Iterable[Mapping[str, Iterable[Sequence[int]]]]) -> set[int]:
    """Return the events of all nights in these ladders, each as ``scores_to_json`` has it."""
    return {event for plain in ladders for scores in plain.values() for event, *_ in scores}


def _member(kind: type[_Member], plain: PlainLadder, name: str, usual: _Member) -> _Member:
    return kind(choice({name: str(plain.get(name, usual.value))}, name, tuple(one.value for one in kind)))


def _read_number(plain: PlainLadder, name: str, *, least: int, most: int) -> int | None:
    number = whole_number(plain, name, least=least)
    if number is not None and number > most:
        raise Refusal("number_too_large", field=name, value=number, most=most)
    return number


def _rank_points(plain: Any) -> tuple[int, ...]:
    """Return the points by rank. Refuses: not_a_list, too_many_ranks, rank_points_disordered."""
    if not isinstance(plain, list | tuple) or not all(type(each) is int for each in plain):
        raise Refusal("not_a_list", field="rank_points", value=plain)
    if len(plain) > MOST_RANKS:
        raise Refusal("too_many_ranks", field="rank_points", most=MOST_RANKS)
    if any(not 0 <= each <= MOST_POINTS for each in plain) or list(plain) != sorted(plain, reverse=True):
        raise Refusal("rank_points_disordered", field="rank_points", most=MOST_POINTS)
    return tuple(plain)
