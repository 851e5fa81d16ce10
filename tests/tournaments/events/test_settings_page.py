"""The settings of an event: each part saved by itself; under way, what it changes is shown first."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.services import change_house_rules, create_house_rules
from tests.builders import next_round, play_round, standings_after
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.models import Action, Event
from tournaments.rounds.services.rounds import unpublish_round

pytestmark = pytest.mark.django_db


def settings_of(event: Event) -> str:
    return f"/e/{event.short}/desk/settings"


def save(browser: Browser, page: Page, part: str, **typed: Any) -> Page:
    return browser.send(page, form_of(page, part), **{name.replace("__", "."): typed[name] for name in typed})


def press(browser: Browser, page: Page, part: str, change: str, **typed: Any) -> Page:
    return browser.send(page, form_of(page, part), ("change", change), **typed)


def form_of(page: Page, part: str) -> Any:
    (form,) = [form for form in page.every("form") if list(form.every("input", name="part", value=part))]
    return form


def folds_of(page: Page) -> list[Any]:
    return [fold for fold in page.every("details") if fold.attrs.get("id", "").startswith("part-")]


def opened_of(page: Page) -> list[str]:
    return [fold.attrs["id"] for fold in folds_of(page) if "open" in fold.attrs]


class TestInPreparation:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_everything_is_saved_at_once(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        page = save(office.browser, page, "name", name="Winter", held_on="2026-11-24")
        assert "Saved." in page.text
        page = save(office.browser, page, "tables", table_count="7")
        page = save(office.browser, page, "rules", ruleset="maine", details=["trump"])
        page = save(office.browser, page, "length", length="hands", hands="12")
        assert "A match: 12 hands, to 21." in page.text
        page = save(office.browser, page, "stages", stages__0__rounds="5")
        page = save(office.browser, page, "ranking", dropped="1")
        page = press(office.browser, page, "sections", "sections.add")
        save(office.browser, page, "sections", sections__0__name="Beginners")
        event = Event.objects.get()
        assert (event.name, event.held_on.isoformat(), event.table_count) == ("Winter", "2026-11-24", 7)
        assert (event.terms.ruleset.key, event.terms.details) == ("maine", ["trump"])
        assert event.stages == [{"format": "random", "rounds": 5}]
        assert event.ranking["dropped"] == 1
        assert [section["name"] for section in event.sections] == ["Beginners"]

    @pytest.mark.slow
    def test_each_section_is_a_line_that_says_what_is_chosen(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        lines = {fold.attrs["id"]: next(iter(fold.every("summary"))).text for fold in folds_of(page)}
        assert "Canadian, to 32" in lines["part-rules"]
        assert "A match: 1 game won, to 32." in lines["part-length"]
        assert "2 tables" in lines["part-tables"]
        assert "At random." in lines["part-stages"]
        assert "none" in lines["part-sections"]
        assert opened_of(page) == []
        page = save(office.browser, page, "tables", table_count="7")
        assert "7 tables Saved." in next(iter(page.every("details", id="part-tables"))).text
        assert opened_of(page) == []

    @pytest.mark.slow
    def test_a_refused_section_is_open_with_what_was_typed_and_the_others_are_as_they_were(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        page = save(office.browser, page, "name", name="", held_on="2026-11-24")
        assert opened_of(page) == ["part-name"]
        (date,) = form_of(page, "name").every("input", name="held_on")
        assert date.attrs["value"] == "2026-11-24"
        assert "2 tables" in page.text

    @pytest.mark.slow
    def test_two_directors_who_save_two_sections_both_keep_their_change(self) -> None:
        office = Office(pairs=4)
        first = office.browser.open(settings_of(office.event))
        second = office.browser.open(settings_of(office.event))
        save(office.browser, second, "tables", table_count="7")
        save(office.browser, first, "name", name="Winter", held_on="2026-11-24")
        save(office.browser, second, "rules", ruleset="maine")
        event = Event.objects.get()
        assert (event.name, event.table_count, event.terms.ruleset.key) == ("Winter", 7, "maine")

    def test_what_helps_with_the_hall_stands_at_the_hall_only(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        page = press(office.browser, page, "sections", "sections.add")
        assert page.html.count("Left to right from the desk") == 1

    @pytest.mark.slow
    def test_the_rules_of_the_house_are_chosen_as_long_as_they_are_the_same(self) -> None:
        office = Office(pairs=4)
        ours = create_house_rules(
            club=office.event.club, name="Our Tuesdays", base="maine", difference={"target": 25}
        )
        page = office.browser.open(settings_of(office.event))
        page = save(office.browser, page, "rules", ruleset=ours.choice)
        assert page.one("input", name="ruleset", value=ours.choice, checked="").attrs
        terms = Event.objects.get().terms
        assert (terms.rules_name, terms.ruleset.target) == ("Our Tuesdays", 25)
        change_house_rules(house_rules_id=ours.pk, name="Our Tuesdays", difference={"target": 30})
        page = office.browser.open(settings_of(office.event))
        assert not page.every("input", name="ruleset", checked="")
        page = save(office.browser, page, "rules")
        assert page.status == 422
        assert Event.objects.get().terms.ruleset.target == 25

    def test_another_format_shows_what_it_asks_before_anything_is_saved(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        typed: dict[str, Any] = {"stages.0.format": "knockout"}
        page = office.browser.send(page, form_of(page, "stages"), ("check", "1"), **typed)
        assert page.every(name="stages.0.settings.places")
        assert page.every(name="stages.0.settings.separate")
        assert Event.objects.get().stages == [{"format": "random"}]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_stages_are_rearranged_before_they_are_saved(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        page = press(office.browser, page, "stages", "stages.add", **{"stages.0.rounds": "5"})
        assert page.field("stages.0.rounds").value == "5"
        assert Event.objects.get().stages == [{"format": "random"}]
        save(office.browser, page, "stages")
        assert Event.objects.get().stages == [
            {"format": "random", "rounds": 5},
            {"format": "knockout", "takes": "top", "count": 4},
        ]

    @pytest.mark.parametrize(
        ("part", "field", "typed", "sentence"),
        [
            ("name", "name", "", "Enter a name."),
            ("name", "held_on", "x", "“x” is not a date."),
            ("tables", "table_count", "x", "“x” is not a whole number."),
            ("stages", "stages.0.rounds", "0", "0 is too small. Choose 1 or more."),
            ("stages", "stages.0.format", "rotation", "The entries do not fit (pairs or single players)"),
            ("ranking", "dropped", "x", "“x” is not a whole number."),
            ("ranking", "absent_number", "-1", "-1 is too small. Choose 0 or more."),
        ],
    )
    def test_what_cannot_be_is_refused_at_its_field(
        self, part: str, field: str, typed: str, sentence: str
    ) -> None:
        office = Office(pairs=4)
        page = office.browser.open(settings_of(office.event))
        page = save(office.browser, page, part, **{field: typed})
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field(field).value == typed
        assert not Action.objects.filter(kind__startswith="change").exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_an_emptied_list_stays_empty_until_it_is_put_right(self) -> None:
        office = Office()
        page = office.browser.open(settings_of(office.event))
        for _ in range(4):
            page = press(office.browser, page, "ranking", "order.0.remove")
        page = save(office.browser, page, "ranking")
        assert page.one(id="id_order").text == "Choose at least one ranking criterion."
        assert not page.every("input", name="order")


@pytest.mark.slow
class TestUnderWay:
    def a_night(self) -> Hall:
        hall = Hall(pairs=6)
        play_round(hall.event)
        standings_after(hall.event)
        return hall

    def test_the_rules_change_as_long_as_no_table_has_a_match(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(settings_of(hall.event))
        assert not page.every("input", name="part", value="rules")
        unpublish_round(event_id=hall.event.pk, number=1)
        page = hall.desk.open(settings_of(hall.event))
        next_round(hall.event)
        page = save(hall.desk, page, "rules", ruleset="maine")
        assert page.status == 422
        assert page.one(role="alert").text.startswith("Matches have started")
        unpublish_round(event_id=hall.event.pk, number=1)
        save(hall.desk, hall.desk.open(settings_of(hall.event)), "rules", ruleset="maine")
        assert Event.objects.get().terms.ruleset.key == "maine"

    def test_another_ranking_shows_its_effects_then_is_done_with_its_reason(self) -> None:
        hall = self.a_night()
        page = hall.desk.open(settings_of(hall.event))
        page = press(hall.desk, page, "ranking", "order.0.remove")
        page = press(hall.desk, page, "ranking", "order.add", added="lots")
        for place in (3, 2, 1):
            page = press(hall.desk, page, "ranking", f"order.{place}.up")
        page = save(hall.desk, page, "ranking")
        assert "Effects" in page.text
        assert "New rank" in page.text
        assert not Action.objects.filter(kind="change_ranking").exists()
        page = hall.desk.send(page, page.form(having="confirmed"), ("confirmed", "1"), reason="As agreed")
        assert page.path == settings_of(hall.event)
        action = Action.objects.get(kind="change_ranking")
        assert action.reason == "As agreed"
        assert action.details["after"]["order"] == ["lots", "games_won", "difference", "points_for"]

    def test_a_final_is_added(self) -> None:
        hall = self.a_night()
        page = hall.desk.open(settings_of(hall.event))
        assert "Started: only the number of rounds can change" in page.text
        page = press(hall.desk, page, "stages", "stages.add", **{"stages.0.rounds": "1"})
        page = save(hall.desk, page, "stages", stages__1__count="2")
        assert "Next round: 2 entries." in page.text
        assert "one bye" not in page.text
        hall.desk.send(page, page.form(having="confirmed"), ("confirmed", "1"))
        assert next_round(hall.event).draw_format == "knockout"

    def test_a_stage_that_has_begun_is_refused_at_its_field(self) -> None:
        hall = self.a_night()
        page = hall.desk.open(settings_of(hall.event))
        page = save(hall.desk, page, "stages", stages__0__format="swiss")
        assert page.status in (409, 422)
        assert page.said_at("stages.0.format").startswith("Stage 1 has started")

    def test_the_number_of_tables_is_no_longer_asked(self) -> None:
        hall = self.a_night()
        assert not hall.desk.open(settings_of(hall.event)).every("input", name="table_count")

    def test_the_page_asks_as_much_of_many_rounds_as_of_one(self) -> None:
        counts = []
        for rounds in (1, 4):
            hall = Hall(pairs=8)
            for number in range(1, rounds):
                play_round(hall.event, number)
                next_round(hall.event)
            hall.desk.open(settings_of(hall.event))
            with CaptureQueriesContext(connection) as made:
                assert hall.desk.open(settings_of(hall.event)).status == 200
            counts.append(len(made))
        assert counts[0] == counts[1]
        assert counts[0] <= 7

    def test_nobody_else_opens_it(self) -> None:
        hall = self.a_night()
        assert Hall().desk.open(settings_of(hall.event)).status == 404


def test_in_french_too() -> None:
    hall = Hall()
    page = Browser(account=hall.owner, language="fr").open(settings_of(hall.event))
    assert (page.status, page.one("html").attrs["lang"]) == (200, "fr-CA")
