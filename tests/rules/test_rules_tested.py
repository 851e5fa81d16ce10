"""``docs/development/rules-coverage.md``: it is current, and no section of the rulebook got lost."""

import pytest

from tools.rules_tested_page import FILE, rules_tested_page, sections


@pytest.mark.slow
def test_the_page_is_as_the_command_writes_it() -> None:
    assert FILE.read_text(encoding="utf-8") == rules_tested_page(), "python manage.py rules_tested"


@pytest.mark.parametrize("number", range(1, 14))
def test_of_every_decision_there_is_a_section(number: int) -> None:
    assert any(f"D{number}" in one.quotes for one in sections())


def test_every_section_says_where_it_is_from_and_what_became_of_it() -> None:
    known = list(sections())
    assert len(known) > 60
    assert all(one.quotes and one.title and one.here for one in known)
