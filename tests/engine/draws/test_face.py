import doctest
from dataclasses import replace

import pytest

import engine.draws
from engine.draws import FORMATS, DrawInput, Entrant, EntryId, draw
from errors import Refusal
from operations.data_dir import PROJECT

from .events import field

FIELD = field(*range(7), seed=4182)


@pytest.mark.parametrize("key", FORMATS)
def test_every_draw_names_its_format_and_its_seed(key: str) -> None:
    drawn = draw(key, FIELD)
    assert (drawn.format, drawn.seed) == (key, 4182)


def test_a_format_that_is_none_is_named() -> None:
    with pytest.raises(KeyError, match="tombola"):
        draw("tombola", FIELD)


def test_an_drawn_twice_in_the_field_is_no_field() -> None:
    twice = Entrant(id=EntryId(1), number=1)
    with pytest.raises(ValueError, match="twice"):
        DrawInput(round=1, entrants=(twice, twice))


def test_a_drawn_value_can_be_a_member_of_a_set() -> None:
    assert len({draw("random", FIELD), draw("random", FIELD)}) == 1


@pytest.mark.parametrize("odd", [{}, {"odd": "bye"}, {"odd": "two_player_table"}])
@pytest.mark.parametrize("key", [key for key, known in FORMATS.items() if known.draws_partners])
def test_the_fewest_of_a_format_have_a_table_and_fewer_have_none(key: str, odd: dict[str, str]) -> None:
    settings = odd if key != "progressive_individual" else {}
    fewest = FORMATS[key].fewest(settings)
    assert draw(key, replace(field(*range(fewest)), settings=settings)).tables
    assert not draw(key, replace(field(*range(fewest - 1)), settings=settings)).tables


def test_the_example_in_the_face_is_right() -> None:
    examples = doctest.testmod(engine.draws)
    assert examples.attempted > 0
    assert examples.failed == 0


def test_the_page_on_draws_names_every_format() -> None:
    page = (PROJECT / "docs" / "development" / "draws.md").read_text(encoding="utf-8")
    assert [key for key in FORMATS if f"`{key}`" not in page] == []


@pytest.mark.parametrize("key", FORMATS)
def test_a_setting_that_a_format_does_not_have_is_refused(key: str) -> None:
    with pytest.raises(Refusal) as caught:
        draw(key, replace(FIELD, settings={"colour": "blue"}))
    assert (caught.value.code, caught.value.field) == ("no_such_setting", "colour")
