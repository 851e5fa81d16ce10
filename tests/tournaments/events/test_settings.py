"""Settings of an event: made, changed and undone."""

import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.audit.log import Actor
from engine.ranking import Bye, RankingRules, ranking_rules_from_json, ranking_rules_to_json
from engine.results import get_default_rules
from jobs.models import Job
from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, TWO_PLAYER, MatchFormat
from tests.builders import (
    FIFTY_MINUTES,
    ONE_GAME,
    TUESDAY,
    TWO_GAMES,
    build_account,
    build_club,
    build_event,
    build_played_night,
    build_player_names,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    start_next_round,
)
from tournaments.entries.services.entries import add_entries, add_entry
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import (
    change_match_length,
    change_ranking,
    change_rules,
    change_sections,
    change_stages,
    count_begun_rounds,
    rename_event,
)
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.services.rounds import discard_draft, draw_round, unpublish_round

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "rounds": 2}
ROTATION = {"format": "rotation"}
FINAL = {"format": "knockout", "takes": "top", "count": 4}
BEGINNERS = {"name": "Beginners", "first_table": 1, "last_table": 4}
MIXED_SECTION = {"name": "Mixed", "first_table": None, "last_table": None}


def build_tournament(*stages: dict[str, Any], **changed: Any) -> Event:
    usual: dict[str, Any] = {
        "club": build_club(),
        "name": "Autumn",
        "held_on": TUESDAY,
        "ruleset": CANADIAN,
        "match_format": ONE_GAME,
        "table_count": 8,
        "stages": stages or (SWISS, FINAL),
        "ranking": RankingRules(),
    }
    return create_event(**usual | changed)


def get_last_action(event: Event) -> Action:
    return Action.objects.filter(event=event).latest("pk")


def undo(event: Event) -> None:
    undo_action(event_id=event.pk, action_id=get_last_action(event).pk)
    event.refresh_from_db()


class TestTournamentCreation:
    def test_tournament_is_created_with_all_its_settings(self) -> None:
        rules = RankingRules(order=("match_wins", "lots"), bye=Bye.DRAW)
        event = build_tournament(SWISS, FINAL, ranking=rules, sections=[BEGINNERS, MIXED_SECTION])
        event.refresh_from_db()
        assert event.stages == [SWISS, FINAL]
        assert ranking_rules_from_json(event.ranking) == rules
        assert event.sections == [BEGINNERS, MIXED_SECTION]

    @pytest.mark.parametrize(
        ("changed", "code", "field"),
        [
            (
                {"ruleset": TWO_PLAYER, "stages": [{"format": "rotation"}]},
                "partners_need_four",
                "stages.0.format",
            ),
            ({"stages": [FINAL]}, "nothing_before", "stages.0.takes"),
            ({"sections": [{**MIXED_SECTION, "name": ""}]}, "section_name_required", "sections.0.name"),
            ({"sections": [{**MIXED_SECTION, "name": "x" * 41}]}, "name_too_long", "sections.0.name"),
            ({"sections": [MIXED_SECTION, {**MIXED_SECTION, "name": "MIXÉD"}]}, "section_twice", "sections.1.name"),
            ({"sections": [{**MIXED_SECTION, "first_table": 2}]}, "section_tables", "sections.0.last_table"),
            ({"sections": [{**BEGINNERS, "first_table": 5}]}, "section_tables", "sections.0.last_table"),
            (
                {"sections": [{**BEGINNERS, "first_table": 0}]},
                "tables_out_of_range",
                "sections.0.first_table",
            ),
            (
                {"sections": [BEGINNERS, {**BEGINNERS, "name": "B"}]},
                "sections_overlap",
                "sections.1.first_table",
            ),
        ],
    )
    def test_impossible_tournament_is_refused_at_its_field(
        self, changed: dict[str, Any], code: str, field: str
    ) -> None:
        stages = changed.pop("stages", ())
        refusal = get_refusal(build_tournament, *stages, **changed)
        assert (refusal.code, refusal.field) == (code, field)
        assert not Event.objects.exists()


