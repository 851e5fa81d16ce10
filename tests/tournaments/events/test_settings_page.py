"""The settings page: each part is saved separately; changes during an event show their effects first."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.services.house_rules import change_house_rules, create_house_rules
from tests.builders import compute_standings, play_round, start_next_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.models import Action, Event
from tournaments.rounds.services.rounds import unpublish_round

pytestmark = pytest.mark.django_db


def get_settings_path(event: Event) -> str:
    return f"/e/{event.short}/desk/settings"


def save(browser: Browser, page: Page, part: str, **typed: Any) -> Page:
    return browser.send(page, find_form_part(page, part), **{name.replace("__", "."): typed[name] for name in typed})


def press(browser: Browser, page: Page, part: str, change: str, **typed: Any) -> Page:
    return browser.send(page, find_form_part(page, part), ("change", change), **typed)


def find_form_part(page: Page, part: str) -> Any:
    (form,) = [form for form in page.find_all("form") if list(form.find_all("input", name="part", value=part))]
    return form


def list_folds(page: Page) -> list[Any]:
    return [fold for fold in page.find_all("details") if fold.attrs.get("id", "").startswith("part-")]


def list_open_folds(page: Page) -> list[str]:
    return [fold.attrs["id"] for fold in list_folds(page) if "open" in fold.attrs]


@pytest.mark.slow
class TestSettingsBeforeTheStart:
    @pytest.mark.snapshot
    def test_every_settings_section_is_saved_immediately(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
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

    def test_folded_section_summarizes_its_choice(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
        lines = {fold.attrs["id"]: next(iter(fold.find_all("summary"))).text for fold in list_folds(page)}
        assert "Canadian, to 32" in lines["part-rules"]
        assert "A match: 1 game, to 32." in lines["part-length"]
        assert "2 tables" in lines["part-tables"]
        assert "Random opponents." in lines["part-stages"]
        assert "none" in lines["part-sections"]
        assert list_open_folds(page) == []
        page = save(office.browser, page, "tables", table_count="7")
        assert "7 tables Saved." in next(iter(page.find_all("details", id="part-tables"))).text
        assert list_open_folds(page) == []

    def test_refused_section_stays_open_with_its_input(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
        page = save(office.browser, page, "name", name="", held_on="2026-11-24")
        assert list_open_folds(page) == ["part-name"]
        (date,) = find_form_part(page, "name").find_all("input", name="held_on")
        assert date.attrs["value"] == "2026-11-24"
        assert "2 tables" in page.text

    @pytest.mark.long
    def test_two_directors_can_save_different_sections(self) -> None:
        office = Office(pairs=4)
        first = office.browser.open(get_settings_path(office.event))
        second = office.browser.open(get_settings_path(office.event))
        save(office.browser, second, "tables", table_count="7")
        save(office.browser, first, "name", name="Winter", held_on="2026-11-24")
        save(office.browser, second, "rules", ruleset="maine")
        event = Event.objects.get()
        assert (event.name, event.table_count, event.terms.ruleset.key) == ("Winter", 7, "maine")

    @pytest.mark.slow
    def test_hall_directions_help_appears_in_one_section_only(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
        page = press(office.browser, page, "sections", "sections.add")
        assert page.html.count("Left to right from the desk") == 1

    def test_house_rules_stay_selected_while_unchanged(self) -> None:
        office = Office(pairs=4)
        ours = create_house_rules(club=office.event.club, name="Our Tuesdays", base="maine", difference={"target": 25})
        page = office.browser.open(get_settings_path(office.event))
        page = save(office.browser, page, "rules", ruleset=ours.choice)
        assert page.find_one("input", name="ruleset", value=ours.choice, checked="").attrs
        terms = Event.objects.get().terms
        assert (terms.rules_name, terms.ruleset.target) == ("Our Tuesdays", 25)
        change_house_rules(house_rules_id=ours.pk, name="Our Tuesdays", difference={"target": 30})
        page = office.browser.open(get_settings_path(office.event))
        assert not page.find_all("input", name="ruleset", checked="")
        page = save(office.browser, page, "rules")
        assert page.status == 422
        assert Event.objects.get().terms.ruleset.target == 25

    @pytest.mark.slow
    def test_new_format_shows_its_questions_before_saving(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
        typed: dict[str, Any] = {"stages.0.format": "knockout"}
        page = office.browser.send(page, find_form_part(page, "stages"), ("check", "1"), **typed)
        assert page.find_all(name="stages.0.settings.places")
        assert page.find_all(name="stages.0.settings.separate")
        assert Event.objects.get().stages == [{"format": "random"}]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_stages_are_rearranged_before_saving(self) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
        page = press(office.browser, page, "stages", "stages.add", **{"stages.0.rounds": "5"})
        assert page.find_field("stages.0.rounds").value == "5"
        assert Event.objects.get().stages == [{"format": "random"}]
        save(office.browser, page, "stages")
        assert Event.objects.get().stages == [
            {"format": "random", "rounds": 5},
            {"format": "knockout", "takes": "top", "count": 4},
        ]

    @pytest.mark.slow
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
    def test_refused_setting_keeps_its_value_at_the_field(
        self, part: str, field: str, typed: str, sentence: str
    ) -> None:
        office = Office(pairs=4)
        page = office.browser.open(get_settings_path(office.event))
        page = save(office.browser, page, part, **{field: typed})
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field(field).value == typed
        assert not Action.objects.filter(kind__startswith="change").exists()

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["absent", "absent_points"])
    def test_choice_that_the_ranking_does_not_offer_is_refused_at_its_field(self, name: str) -> None:
        office = Office()
        typed: dict[str, Any] = {name: "never"}
        page = save(office.browser, office.browser.open(get_settings_path(office.event)), "ranking", **typed)
        assert page.status == 422
        assert page.get_group_error(name)

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_emptied_ranking_stays_empty_until_corrected(self) -> None:
        office = Office()
        page = office.browser.open(get_settings_path(office.event))
        for _ in range(4):
            page = press(office.browser, page, "ranking", "order.0.remove")
        page = save(office.browser, page, "ranking")
        assert page.find_one(id="id_order").text == "Choose at least one ranking criterion."
        assert not page.find_all("input", name="order")


@pytest.mark.slow
class TestSettingsUnderWay:
    def build_night(self) -> Hall:
        hall = Hall(pairs=6)
        play_round(hall.event)
        compute_standings(hall.event)
        return hall

    @pytest.mark.long
    def test_rules_are_editable_while_no_match_exists(self) -> None:
        hall = Hall(pairs=4)
        page = hall.desk.open(get_settings_path(hall.event))
        assert not page.find_all("input", name="part", value="rules")
        unpublish_round(event_id=hall.event.pk, number=1)
        page = hall.desk.open(get_settings_path(hall.event))
        start_next_round(hall.event)
        page = save(hall.desk, page, "rules", ruleset="maine")
        assert page.status == 422
        assert page.find_one(role="alert").text.startswith("Matches have started")
        unpublish_round(event_id=hall.event.pk, number=1)
        save(hall.desk, hall.desk.open(get_settings_path(hall.event)), "rules", ruleset="maine")
        assert Event.objects.get().terms.ruleset.key == "maine"

    @pytest.mark.long
    def test_new_ranking_shows_its_effects_before_confirmation(self) -> None:
        hall = self.build_night()
        page = hall.desk.open(get_settings_path(hall.event))
        page = press(hall.desk, page, "ranking", "order.0.remove")
        page = press(hall.desk, page, "ranking", "order.add", added="lots")
        for place in (3, 2, 1):
            page = press(hall.desk, page, "ranking", f"order.{place}.up")
        page = save(hall.desk, page, "ranking")
        assert "Effects" in page.text
        assert "New rank" in page.text
        assert not Action.objects.filter(kind="change_ranking").exists()
        page = hall.desk.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"), reason="As agreed")
        assert page.path == get_settings_path(hall.event)
        action = Action.objects.get(kind="change_ranking")
        assert action.reason == "As agreed"
        assert action.details["after"]["order"] == ["lots", "games_won", "difference", "points_for"]

    def test_director_adds_a_final_under_way(self) -> None:
        hall = self.build_night()
        page = hall.desk.open(get_settings_path(hall.event))
        assert "Started: only the number of rounds can change" in page.text
        page = press(hall.desk, page, "stages", "stages.add", **{"stages.0.rounds": "1"})
        page = save(hall.desk, page, "stages", stages__1__count="2")
        assert "Next round: 2 entries." in page.text
        assert "one bye" not in page.text
        hall.desk.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert start_next_round(hall.event).draw_format == "knockout"

    def test_started_stage_is_refused_at_its_field(self) -> None:
        hall = self.build_night()
        page = hall.desk.open(get_settings_path(hall.event))
        page = save(hall.desk, page, "stages", stages__0__format="swiss")
        assert page.status in (409, 422)
        assert page.get_field_error("stages.0.format").startswith("Stage 1 has started")

    @pytest.mark.long
    def test_started_event_hides_the_table_count(self) -> None:
        hall = self.build_night()
        assert not hall.desk.open(get_settings_path(hall.event)).find_all("input", name="table_count")

    @pytest.mark.long
    def test_settings_page_has_constant_query_count(self) -> None:
        counts = []
        for rounds in (1, 4):
            hall = Hall(pairs=8)
            for number in range(1, rounds):
                play_round(hall.event, number)
                start_next_round(hall.event)
            hall.desk.open(get_settings_path(hall.event))
            with CaptureQueriesContext(connection) as made:
                assert hall.desk.open(get_settings_path(hall.event)).status == 200
            counts.append(len(made))
        assert counts[0] == counts[1]
        assert counts[0] <= 8

    @pytest.mark.long
    def test_director_of_another_club_cannot_open_the_settings(self) -> None:
        hall = self.build_night()
        assert Hall().desk.open(get_settings_path(hall.event)).status == 404


def test_settings_page_is_available_in_french() -> None:
    hall = Hall()
    page = Browser(account=hall.owner, language="fr").open(get_settings_path(hall.event))
    assert (page.status, page.find_one("html").attrs["lang"]) == (200, "fr-CA")
