"""A new tournament from a preset or a few answers: summarized in words, created, and played to its end."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.services.house_rules import create_house_rules
from engine.presets import PRESETS
from engine.ranking import RankingRules
from errors import Refusal
from tests.builders import build_player_names, play_round, start_next_round
from tests.support.browser import Browser
from tests.support.bureau import Bureau, get_tournament, list_stages
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_ranking
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db


def has_another_round(event: Event) -> bool:
    """Draw the next round and return whether there was one."""
    try:
        draw_round(event_id=event.pk, seed=1)
    except Refusal as refusal:
        if refusal.code != "nothing_left_to_draw":
            raise
        return False
    return True


class TestTournamentQuestions:
    def test_questions_come_before_the_presets(self) -> None:
        bureau = Bureau()
        page = bureau.browser.open(bureau.address)
        assert page.list_checked_values("partners") == ["fixed"]
        assert [link.attrs["href"] for link in page.find_all("a") if "preset" in link.attrs["href"]] == [
            f"?preset={key}" for key in PRESETS
        ]

    @pytest.mark.parametrize(
        ("answers", "stages"),
        [
            ({"all_play": "yes", "final": "no", "rounds": "5"}, ["By results (Swiss), 5 rounds."]),
            ({"all_play": "yes", "final": "no", "minutes": "200"}, ["By results (Swiss), 4 rounds."]),
            ({"all_play": "yes", "final": "no", "expected": "6"}, ["Round robin."]),
            (
                {"all_play": "yes", "final": "yes", "rounds": "7"},
                [
                    "By results (Swiss), 5 rounds.",
                    "Ranks 1 to 4: knockout, with a match for third place.",
                    "From rank 5 on, at the same time: by results (Swiss), 2 rounds.",
                ],
            ),
            (
                {"all_play": "no", "final": "yes"},
                ["Pools.", "The first 2 of each pool: knockout, with a match for third place."],
            ),
            ({"all_play": "no", "final": "no", "rounds": "12"}, ["Double elimination."]),
            ({"all_play": "no", "final": "no", "rounds": "6"}, ["Knockout with consolation."]),
            ({"partners": "drawn", "all_play": "yes", "final": "no"}, ["Individual Swiss, 6 rounds."]),
            (
                {"partners": "drawn", "all_play": "yes", "final": "no", "expected": "8", "rounds": "7"},
                ["Rotation, 7 rounds."],
            ),
        ],
    )
    def test_answers_produce_the_expected_stages(self, answers: dict[str, str], stages: list[str]) -> None:
        page = Bureau().open_form(**{"partners": "fixed", "expected": "24"} | answers)
        assert list_stages(page) == stages
        assert not page.find_all(class_="error")

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("expected", "many", "“many” is not a whole number. Use digits."),
            ("expected", "3", "3 is too small. Choose 4 or more."),
            ("rounds", "1000", "1000 is too large. Choose 99 or less."),
            ("minutes", "0", "0 is too small. Choose 1 or more."),
        ],
    )
    def test_refused_answer_keeps_its_value_at_the_field(self, field: str, typed: str, sentence: str) -> None:
        answers = {"partners": "drawn", "all_play": "no", "final": "yes", "expected": "24"}
        page = Bureau().open_form(**answers | {field: typed})
        assert page.get_field_error(field) == sentence
        assert page.find_field(field).value == typed
        assert page.list_checked_values("final") == ["yes"]

    def test_pairs_tournament_needs_two_entries(self) -> None:
        page = Bureau().open_form(partners="fixed", all_play="yes", final="no", expected="1")
        assert page.get_field_error("expected") == "1 is too small. Choose 2 or more."

    def test_rounds_and_minutes_are_mutually_exclusive(self) -> None:
        page = Bureau().open_form(
            partners="fixed", all_play="yes", final="no", expected="24", rounds="5", minutes="300"
        )
        assert page.get_field_error("minutes") == ("Enter rounds or minutes, not both.")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("answers", "field", "sentence", "stages"),
        [
            (
                {"all_play": "yes", "final": "yes", "expected": "5"},
                "final",
                "A final needs 6 entries; you expect 5. Without one, the standings decide.",
                ["By results (Swiss), 4 rounds."],
            ),
            (
                {"partners": "drawn", "all_play": "yes", "final": "yes", "expected": "7"},
                "final",
                "A final needs 8 entries; you expect 7. Without one, the standings decide.",
                ["Individual Swiss, 6 rounds."],
            ),
            (
                {"all_play": "no", "final": "yes", "minutes": "90"},
                "minutes",
                "24 entries need 7 rounds, about 315 minutes.",
                ["Pools.", "The first 2 of each pool: knockout, with a match for third place."],
            ),
            (
                {"all_play": "no", "final": "yes", "rounds": "3"},
                "rounds",
                "24 entries need 7 rounds, about 315 minutes.",
                ["Pools.", "The first 2 of each pool: knockout, with a match for third place."],
            ),
        ],
    )
    def test_unfeasible_answers_propose_the_nearest_format(
        self, answers: dict[str, str], field: str, sentence: str, stages: list[str]
    ) -> None:
        bureau = Bureau()
        answers = {"partners": "fixed", "expected": "24"} | answers
        page = bureau.open_form(**answers)
        assert page.find_one(id=f"id_{field}_error").text == sentence
        assert page.alert.startswith("Some wishes cannot be met.")
        assert "Closest format:" in page.find_one(id="proposed").text
        assert page.list_checked_values("final") == [answers["final"]]
        for name in answers.keys() & {"expected", "rounds", "minutes"}:
            assert page.find_field(name).value == answers[name]
        page = bureau.browser.send(page, page.find_form(control_name="partners"), ("as_proposed", "yes"))
        assert list_stages(page) == stages

    def test_small_final_becomes_a_knockout_with_consolation(self) -> None:
        page = Bureau().open_form(partners="fixed", all_play="no", final="yes", expected="5")
        assert list_stages(page) == ["Knockout with consolation."]


DESKS = ("swiss_final", "pools_knockout", "double_elimination", "individual_final")
"""Presets whose desks together show every stage, bracket and drawn partner."""
NIGHTLY = pytest.mark.long("test_event_files.py plays each preset to its end; this opens the desk, too")


class TestPresets:
    @pytest.mark.slow
    @pytest.mark.parametrize("key", [key for key in PRESETS if key not in DESKS])
    def test_preset_creates_a_tournament_and_draws_its_first_round(self, key: str) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset=key)
        assert not page.find_all(class_="error")
        page = bureau.submit(page, name="Autumn", table_count="8")
        event = get_tournament()
        assert page.path == f"/e/{event.short}/desk/entries"
        add_entries(event_id=event.pk, entries=build_player_names(16, size=event.entry_size))
        event.entries.filter(number__lte=8).update(team="Rimouski")
        start_event(event_id=event.pk)
        drawn = start_next_round(event)
        tables = 2 if event.has_team_matches else 4 if event.draws_partners else 8
        assert drawn.tables.count() == tables
        assert bureau.browser.open(f"/e/{event.short}/desk").status == 200

    @pytest.mark.long
    @pytest.mark.parametrize("key", [key if key in DESKS else pytest.param(key, marks=NIGHTLY) for key in PRESETS])
    def test_preset_plays_to_its_end(self, key: str) -> None:
        bureau = Bureau()
        bureau.submit(bureau.open_form(preset=key), name="Autumn", table_count="4")
        event = get_tournament()
        add_entries(event_id=event.pk, entries=build_player_names(9, size=event.entry_size))
        event.entries.filter(number__lte=4).update(team="Rimouski")
        start_event(event_id=event.pk)
        desk = f"/e/{event.short}/desk"
        rounds = 0
        while has_another_round(event):
            rounds += 1
            assert bureau.browser.open(desk).status == 200
            publish_round(event_id=event.pk, number=rounds)
            play_round(event, rounds)
        assert rounds == 1 if event.has_team_matches else 3 < rounds < 12  # two teams meet once
        assert bureau.browser.open(desk).status == 200

    def test_preset_summary_describes_format_ranking_and_size(self) -> None:
        page = Bureau().open_form(preset="swiss_final")
        assert list_stages(page) == [
            "By results (Swiss), 5 rounds.",
            "The top 4: knockout, with a match for third place.",
        ]
        summary = page.find_one(id="summary").text
        assert "A match: 1 game, to 32." in summary
        assert "matches won, difference, Buchholz, points for, lot." in summary
        assert "With 24 entries: up to 12 tables at once. In all, 7 rounds." in summary

    @pytest.mark.slow
    def test_folded_sections_summarize_their_choices(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="swiss")
        assert page.find_one(id="told-rules").text == "Canadian"
        assert page.find_one(id="told-ranking").text == "Matches won, Difference, Buchholz, Points for"
        assert page.find_one(id="told-sections").text == "none"
        checked = bureau.submit(page, check="1", ruleset="maine", bye="draw")
        assert checked.find_one(id="told-rules").text == "Maine, to 21"

    @pytest.mark.long
    def test_every_chosen_setting_is_saved(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="swiss")
        typed = {"stages__0__settings__target": "fold", "bye": "draw", "dropped": "1", "length": "hands"}
        bureau.submit(page, name="Autumn", hands="12", details=["trump"], ruleset="maine", **typed)
        event = get_tournament()
        assert event.stages == [{"format": "swiss", "rounds": 6, "settings": {"target": "fold"}}]
        assert event.ranking == {
            "order": ["half_wins", "difference", "buchholz", "points_for"],
            "bye": "draw",
            "scheduled_bye": "nothing",
            "dropped": 1,
            "across_pools": "rates",
        }
        assert event.terms.match_format.hands == 12
        assert (event.terms.ruleset.key, event.terms.details) == ("maine", ["trump"])

    @pytest.mark.long
    def test_resent_form_creates_one_tournament(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="swiss")
        bureau.submit(page, name="Autumn")
        event = get_tournament()
        change_ranking(event_id=event.pk, rules=RankingRules(order=("points_for",)))
        again = bureau.submit(page, name="Autumn")
        assert again.path == f"/e/{event.short}/desk/entries"
        assert get_tournament() == event
        assert get_tournament().ranking["order"] == ["points_for"]

    @pytest.mark.long
    def test_tournament_uses_the_clubs_house_rules(self) -> None:
        bureau = Bureau()
        ours = create_house_rules(club=bureau.club, name="Our Tuesdays", base="maine", difference={"target": 25})
        bureau.submit(bureau.open_form(preset="swiss"), ruleset=ours.choice)
        assert (get_tournament().terms.rules_name, get_tournament().terms.ruleset.target) == ("Our Tuesdays", 25)


class TestTournamentForm:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", "", "Enter a name."),
            ("held_on", "Tuesday", "“Tuesday” is not a date."),
            ("table_count", "0", "Enter 1 to 1000 tables."),
            ("expected", "x", "“x” is not a whole number."),
            ("games_to_win", "0", "Enter 1 or more."),
        ],
    )
    def test_refused_field_keeps_its_value(self, field: str, typed: str, sentence: str) -> None:
        bureau = Bureau()
        page = bureau.submit(bureau.open_form(preset="swiss_final"), **{field: typed})
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field(field).value == typed

    @pytest.mark.long
    def test_duplicate_section_name_is_refused_with_other_errors(self) -> None:
        bureau = Bureau()
        page = bureau.open_form(preset="swiss_final")
        for _ in range(2):
            page = bureau.press(page, "sections.add")
        page = bureau.submit(page, name="", sections__0__name="Elite", sections__1__name="elite")
        assert page.status == 422
        assert page.get_field_error("name") == "Enter a name."
        assert page.get_field_error("sections.1.name").startswith("A section “elite” already exists.")
        assert page.find_field("sections.0.name").value == "Elite"

    def test_tournament_form_is_available_in_french(self) -> None:
        bureau = Bureau()
        reader = Browser(account=bureau.owner, language="fr")
        for address in (bureau.address, f"{bureau.address}?preset=swiss_final_all"):
            page = reader.open(address)
            assert (page.status, page.find_one("html").attrs["lang"]) == (200, "fr-CA")
            assert "%(" not in page.html

    def test_night_and_tournament_forms_link_to_each_other(self) -> None:
        bureau = Bureau()
        night = bureau.browser.open(f"/club/{bureau.club.slug}/new")
        assert night.find_link("Create a tournament") == bureau.address
        assert bureau.browser.open(bureau.address).find_link("Create a night instead").endswith("/new")

    @pytest.mark.long
    def test_tournament_form_costs_four_queries(self) -> None:
        bureau = Bureau()
        for address in (bureau.address, f"{bureau.address}?preset=swiss_final"):
            bureau.browser.open(address)
            with CaptureQueriesContext(connection) as made:
                assert bureau.browser.open(address).status == 200
            assert len(made) <= 4
