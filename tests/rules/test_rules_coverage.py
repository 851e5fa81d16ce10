"""``docs/development/rules-coverage.md`` is up to date and lists every section of the rulebook."""

import pytest

from tools.rules_tested_page import PAGE_FILE, iter_sections, render_rules_page


@pytest.mark.slow
def test_rules_coverage_page_is_up_to_date() -> None:
    assert PAGE_FILE.read_text(encoding="utf-8") == render_rules_page(), "python manage.py rules_tested"


@pytest.mark.parametrize("number", range(1, 14))
def test_every_decision_has_a_section(number: int) -> None:
    assert any(f"D{number}" in one.quote_marks for one in iter_sections())


def test_every_section_names_its_source_and_implementation() -> None:
    sections = list(iter_sections())
    assert len(sections) > 60
    assert all(one.quote_marks and one.title and one.implementation for one in sections)
