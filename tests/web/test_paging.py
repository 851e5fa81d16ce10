"""Long lists, a page at a time."""

import doctest

from hypothesis import given
from hypothesis.strategies import integers

import web.paging
from web.paging import get_list_page

SIZES = integers(1, 50)


def test_paging_doctests_all_pass() -> None:
    examples = doctest.testmod(web.paging)
    assert (examples.attempted, examples.failed) == (4, 0)


@given(integers(0, 300), SIZES)
def test_pages_contain_each_line_once(found: int, size: int) -> None:
    lines, seen, number = list(range(found)), [], 1
    while True:
        part = get_list_page(found, number=number, size=size)
        seen += lines[part.places]
        if not part.has_next:
            break
        number += 1
    assert seen == lines


@given(integers(0, 300), integers(-5, 500), SIZES)
def test_page_number_is_clamped_to_existing_pages(found: int, number: int, size: int) -> None:
    part = get_list_page(found, number=number, size=size)
    assert part.number >= 1
    assert found == 0 or 1 <= part.first <= part.last <= found
