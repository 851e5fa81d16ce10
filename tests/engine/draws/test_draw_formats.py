import doctest
from dataclasses import replace

import pytest

import engine.draws
from engine.draws import FORMATS, DrawInput, Entrant, EntryId, draw
from errors import Refusal
from operations.data_dir import PROJECT

from .events import build_field

FIELD = build_field(*range(7), seed=4182)


@pytest.mark.parametrize("key", FORMATS)
def test_every_draw_carries_its_format_and_seed(key: str) -> None:
    drawn = draw(key, FIELD)
    assert (drawn.format, drawn.seed) == (key, 4182)


def test_unknown_format_raises_key_error() -> None:
    with pytest.raises(KeyError, match="tombola"):
        draw("tombola", FIELD)


def test_field_rejects_a_duplicate_entrant() -> None:
    twice = Entrant(id=EntryId(1), number=1)
    with pytest.raises(ValueError, match="twice"):
        DrawInput(round=1, entrants=(twice, twice))


def test_draws_are_hashable_and_deduplicate_in_a_set() -> None:
    assert len({draw("random", FIELD), draw("random", FIELD)}) == 1


@pytest.mark.parametrize("odd", [{}, {"odd": "bye"}, {"odd": "two_player_table"}])
@pytest.mark.parametrize("key", [key for key, draw_format in FORMATS.items() if draw_format.draws_partners])
def test_minimum_field_gets_a_table_and_a_smaller_one_does_not(key: str, odd: dict[str, str]) -> None:
    settings = odd if key != "progressive_individual" else {}
    fewest = FORMATS[key].min_entrants(settings)
    assert draw(key, replace(build_field(*range(fewest)), settings=settings)).tables
    assert not draw(key, replace(build_field(*range(fewest - 1)), settings=settings)).tables


def test_package_doctest_examples_pass() -> None:
    examples = doctest.testmod(engine.draws)
    assert examples.attempted > 0
    assert examples.failed == 0


def test_draws_documentation_names_every_format() -> None:
    page = (PROJECT / "docs" / "development" / "draws.md").read_text(encoding="utf-8")
    assert [key for key in FORMATS if f"`{key}`" not in page] == []


@pytest.mark.parametrize("key", FORMATS)
def test_every_format_rejects_an_unknown_setting(key: str) -> None:
    with pytest.raises(Refusal) as caught:
        draw(key, replace(FIELD, settings={"colour": "blue"}))
    assert (caught.value.code, caught.value.field) == ("no_such_setting", "colour")