class TestEventName:
    def test_name_and_day_change_but_the_address_stays(self) -> None:
        event = build_tournament()
        day = datetime.date(2026, 11, 24)
        rename_event(event_id=event.pk, name="  Winter  ", held_on=day)
        event.refresh_from_db()
        assert (event.name, event.held_on, event.short) == ("Winter", day, "autumn")
        undo(event)
        assert (event.name, event.held_on) == ("Autumn", TUESDAY)

    def test_empty_event_name_is_refused(self) -> None:
        event = build_tournament()
        assert get_refusal_code(rename_event, event_id=event.pk, name=" ", held_on=TUESDAY) == "event_name_required"


class TestEventRules:
    def test_rules_change_until_a_match_exists(self) -> None:
        event = build_event()
        change_rules(event_id=event.pk, ruleset=MAINE, rules_name="Chez nous", details=["trump"])
        terms = Event.objects.get().terms
        assert (terms.ruleset, terms.rules_name, terms.details) == (MAINE, "Chez nous", ["trump"])
        assert terms.match_format == ONE_GAME, "its length is another setting"
        undo(event)
        terms = Event.objects.get().terms
        assert (terms.ruleset, terms.rules_name, terms.details) == (CANADIAN, "", [])

    @pytest.mark.long
    def test_rules_of_existing_matches_can_neither_change_nor_be_undone(self) -> None:
        event = build_event()
        change_rules(event_id=event.pk, ruleset=MAINE)
        changed = get_last_action(event)
        start_event(event_id=event.pk)
        start_next_round(event)
        refusal = get_refusal(change_rules, event_id=event.pk, ruleset=CANADIAN)
        assert (refusal.code, refusal.field) == ("matches_opened", "ruleset")
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=changed.pk) == "matches_opened"
        unpublish_round(event_id=event.pk, number=1)
        change_rules(event_id=event.pk, ruleset=CANADIAN)
        start_next_round(event)
        assert {match.terms.ruleset for match in matches_of(event)} == {CANADIAN}

    @pytest.mark.slow
    def test_two_player_rules_are_refused_for_pairs(self) -> None:
        event = build_event()
        assert get_refusal_code(change_rules, event_id=event.pk, ruleset=TWO_PLAYER) == "entries_of_other_size"
        empty = build_event(0, ruleset=TWO_PLAYER)
        change_rules(event_id=empty.pk, ruleset=CANADIAN)
        changed = get_last_action(empty)
        add_entry(event_id=empty.pk, players=("Ida Cyr", "Eva Cyr"))
        assert get_refusal_code(undo_action, event_id=empty.pk, action_id=changed.pk) == "later_steps_rest_on_it"

    def test_two_player_rules_are_refused_for_drawn_partners(self) -> None:
        event = build_event(0, draw_format="rotation")
        assert get_refusal_code(change_rules, event_id=event.pk, ruleset=TWO_PLAYER) == "partners_need_four"

    def test_unknown_hand_detail_is_refused(self) -> None:
        event = build_event()
        refusal = get_refusal(change_rules, event_id=event.pk, ruleset=MAINE, details=["weather"])
        assert (refusal.code, refusal.field) == ("no_such_detail", "details")


