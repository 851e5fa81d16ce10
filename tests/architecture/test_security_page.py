"""``docs/operating/security.md`` claims only requirements that a test checks."""

from collections import Counter

import pytest

from tools import security_page as page

COUNTS_BY_CHAPTER = {
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
"""Number of requirements of levels 1 and 2 in each chapter of ASVS 5.0."""
COUNTS_BY_LEVEL = {"1": 70, "2": 183}


@pytest.mark.slow
def test_security_page_is_up_to_date() -> None:
    assert page.PAGE_FILE.read_text(encoding="utf-8") == page.render_security_page(), "python manage.py security_page"


def test_security_page_lists_every_requirement_once() -> None:
    found = page.requirements()
    assert dict(Counter(each.chapter for each in found)) == COUNTS_BY_CHAPTER
    assert dict(Counter(each.level for each in found)) == COUNTS_BY_LEVEL
    numbers = [each.number for each in found]
    assert numbers == sorted(set(numbers), key=lambda number: [int(part) for part in number.split(".")])


def test_met_requirement_has_a_test_and_others_a_reason() -> None:
    found = page.requirements()
    assert {each.state for each in found} <= set(page.STATES)
    assert [each.number for each in found if each.state == page.MET and not each.tests] == []
    assert [each.number for each in found if each.state != page.MET and not each.note] == []


@pytest.mark.slow
def test_security_page_rejects_a_missing_test(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = page.Requirement(
        number="1.1.1",
        level="1",
        state=page.MET,
        text="",
        tests=("server/test_headers.py::test_none",),
        note="",
    )
    monkeypatch.setattr(page, "requirements", lambda: (made_up,))
    with pytest.raises(LookupError):
        page.render_security_page()
