"""The form of a tournament: its lists are rearranged, and what cannot be is refused at its field."""

from typing import Any

import pytest

from tests.support.bureau import Bureau, fields, tournament
from tournaments.models import Event

pytestmark = pytest.mark.django_db


class TestTheStages:
    @pytest.mark.slow
    def test_are_added_moved_and_taken_out_and_nothing_typed_is_lost(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.choose(preset="swiss"), "stages.add", name="Autumn", stages__0__rounds="4")
        assert page.field("stages.1.count").value == "4"
        assert page.field("stages.1.format").value == "knockout"
        page = bureau.press(page, "stages.1.up", stages__1__count="8")
        assert page.field("stages.0.format").value == "knockout"
        assert page.field("stages.0.count").value == "8"
        assert page.field("stages.1.rounds").value == "4"
        page = bureau.press(page, "stages.0.down")
        page = bureau.press(page, "stages.0.remove")
        assert page.field("stages.0.format").value == "knockout"
        assert page.field("name").value == "Autumn"
        assert Event.objects.count() == 1

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
    def test_that_cannot_work_are_refused_at_the_field_with_the_reason(
        self, preset: str, typed: dict[str, str], field: str, sentence: str
    ) -> None:
        bureau = Bureau()
        page = bureau.make(bureau.choose(preset=preset), name="Autumn", **typed)
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field("name").value == "Autumn"
        for name, value in fields(typed).items():
            if name in ("length", "ruleset"):
                assert page.chosen(name) == [value]
            elif page.every(name=name)[0].tag == "input":
                assert page.field(name).value == value
        assert Event.objects.get() == bureau.event

    def test_that_cannot_work_are_told_beside_the_form_with_the_way_to_the_field(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="swiss_final")
        typed: dict[str, Any] = {"stages.1.count": ""}
        page = bureau.browser.send(page, page.form(having="table_count"), ("check", "1"), **typed)
        assert page.link("Enter how many advance to this stage.") == "#id_stages.1.count"
        assert page.every(id="id_stages.1.count")

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_of_none_are_refused(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.choose(preset="swiss"), "stages.0.remove")
        page = bureau.make(page)
        assert page.status == 422
        assert page.one(id="id_stages").text == "Add at least one stage."


class TestWhatRanks:
    @pytest.mark.slow
    def test_is_put_in_order_by_buttons(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.choose(preset="swiss"), "order.2.up")
        page = bureau.press(page, "order.3.remove")
        page = bureau.press(page, "order.add", added="lots")
        bureau.make(page)
        assert tournament().ranking["order"] == ["match_wins", "buchholz", "difference", "lots"]

    @pytest.mark.slow
    def test_of_nothing_is_refused(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="swiss")
        for _ in range(4):
            page = bureau.press(page, "order.0.remove")
        page = bureau.make(page)
        assert page.one(id="id_order").text == "Choose at least one ranking criterion."
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
    def test_is_refused_at_its_field(self, field: str, typed: str, sentence: str) -> None:
        bureau = Bureau()
        page = bureau.make(bureau.choose(preset="swiss"), **{field: typed})
        assert page.status == 422
        assert page.said_at(field) == sentence


@pytest.mark.slow
class TestSections:
    def test_are_kept_with_their_tables(self) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.choose(preset="swiss"), "sections.add")
        page = bureau.press(page, "sections.add", sections__0__name="Beginners")
        typed = {
            "sections__0__first_table": "1",
            "sections__0__last_table": "4",
            "sections__1__name": "Mixed",
        }
        bureau.make(page, **typed)
        assert tournament().sections == [
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
    def test_that_cannot_be_are_refused_at_their_field(self, field: str, typed: str, sentence: str) -> None:
        bureau = Bureau()
        page = bureau.press(bureau.press(bureau.choose(preset="swiss"), "sections.add"), "sections.add")
        right = {"sections.0.name": "Beginners", "sections.0.first_table": "1", "sections.0.last_table": "4"}
        right |= {"sections.1.name": "Mixed", "sections.1.first_table": "6", "sections.1.last_table": "8"}
        page = bureau.make(page, **right | {field: typed})
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert Event.objects.count() == 1


class TestPools:
    def test_are_compared_as_chosen_and_asked_about_only_where_there_are_some(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="pools_knockout")
        bureau.make(page, name="Pools", across_pools="without_last", scheduled_bye="draw")
        event = Event.objects.get(name="Pools")
        assert (event.ranking["across_pools"], event.ranking["scheduled_bye"]) == ("without_last", "draw")
        swiss = bureau.choose(preset="swiss")
        bureau.make(swiss, name="Swiss")
        assert Event.objects.get(name="Swiss").ranking["across_pools"] == "rates"