@pytest.mark.slow
class TestMatchLength:
    @pytest.mark.long
    def test_match_length_changes_until_a_match_exists(self) -> None:
        event = build_event()
        change_match_length(event_id=event.pk, match_format=FIFTY_MINUTES)
        assert Event.objects.get().terms.match_format == FIFTY_MINUTES
        undo(event)
        assert Event.objects.get().terms.match_format == ONE_GAME
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk)
        change_match_length(event_id=event.pk, match_format=TWO_GAMES)
        assert Event.objects.get().terms.match_format == TWO_GAMES

    @pytest.mark.slow
    def test_length_of_existing_matches_can_neither_change_nor_be_undone(self) -> None:
        event = build_event()
        change_match_length(event_id=event.pk, match_format=TWO_GAMES)
        changed = get_last_action(event)
        start_event(event_id=event.pk)
        start_next_round(event)
        refusal = get_refusal(change_match_length, event_id=event.pk, match_format=ONE_GAME)
        assert (refusal.code, refusal.field) == ("matches_opened", "length")
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=changed.pk) == "matches_opened"
        assert Event.objects.get().terms.match_format == TWO_GAMES

    @pytest.mark.long
    def test_unpublished_round_frees_the_match_length_unless_hands_exist(self) -> None:
        event = build_running_night()
        unpublish_round(event_id=event.pk, number=1)
        change_match_length(event_id=event.pk, match_format=TWO_GAMES)
        start_next_round(event)
        mark(matches_of(event)[0], "A 6 made")
        unpublish_round(event_id=event.pk, number=1)
        assert get_refusal_code(change_match_length, event_id=event.pk, match_format=ONE_GAME) == "matches_opened"


class TestStages:
    def test_stages_change_freely_until_the_start(self) -> None:
        event = build_event()
        change_stages(event_id=event.pk, stages=[{"format": "round_robin"}])
        event.refresh_from_db()
        assert event.stages == [{"format": "round_robin"}]
        undo(event)
        assert event.stages == [{"format": "random"}]

    def test_stages_of_another_entry_size_are_refused(self) -> None:
        assert get_refusal_code(change_stages, event_id=build_event().pk, stages=[ROTATION]) == "entries_of_other_size"
        assert change_stages(event_id=build_event(0).pk, stages=[ROTATION]).draws_partners

    def test_started_stage_cannot_change(self) -> None:
        event = build_running_night()
        assert count_begun_rounds(event) == {0: 1}
        for stages in ([SWISS], [{"format": "random", "settings": {"target": "fold"}}]):
            refusal = get_refusal(change_stages, event_id=event.pk, stages=stages)
            assert (refusal.code, refusal.field) == ("stage_begun", "stages.0.format")

    def test_two_player_table_requires_two_player_rules(self) -> None:
        alone = {"format": "rotation", "settings": {"odd": "two_player_table"}}
        refusal = get_refusal(change_stages, event_id=build_event(0).pk, stages=[alone])
        assert (refusal.code, refusal.field) == ("no_rules_for_two", "stages.0.settings.odd")
        event = build_event(0, ruleset=BAS_SAINT_LAURENT)
        assert change_stages(event_id=event.pk, stages=[alone]).stages == [alone]
        assert get_refusal_code(change_rules, event_id=event.pk, ruleset=CANADIAN) == "no_rules_for_two"

    def test_existing_two_player_table_survives_later_changes(self) -> None:
        alone = {"format": "by_rank", "settings": {"odd": "two_player_table"}}
        event = build_event(0)
        Event.objects.filter(pk=event.pk).update(stages=[alone])
        assert change_stages(event_id=event.pk, stages=[{**alone, "rounds": 3}]).stages[0]["rounds"] == 3
        assert change_rules(event_id=event.pk, ruleset=MAINE).stages == [{**alone, "rounds": 3}]

    @pytest.mark.long
    def test_results_of_leavers_can_be_annulled_during_a_stage(self) -> None:
        event = build_running_night(pairs=5, draw_format="round_robin")
        annulling = [{"format": "round_robin", "settings": {"leavers": "annul"}}]
        assert change_stages(event_id=event.pk, stages=annulling).stages == annulling
        again = [{"format": "round_robin", "settings": {"leavers": "annul", "legs": 2}}]
        assert get_refusal_code(change_stages, event_id=event.pk, stages=again) == "stage_begun"

    @pytest.mark.long
    def test_final_can_be_added_during_a_night(self) -> None:
        event = build_played_night(pairs=4)
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}, {**FINAL, "count": 2}])
        drawn = start_next_round(event)
        assert drawn.draw_format == "knockout"
        assert drawn.tables.count() == 1
        refusal = get_refusal(
            change_stages,
            event_id=event.pk,
            stages=[{"format": "random", "rounds": 3}, {**FINAL, "count": 2}],
        )
        assert (refusal.code, refusal.details["stage"]) == ("stage_begun", 1)

    @pytest.mark.slow
    def test_running_stage_cannot_drop_drawn_rounds(self) -> None:
        event = build_played_night(pairs=6)
        draw_round(event_id=event.pk)
        stages = [{"format": "random", "rounds": 1}, FINAL]
        refusal = get_refusal(change_stages, event_id=event.pk, stages=stages)
        assert (refusal.code, refusal.field) == ("rounds_drawn", "stages.0.rounds")
        discard_draft(event_id=event.pk, number=2)
        assert change_stages(event_id=event.pk, stages=stages).stages == stages

    @pytest.mark.long
    def test_undo_of_stages_is_refused_once_entries_or_rounds_exist(self) -> None:
        event = build_event(0, tables=4)
        change_stages(event_id=event.pk, stages=[ROTATION])
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}, {**FINAL, "count": 2}])
        of_pairs = get_last_action(event)
        add_entries(event_id=event.pk, entries=build_player_names(4))
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=of_pairs.pk) == "later_steps_rest_on_it"
        start_event(event_id=event.pk)
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}])
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}, {**FINAL, "count": 2}])
        with_final = get_last_action(event)
        start_next_round(event)
        play_round(event)
        draw_round(event_id=event.pk)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=with_final.pk) == "later_steps_rest_on_it"
        discard_draft(event_id=event.pk, number=2)
        undo_action(event_id=event.pk, action_id=with_final.pk)
        event.refresh_from_db()
        assert event.stages == [{"format": "random", "rounds": 1}]


