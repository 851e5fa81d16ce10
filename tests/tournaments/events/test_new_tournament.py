"""A new tournament: a preset or a few answers, said in words, made, and played to its end."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.services import create_house_rules
from engine.presets import PRESETS
from engine.ranking import RankingRules
from errors import Refusal
from tests.builders import next_round, play_round, player_names
from tests.support.browser import Browser
from tests.support.bureau import Bureau, told, tournament
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_ranking
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db


def has_another_round(event: Event) -> bool:
    """Draws it, if there is one."""
    try:
        draw_round(event_id=event.pk, seed=1)
    except Refusal as refusal:
        if refusal.code != "nothing_left_to_draw":
            raise
        return False
    return True


class TestTheQuestions:
    def test_stand_first_with_the_presets_below(self) -> None:
        bureau = Bureau()
        page = bureau.browser.open(bureau.address)
        assert page.chosen("partners") == ["fixed"]
        assert [link.attrs["href"] for link in page.every("a") if "preset" in link.attrs["href"]] == [
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
    def test_lead_to_a_tournament_in_words(self, answers: dict[str, str], stages: list[str]) -> None:
        page = Bureau().choose(**{"partners": "fixed", "expected": "24"} | answers)
        assert told(page) == stages
        assert not page.every(class_="error")

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("expected", "many", "“many” is not a whole number. Use digits."),
            ("expected", "3", "3 is too small. Choose 4 or more."),
            ("rounds", "1000", "1000 is too large. Choose 99 or less."),
            ("minutes", "0", "0 is too small. Choose 1 or more."),
        ],
    )
    def test_are_refused_at_their_field_and_kept(self, field: str, typed: str, sentence: str) -> None:
        answers = {"partners": "drawn", "all_play": "no", "final": "yes", "expected": "24"}
        page = Bureau().choose(**answers | {field: typed})
        assert page.said_at(field) == sentence
        assert page.field(field).value == typed
        assert page.chosen("final") == ["yes"]

    def test_of_pairs_take_two_at_least(self) -> None:
        page = Bureau().choose(partners="fixed", all_play="yes", final="no", expected="1")
        assert page.said_at("expected") == "1 is too small. Choose 2 or more."

    def test_of_rounds_and_minutes_takes_one(self) -> None:
        page = Bureau().choose(
            partners="fixed", all_play="yes", final="no", expected="24", rounds="5", minutes="300"
        )
        assert page.said_at("minutes") == ("Enter rounds or minutes, not both.")

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
    def test_that_cannot_be_met_are_said_at_their_field_with_what_comes_nearest(
        self, answers: dict[str, str], field: str, sentence: str, stages: list[str]
    ) -> None:
        bureau = Bureau()
        answers = {"partners": "fixed", "expected": "24"} | answers
        page = bureau.choose(**answers)
        assert page.one(id=f"id_{field}_error").text == sentence
        assert page.alert.startswith("Some wishes cannot be met.")
        assert "Closest format:" in page.one(id="proposed").text
        assert page.chosen("final") == [answers["final"]]
        for name in answers.keys() & {"expected", "rounds", "minutes"}:
            assert page.field(name).value == answers[name]
        page = bureau.browser.send(page, page.form(having="partners"), ("as_proposed", "yes"))
        assert told(page) == stages

    def test_of_a_final_of_few_is_met_where_a_bracket_has_one(self) -> None:
        page = Bureau().choose(partners="fixed", all_play="no", final="yes", expected="5")
        assert told(page) == ["Knockout with consolation."]


DESKS = ("swiss_final", "pools_knockout", "double_elimination", "individual_final")
"""Presets whose desks show all that there is of stages, brackets and drawn partners."""
NIGHTLY = pytest.mark.long(
    "test_event_files.py plays each preset to its end; here the desk is opened between"
)


class TestAPreset:
    @pytest.mark.slow
    @pytest.mark.parametrize("key", [key for key in PRESETS if key not in DESKS])
    def test_is_made_as_it_is_offered_and_its_first_round_drawn(self, key: str) -> None:
        bureau = Bureau()
        page = bureau.choose(preset=key)
        assert not page.every(class_="error")
        page = bureau.make(page, name="Autumn", table_count="8")
        event = tournament()
        assert page.path == f"/e/{event.short}/desk/entries"
        add_entries(event_id=event.pk, entries=player_names(16, size=event.entry_size))
        event.entries.filter(number__lte=8).update(team="Rimouski")
        start_event(event_id=event.pk)
        drawn = next_round(event)
        assert drawn.tables.count() == (4 if event.draws_partners else 8)
        assert bureau.browser.open(f"/e/{event.short}/desk").status == 200

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "key", [key if key in DESKS else pytest.param(key, marks=NIGHTLY) for key in PRESETS]
    )
    def test_is_played_to_its_end_by_the_services_that_the_desk_calls(self, key: str) -> None:
        bureau = Bureau()
        bureau.make(bureau.choose(preset=key), name="Autumn", table_count="4")
        event = tournament()
        add_entries(event_id=event.pk, entries=player_names(9, size=event.entry_size))
        event.entries.filter(number__lte=4).update(team="Rimouski")
        start_event(event_id=event.pk)
        desk = f"/e/{event.short}/desk"
        rounds = 0
        while has_another_round(event):
            rounds += 1
            assert bureau.browser.open(desk).status == 200
            publish_round(event_id=event.pk, number=rounds)
            play_round(event, rounds)
        assert 3 < rounds < 12
        assert bureau.browser.open(desk).status == 200

    def test_is_said_in_words_with_what_ranks_and_what_it_comes_to(self) -> None:
        page = Bureau().choose(preset="swiss_final")
        assert told(page) == [
            "By results (Swiss), 5 rounds.",
            "The top 4: knockout, with a match for third place.",
        ]
        said = page.one(id="summary").text
        assert "A match: 1 game won, to 32." in said
        assert "then difference, then Buchholz, then points for, then lot." in said
        assert "With 24 entries: up to 12 tables at once. In all, 7 rounds." in said

    def test_says_beside_each_folded_part_what_is_chosen_there(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="swiss")
        assert page.one(id="told-rules").text == "Canadian"
        assert page.one(id="told-ranking").text == "Matches won, Difference, Buchholz, Points for"
        assert page.one(id="told-sections").text == "none"
        checked = bureau.make(page, check="1", ruleset="maine", bye="draw")
        assert checked.one(id="told-rules").text == "Maine, to 21"

    def test_keeps_all_that_was_chosen(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="swiss")
        typed = {"stages__0__settings__target": "fold", "bye": "draw", "dropped": "1", "length": "hands"}
        bureau.make(page, name="Autumn", hands="12", details=["trump"], ruleset="maine", **typed)
        event = tournament()
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

    def test_sent_twice_is_one_tournament_and_stays_as_it_was_changed_meanwhile(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="swiss")
        bureau.make(page, name="Autumn")
        event = tournament()
        change_ranking(event_id=event.pk, rules=RankingRules(order=("points_for",)))
        again = bureau.make(page, name="Autumn")
        assert again.path == f"/e/{event.short}/desk/entries"
        assert tournament() == event
        assert tournament().ranking["order"] == ["points_for"]

    def test_is_played_by_house_rules_of_the_club(self) -> None:
        bureau = Bureau()
        ours = create_house_rules(
            club=bureau.club, name="Our Tuesdays", base="maine", difference={"target": 25}
        )
        bureau.make(bureau.choose(preset="swiss"), ruleset=ours.choice)
        assert (tournament().terms.rules_name, tournament().terms.ruleset.target) == ("Our Tuesdays", 25)


class TestTheRest:
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
    def test_is_refused_at_its_field_and_kept(self, field: str, typed: str, sentence: str) -> None:
        bureau = Bureau()
        page = bureau.make(bureau.choose(preset="swiss_final"), **{field: typed})
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field(field).value == typed

    @pytest.mark.slow
    def test_of_two_sections_of_one_name_is_said_at_the_second_beside_what_else_is_wrong(self) -> None:
        bureau = Bureau()
        page = bureau.choose(preset="swiss_final")
        for _ in range(2):
            page = bureau.press(page, "sections.add")
        page = bureau.make(page, name="", sections__0__name="Elite", sections__1__name="elite")
        assert page.status == 422
        assert page.said_at("name") == "Enter a name."
        assert page.said_at("sections.1.name").startswith("A section “elite” already exists.")
        assert page.field("sections.0.name").value == "Elite"

    def test_is_in_french_too(self) -> None:
        bureau = Bureau()
        reader = Browser(account=bureau.owner, language="fr")
        for address in (bureau.address, f"{bureau.address}?preset=swiss_final_all"):
            page = reader.open(address)
            assert (page.status, page.one("html").attrs["lang"]) == (200, "fr-CA")
            assert "%(" not in page.html

    def test_is_found_from_a_new_night_and_leads_back_to_it(self) -> None:
        bureau = Bureau()
        night = bureau.browser.open(f"/club/{bureau.club.slug}/new")
        assert night.link("Create a tournament") == bureau.address
        assert bureau.browser.open(bureau.address).link("Create a night instead").endswith("/new")

    def test_asks_the_database_four_times(self) -> None:
        bureau = Bureau()
        for address in (bureau.address, f"{bureau.address}?preset=swiss_final"):
            bureau.browser.open(address)
            with CaptureQueriesContext(connection) as made:
                assert bureau.browser.open(address).status == 200
            assert len(made) <= 4
