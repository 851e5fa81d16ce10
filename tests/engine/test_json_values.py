"""Frozen values from JSON data, by the types of their fields."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.json_values import build_reader, read_value


class Score(NamedTuple):
    points: int
    games: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    held_on: datetime.date
    scores: tuple[Score, ...] = ()
    years: Mapping[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Winner:
    match: int


@dataclass(frozen=True, slots=True)
class Bye:
    entry: int


def test_missing_values_are_the_usual_ones_and_unknown_ones_are_left_out() -> None:
    assert read_value(Night, {"held_on": "2026-11-17", "weather": "snow"}) == Night(held_on=datetime.date(2026, 11, 17))


def test_tuples_mappings_and_days_come_back_in_their_types() -> None:
    night = Night(held_on=datetime.date(2026, 11, 17), scores=(Score(32, (2, 1)),), years={2026: "first"})
    data = {"held_on": "2026-11-17", "scores": [[32, [2, 1]]], "years": {"2026": "first"}}
    assert read_value(Night, data) == night


def test_a_tag_says_which_of_several_kinds_it_is() -> None:
    read_source = build_reader(Winner | Bye | None, (("winner", Winner), ("bye", Bye)))
    assert read_source({"from": "bye", "entry": 3}) == Bye(3)
    assert read_source({"from": "winner", "match": 4}) == Winner(4)
    assert read_source(None) is None