class TestRanking:
    @pytest.mark.long
    def test_new_event_gives_no_credit_for_a_scheduled_bye(self) -> None:
        event = build_played_night(pairs=5, draw_format="round_robin")
        assert sorted(row["match_wins"] for row in compute_standings(event)) == [0, 0, 0, 1, 1]

    @pytest.mark.long
    def test_older_event_keeps_its_credit_for_a_scheduled_bye(self) -> None:
        event = build_running_night(pairs=5, draw_format="round_robin")
        Event.objects.filter(pk=event.pk).update(ranking={"order": ["match_wins"]})
        play_round(event)
        event.refresh_from_db()
        assert sorted(row["match_wins"] for row in compute_standings(event)) == [0, 0, 1, 1, 1]

    @pytest.mark.long
    def test_ranking_change_is_logged_recomputed_and_undone(self) -> None:
        event = build_played_night(pairs=5)
        compute_standings(event)
        Job.objects.all().delete()
        director = build_account()
        rules = RankingRules(order=("lots",), bye=Bye.NOTHING)
        by = Actor(account=director, reason="As we agreed.")
        change_ranking(event_id=event.pk, rules=rules, by=by)
        action = get_last_action(event)
        assert (action.kind, action.account, action.reason) == ("change_ranking", director, "As we agreed.")
        assert action.details == {
            "before": ranking_rules_to_json(get_default_rules(event.plan)),
            "after": {"order": ["lots"], "bye": "nothing", "scheduled_bye": "win"},
        }
        assert Job.objects.get().kind == "refresh_standings"
        assert "lots" in compute_standings(event)[0]
        undo(event)
        assert ranking_rules_from_json(event.ranking) == get_default_rules(event.plan)

    def test_double_click_changes_the_ranking_once(self) -> None:
        event = build_event()
        by = Actor(key=uuid4())
        change_ranking(event_id=event.pk, rules=RankingRules(dropped=1), by=by)
        change_ranking(event_id=event.pk, rules=RankingRules(dropped=2), by=by)
        event.refresh_from_db()
        assert event.ranking["dropped"] == 1

    def test_unchanged_settings_add_no_history_line(self) -> None:
        event = build_event()
        before = Action.objects.count()
        change_ranking(event_id=event.pk, rules=get_default_rules(event.plan))
        change_stages(event_id=event.pk, stages=event.stages)
        change_sections(event_id=event.pk, sections=[])
        rename_event(event_id=event.pk, name=event.name, held_on=TUESDAY)
        assert Action.objects.count() == before


