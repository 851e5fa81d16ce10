"""Hostile values in the forms of a tournament get an error message and never a server error."""

from itertools import product
from typing import Any

import pytest

from engine.presets import PRESETS
from engine.ranking import RankingRules
from tests.every_page.test_hostile_values import NASTY
from tests.long_runs import IS_LONG
from tests.support.browser import Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.events.forms.settings import get_ranking_data, get_sections_data, get_stages_data

pytestmark = [pytest.mark.django_db, pytest.mark.long]

nasty_values = pytest.mark.parametrize("nasty", NASTY.values(), ids=list(NASTY))
SECTIONS = [{"name": "Beginners", "first_table": 1, "last_table": 4}]
LISTS: dict[str, Any] = {
    **get_stages_data(PRESETS["pools_knockout"].stages(24, 6)),
    **get_ranking_data(RankingRules()),
    **get_sections_data(SECTIONS),
}
NEW = {"name": "Autumn", "held_on": "2026-11-17", "ruleset": "maine", "length": "games_to_win"}
NEW |= {"games_to_win": "1", "table_count": "4", "expected": "24", "details": "trump"}
VALID_FORM = {"name": "Autumn", "held_on": "2026-11-17", "table_count": "4", "key": "", "reason": ""}
STRANGE = (
    {"stages.999.format": "swiss"},
    {"stages.x.format": "swiss"},
    {"stages.": "swiss"},
    {"stages": "swiss"},
    {"order.0": "lots"},
    {"sections.0": "x"},
    {"stages.²": "x", "stages.0.was": "²"},
)


def list_tested_fields(nasty: str, form: int) -> list[str]:
    """Return the list fields to try with a value: a share of them per form, or all in a long run."""
    first = (list(NASTY.values()).index(nasty) + form) % len(NASTY)
    return list(LISTS) if IS_LONG else list(LISTS)[first :: len(NASTY)]


def is_answered(page: Page) -> bool:
    """Return whether the page succeeded, or refused the input with a message."""
    return page.status < 400 or (
        page.status < 500 and bool(page.alert or page.find_all(class_="error") or page.find_all(class_="empty"))
    )


@nasty_values
def test_no_value_crashes_the_new_tournament_form(nasty: str) -> None:
    office = Office()
    office.browser.client.handler.enforce_csrf_checks = False
    address = f"/club/{office.club.slug}/tournament"
    for field in (*NEW, *list_tested_fields(nasty, 0), "change", "check", "added"):
        page = Page(office.browser.client.post(address, {**NEW, **LISTS, field: nasty}))
        assert is_answered(page), field
    for field in ("preset", "partners", "all_play", "final", "expected", "rounds", "minutes"):
        answers = {"partners": "fixed", "all_play": "yes", "final": "no", "expected": "24", field: nasty}
        assert Page(office.browser.client.get(address, answers)).status < 500, field


@nasty_values
def test_no_value_crashes_the_settings_form(nasty: str) -> None:
    hall = Hall()
    hall.desk.client.handler.enforce_csrf_checks = False
    address = f"/e/{hall.event.short}/desk/settings"
    lists = list_tested_fields(nasty, 1)
    fields = {
        "name": ["name", "held_on", "key", "reason"],
        "tables": ["table_count"],
        "stages": [field for field in lists if field.startswith("stages.")],
        "ranking": [field for field in lists if "." not in field],
        "sections": [field for field in lists if field.startswith("sections.")],
        nasty: ["part"],
    }
    for part, own in fields.items():
        for field in (*own, "change", "added"):
            page = Page(hall.desk.client.post(address, {**VALID_FORM, **LISTS, "part": part, field: nasty}))
            assert is_answered(page), (part, field)


def test_unknown_form_fields_never_crash_a_page() -> None:
    hall = Hall()
    hall.desk.client.handler.enforce_csrf_checks = False
    new = f"/club/{hall.event.club.slug}/tournament"
    for strange in STRANGE:
        assert is_answered(Page(hall.desk.client.post(new, {**NEW, **LISTS, **strange}))), strange
    for part, strange in product(("stages", "ranking", "sections"), STRANGE):
        form_values = {**VALID_FORM, **LISTS, "part": part}
        page = Page(hall.desk.client.post(f"/e/{hall.event.short}/desk/settings", {**form_values, **strange}))
        assert is_answered(page), (part, strange)
