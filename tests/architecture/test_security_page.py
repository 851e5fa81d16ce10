"""``docs/operating/security.md`` says no more than tests hold."""

from collections import Counter

import pytest

from operations import security_page as page

IN_EACH_CHAPTER = {
    1: 27,
    2: 11,
    3: 19,
    4: 10,
    5: 9,
    6: 35,
    7: 18,
    8: 7,
    9: 7,
    10: 29,
    11: 14,
    12: 9,
    13: 13,
    14: 9,
    15: 13,
    16: 16,
    17: 7,
}
"""How many requirements of levels 1 and 2 each chapter of ASVS 5.0 has."""
ON_LEVELS = {"1": 70, "2": 183}


@pytest.mark.slow
def test_the_page_is_the_one_that_is_made() -> None:
    assert page.FILE.read_text(encoding="utf-8") == page.security_page(), "python manage.py security_page"


def test_every_requirement_of_the_standard_is_there_once() -> None:
    found = page.requirements()
    assert dict(Counter(each.chapter for each in found)) == IN_EACH_CHAPTER
    assert dict(Counter(each.level for each in found)) == ON_LEVELS
    numbers = [each.number for each in found]
    assert numbers == sorted(set(numbers), key=lambda number: [int(part) for part in number.split(".")])


def test_what_holds_has_a_test_and_what_does_not_says_why() -> None:
    found = page.requirements()
    assert {each.state for each in found} <= set(page.STATES)
    assert [each.number for each in found if each.state == page.HOLDS and not each.tests] == []
    assert [each.number for each in found if each.state != page.HOLDS and not each.note] == []


def test_a_test_that_there_is_none_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = page.Requirement(
        number="1.1.1",
        level="1",
        state=page.HOLDS,
        asks="",
        tests=("server/test_headers.py::test_none",),
        note="",
    )
    monkeypatch.setattr(page, "requirements", lambda: (made_up,))
    with pytest.raises(LookupError):
        page.security_page()