@pytest.mark.slow
class TestEventSections:
    @pytest.mark.long
    def test_renamed_section_takes_its_entries_along(self) -> None:
        event = build_event(4)
        change_sections(event_id=event.pk, sections=[BEGINNERS, MIXED_SECTION])
        event.entries.filter(number=1).update(section="Beginners")
        event.entries.filter(number=2).update(section="Mixed")
        change_sections(
            event_id=event.pk,
            sections=[{**BEGINNERS, "name": "Mixed"}, {**MIXED_SECTION, "name": "Beginners"}],
            renamed={"Beginners": "Mixed", "Mixed": "Beginners"},
        )
        assert list_sections(event) == ["Mixed", "Beginners", "", ""]
        undo(event)
        assert list_sections(event) == ["Beginners", "Mixed", "", ""]
        assert event.sections == [BEGINNERS, MIXED_SECTION]

    @pytest.mark.slow
    def test_removed_section_leaves_its_entries_without_one(self) -> None:
        event = build_event(2)
        change_sections(event_id=event.pk, sections=[BEGINNERS, MIXED_SECTION])
        event.entries.filter(number=1).update(section="Beginners")
        change_sections(event_id=event.pk, sections=[MIXED_SECTION], renamed={"Mixed": "Mixed"})
        assert list_sections(event) == ["", ""]
        undo(event)
        assert list_sections(event) == ["Beginners", ""]


@pytest.mark.long
def test_section_change_has_constant_query_count() -> None:
    counted = []
    for pairs in (2, 20):
        event = build_event(pairs)
        change_sections(event_id=event.pk, sections=[BEGINNERS, MIXED_SECTION])
        event.entries.update(section="Beginners")
        with CaptureQueriesContext(connection) as made:
            change_sections(event_id=event.pk, sections=[MIXED_SECTION])
        counted.append(len(made))
        assert set(list_sections(event)) == {""}
    assert counted[0] == counted[1]


def list_sections(event: Event) -> list[str]:
    return list(event.entries.order_by("number").values_list("section", flat=True))


class TestHalfWins:
    @pytest.mark.parametrize(
        ("length", "first"),
        [
            (MatchFormat(games_to_win=2), "match_wins"),
            (MatchFormat(hands=8), "half_wins"),
            (MatchFormat(games_to_win=2, minutes=50), "half_wins"),
        ],
    )
    def test_drawable_matches_rank_by_half_wins(self, length: MatchFormat, first: str) -> None:
        assert build_event(match_format=length).ranking_rules.order[0] == first

    def test_switching_to_drawable_matches_ranks_by_half_wins(self) -> None:
        event = build_event(match_format=MatchFormat(games_to_win=2))
        changed = change_match_length(event_id=event.pk, match_format=MatchFormat(minutes=50))
        assert changed.ranking_rules.order[0] == "half_wins"

    def test_length_change_keeps_a_custom_ranking(self) -> None:
        event = build_event(match_format=MatchFormat(games_to_win=2))
        change_ranking(event_id=event.pk, rules=RankingRules(order=("match_wins", "points_for")))
        changed = change_match_length(event_id=event.pk, match_format=MatchFormat(minutes=50))
        assert changed.ranking_rules.order[0] == "match_wins"
        change_ranking(event_id=event.pk, rules=RankingRules())
        changed = change_match_length(event_id=event.pk, match_format=MatchFormat(minutes=40))
        assert changed.ranking_rules.order[0] == "match_wins"
