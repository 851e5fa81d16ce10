"""The tournament form: its lists can be rearranged, and invalid input is refused at its field."""

from typing import Any

import pytest

from tests.support.bureau import Bureau, convert_field_names, get_tournament
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.mark.slow
class TestStageFields:
    def test_rearranging_stages_loses_no_input(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.open_form(preset="swiss"), "stages.add", name="Autumn", stages__0__rounds="4")
        assert page.find_field("stages.1.count").value == "4"
        assert page.find_field("stages.1.format").value == "knockout"
        page = bureau.press(page, "stages.1.up", stages__1__count="8")
        assert page.find_field("stages.0.format").value == "knockout"
        assert page.find_field("stages.0.count").value == "8"
        assert page.find_field("stages.1.rounds").value == "4"
        page = bureau.press(page, "stages.0.down")
        page = bureau.press(page, "stages.0.remove")
        assert page.find_field("stages.0.format").value == "knockout"
        assert page.find_field("name").value == "Autumn"
        assert Event.objects.count() == 1

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("preset", "typed", "field", "sentence"),
        [
            (
                "swiss_final",
                {"stages__0__rounds": ""},
                "stages.0.rounds",
                "Enter the number of rounds of this stage",
            ),
            (
                "swiss_final",
                {"stages__1__count": ""},
                "stages.1.count",
                "Enter how many advance to this stage.",
            ),
            ("swiss_final", {"stages__1__count": "0"}, "stages.1.count", "0 is too small."),
            ("swiss_final", {"stages__1__count": "four"}, "stages.1.count", "“four” is not a whole number."),
            ("swiss_final", {"stages__1__takes": "pool_top"}, "stages.1.takes", "No pools before this stage"),
            (
                "swiss_final",
                {"stages__1__format": "rotation"},
                "stages.1.format",
                "Entries per side differ from the first",
            ),
            (
                "swiss_final",
                {"stages__1__format": "x"},
                "stages.1.format",
                "“x” is not allowed. Choose one of",
            ),
            (
                "swiss",
                {"stages__0__rounds": "100"},
                "stages.0.rounds",
                "100 is too large. Choose 99 or less.",
            ),
            (
                "rotation",
                {"ruleset": "two-player"},
                "stages.0.format",
                "Drawing partners needs four-player rules",
            ),
            (
                "pools_knockout",
                {"stages__0__settings__pools": "4"},
                "stages.0.settings.pool_size",
                "This setting",
            ),
            (
                "swiss_final_all",
                {"stages__2__first": "4"},
                "stages.2.first",
                "Send each rank to only one group",
            ),
            (
                "swiss_final_all",
                {"stages__2__takes": "all"},
                "stages.2.takes",
                "Send each rank to only one group",
            ),
        ],
    )
    def test_impossible_stages_are_refused_with_a_reason(
        self, preset: str, typed: dict[str, str], field: str, sentence: str
    ) -> None:
        bureau = Bureau()
        page = bureau.submit(bureau.open_form(preset=preset), name="Autumn", **typed)
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field("name").value == "Autumn"
        for name, value in convert_field_names(typed).items():
            if name in ("length", "ruleset"):
                assert page.list_checked_values(name) == [value]
            elif page.find_all(name=name)[0].tag == "input":
                assert page.find_field(name).value == value
        assert Event.objects.get() == bureau.event

    @pytest.mark.slow
    def test_error_summary_links_to_the_stage_field(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="swiss_final")
        typed: dict[str, Any] = {"stages.1.count": ""}
        page = bureau.browser.send(page, page.find_form(control_name="table_count"), ("check", "1"), **typed)
        assert page.find_link("Enter how many advance to this stage.") == "#id_stages.1.count"
        assert page.find_all(id="id_stages.1.count")

    @pytest.mark.snapshot
    def test_tournament_without_stages_is_refused(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.open_form(preset="swiss"), "stages.0.remove")
        page = bureau.submit(page)
        assert page.status == 422
        assert page.find_one(id="id_stages").text == "Add at least one stage."


class TestRankingFields:
    @pytest.mark.slow
    def test_buttons_reorder_the_ranking_criteria(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.open_form(preset="swiss"), "order.2.up")
        page = bureau.press(page, "order.3.remove")
        page = bureau.press(page, "order.add", added="lots")
        bureau.submit(page)
        assert get_tournament().ranking["order"] == ["match_wins", "buchholz", "difference", "lots"]

    @pytest.mark.slow
    def test_empty_ranking_is_refused(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="swiss")
        for _ in range(4):
            page = bureau.press(page, "order.0.remove")
        page = bureau.submit(page)
        assert page.find_one(id="id_order").text == "Choose at least one ranking criterion."
        assert Event.objects.count() == 1

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("dropped", "-1", "-1 is too small. Choose 0 or more."),
            ("dropped", "51", "51 is too large. Choose 50 or less."),
            ("cap", "0", "0 is too small. Choose 1 or more."),
            ("draw", "3", "A win must be worth at least a draw, and a draw at least a loss."),
        ],
    )
    def test_invalid_ranking_value_is_refused_at_its_field(self, field: str, typed: str, sentence: str) -> None:
        bureau = Bureau()
        page = bureau.submit(bureau.open_form(preset="swiss"), **{field: typed})
        assert page.status == 422
        assert page.get_field_error(field) == sentence


@pytest.mark.slow
class TestSectionFields:
    def test_sections_are_saved_with_their_tables(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.open_form(preset="swiss"), "sections.add")
        page = bureau.press(page, "sections.add", sections__0__name="Beginners")
        typed = {
            "sections__0__first_table": "1",
            "sections__0__last_table": "4",
            "sections__1__name": "Mixed",
        }
        bureau.submit(page, **typed)
        assert get_tournament().sections == [
            {"name": "Beginners", "first_table": 1, "last_table": 4},
            {"name": "Mixed", "first_table": None, "last_table": None},
        ]

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("sections.1.first_table", "4", "Some of these tables belong to “Beginners”."),
            ("sections.1.name", "beginners", "A section “beginners” already exists."),
            ("sections.1.name", "", "Give the section a name."),
            ("sections.1.name", "x" * 41, "Name too long: at most 40 characters."),
            ("sections.1.last_table", "", "Enter the first and last table, lower number first, or neither"),
            ("sections.1.last_table", "5", "Enter the first and last table, lower number first, or neither"),
            ("sections.1.last_table", "six", "“six” is not a whole number."),
        ],
    )
    def test_impossible_sections_are_refused_at_their_field(self, field: str, typed: str, sentence: str) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.press(bureau.open_form(preset="swiss"), "sections.add"), "sections.add")
        right = {"sections.0.name": "Beginners", "sections.0.first_table": "1", "sections.0.last_table": "4"}
        right |= {"sections.1.name": "Mixed", "sections.1.first_table": "6", "sections.1.last_table": "8"}
        page = bureau.submit(page, **right | {field: typed})
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert Event.objects.count() == 1


class TestPoolFields:
    @pytest.mark.long
    def test_pool_comparison_is_saved_for_pools_only(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="pools_knockout")
        bureau.submit(page, name="Pools", across_pools="without_last", scheduled_bye="draw")
        event = Event.objects.get(name="Pools")
        assert (event.ranking["across_pools"], event.ranking["scheduled_bye"]) == ("without_last", "draw")
        swiss = bureau.open_form(preset="swiss")
        bureau.submit(swiss, name="Swiss")
        assert Event.objects.get(name="Swiss").ranking["across_pools"] == "rates"
