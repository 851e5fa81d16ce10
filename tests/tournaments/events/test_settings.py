"""Settings of an event: made, changed and undone."""

import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.audit.log import Actor
from engine.ranking import Bye, RankingRules, ranking_rules_from_json, ranking_rules_to_json
from engine.results import usual_rules
from jobs.models import Job
from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, TWO_PLAYER, MatchFormat
from tests.builders import (
    BY_THE_CLOCK,
    ONE_GAME,
    TUESDAY,
    TWO_GAMES,
    a_club,
    a_played_night,
    a_running_night,
    an_account,
    an_event,
    code_of,
    mark,
    matches_of,
    next_round,
    play_round,
    player_names,
    refusal_of,
    standings_after,
)
from tournaments.entries.services.entries import add_entries, add_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import (
    Settings,
    change_match_length,
    change_ranking,
    change_rules,
    change_sections,
    change_stages,
    create_tournament,
    rename_event,
    rounds_begun,
)
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.services.rounds import discard_draft, draw_round, unpublish_round

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "rounds": 2}
ROTATION = {"format": "rotation"}
FINAL = {"format": "knockout", "takes": "top", "count": 4}
BEGINNERS = {"name": "Beginners", "first_table": 1, "last_table": 4}
MIXED = {"name": "Mixed", "first_table": None, "last_table": None}


def a_tournament(*stages: dict[str, Any], **changed: Any) -> Event:
    settings = Settings(
        stages=stages or (SWISS, FINAL),
        ranking=changed.pop("ranking", RankingRules()),
        sections=changed.pop("sections", ()),
    )
    usual: dict[str, Any] = {
        "club": a_club(),
        "name": "Autumn",
        "held_on": TUESDAY,
        "ruleset": CANADIAN,
        "rules_name": "",
        "match_format": ONE_GAME,
        "table_count": 8,
        "details": (),
        "settings": settings,
    }
    return create_tournament(**usual | changed)


def last_action(event: Event) -> Action:
    return Action.objects.filter(event=event).latest("pk")


def undo(event: Event) -> None:
    undo_action(event_id=event.pk, action_id=last_action(event).pk)
    event.refresh_from_db()


class TestATournament:
    def test_is_made_with_all_its_settings(self) -> None:
        rules = RankingRules(order=("match_wins", "lots"), bye=Bye.DRAW)
        event = a_tournament(SWISS, FINAL, ranking=rules, sections=[BEGINNERS, MIXED])
        event.refresh_from_db()
        assert event.stages == [SWISS, FINAL]
        assert ranking_rules_from_json(event.ranking) == rules
        assert event.sections == [BEGINNERS, MIXED]

    @pytest.mark.parametrize(
        ("changed", "code", "field"),
        [
            (
                {"ruleset": TWO_PLAYER, "stages": [{"format": "rotation"}]},
                "partners_need_four",
                "stages.0.format",
            ),
            ({"stages": [FINAL]}, "nothing_before", "stages.0.takes"),
            ({"sections": [{**MIXED, "name": ""}]}, "section_name_required", "sections.0.name"),
            ({"sections": [{**MIXED, "name": "x" * 41}]}, "name_too_long", "sections.0.name"),
            ({"sections": [MIXED, {**MIXED, "name": "MIXÉD"}]}, "section_twice", "sections.1.name"),
            ({"sections": [{**MIXED, "first_table": 2}]}, "section_tables", "sections.0.last_table"),
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
    def test_that_cannot_work_is_refused_at_the_field(
        self, changed: dict[str, Any], code: str, field: str
    ) -> None:
        stages = changed.pop("stages", ())
        refusal = refusal_of(a_tournament, *stages, **changed)
        assert (refusal.code, refusal.field) == (code, field)
        assert not Event.objects.exists()


class TestTheName:
    def test_and_the_day_change_and_the_address_stays(self) -> None:
        event = a_tournament()
        day = datetime.date(2026, 11, 24)
        rename_event(event_id=event.pk, name="  Winter  ", held_on=day)
        event.refresh_from_db()
        assert (event.name, event.held_on, event.short) == ("Winter", day, "autumn")
        undo(event)
        assert (event.name, event.held_on) == ("Autumn", TUESDAY)

    def test_of_nothing_is_refused(self) -> None:
        event = a_tournament()
        assert code_of(rename_event, event_id=event.pk, name=" ", held_on=TUESDAY) == "event_name_required"


class TestTheRules:
    def test_change_with_what_is_asked_of_a_hand_until_a_table_has_a_match(self) -> None:
        event = an_event()
        change_rules(event_id=event.pk, ruleset=MAINE, rules_name="Chez nous", details=["trump"])
        terms = Event.objects.get().terms
        assert (terms.ruleset, terms.rules_name, terms.details) == (MAINE, "Chez nous", ["trump"])
        assert terms.match_format == ONE_GAME, "its length is another setting"
        undo(event)
        terms = Event.objects.get().terms
        assert (terms.ruleset, terms.rules_name, terms.details) == (CANADIAN, "", [])

    @pytest.mark.slow
    def test_of_a_match_that_is_there_stay_by_change_and_by_undo(self) -> None:
        event = an_event()
        change_rules(event_id=event.pk, ruleset=MAINE)
        changed = last_action(event)
        start_event(event_id=event.pk)
        next_round(event)
        refusal = refusal_of(change_rules, event_id=event.pk, ruleset=CANADIAN)
        assert (refusal.code, refusal.field) == ("matches_opened", "ruleset")
        assert code_of(undo_action, event_id=event.pk, action_id=changed.pk) == "matches_opened"
        unpublish_round(event_id=event.pk, number=1)
        change_rules(event_id=event.pk, ruleset=CANADIAN)
        next_round(event)
        assert {match.terms.ruleset for match in matches_of(event)} == {CANADIAN}

    def test_for_two_players_are_not_those_of_pairs_nor_after_an_undo(self) -> None:
        event = an_event()
        assert code_of(change_rules, event_id=event.pk, ruleset=TWO_PLAYER) == "entries_of_other_size"
        empty = an_event(0, ruleset=TWO_PLAYER)
        change_rules(event_id=empty.pk, ruleset=CANADIAN)
        changed = last_action(empty)
        add_entry(event_id=empty.pk, players=("Ida Cyr", "Eva Cyr"))
        assert code_of(undo_action, event_id=empty.pk, action_id=changed.pk) == "later_steps_rest_on_it"

    def test_for_two_players_are_not_those_of_drawn_partners(self) -> None:
        event = an_event(0, draw_format="rotation")
        assert code_of(change_rules, event_id=event.pk, ruleset=TWO_PLAYER) == "partners_need_four"

    def test_ask_for_nothing_that_no_hand_has(self) -> None:
        event = an_event()
        asked = refusal_of(change_rules, event_id=event.pk, ruleset=MAINE, details=["weather"])
        assert (asked.code, asked.field) == ("no_such_detail", "details")


class TestTheLengthOfAMatch:
    @pytest.mark.slow
    def test_changes_until_a_table_has_one(self) -> None:
        event = an_event()
        change_match_length(event_id=event.pk, match_format=BY_THE_CLOCK)
        assert Event.objects.get().terms.match_format == BY_THE_CLOCK
        undo(event)
        assert Event.objects.get().terms.match_format == ONE_GAME
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk)
        change_match_length(event_id=event.pk, match_format=TWO_GAMES)
        assert Event.objects.get().terms.match_format == TWO_GAMES

    def test_of_a_match_that_is_there_stays_by_change_and_by_undo(self) -> None:
        event = an_event()
        change_match_length(event_id=event.pk, match_format=TWO_GAMES)
        changed = last_action(event)
        start_event(event_id=event.pk)
        next_round(event)
        refusal = refusal_of(change_match_length, event_id=event.pk, match_format=ONE_GAME)
        assert (refusal.code, refusal.field) == ("matches_opened", "length")
        assert code_of(undo_action, event_id=event.pk, action_id=changed.pk) == "matches_opened"
        assert Event.objects.get().terms.match_format == TWO_GAMES

    def test_can_change_after_a_round_published_too_early_unless_hands_are_marked(self) -> None:
        event = a_running_night()
        unpublish_round(event_id=event.pk, number=1)
        change_match_length(event_id=event.pk, match_format=TWO_GAMES)
        next_round(event)
        mark(matches_of(event)[0], "A 6 made")
        unpublish_round(event_id=event.pk, number=1)
        assert code_of(change_match_length, event_id=event.pk, match_format=ONE_GAME) == "matches_opened"


class TestTheStages:
    def test_change_freely_until_the_start(self) -> None:
        event = an_event()
        change_stages(event_id=event.pk, stages=[{"format": "round_robin"}])
        event.refresh_from_db()
        assert event.stages == [{"format": "round_robin"}]
        undo(event)
        assert event.stages == [{"format": "random"}]

    def test_that_take_entries_of_another_size_wait_until_these_are_gone(self) -> None:
        assert code_of(change_stages, event_id=an_event().pk, stages=[ROTATION]) == "entries_of_other_size"
        assert change_stages(event_id=an_event(0).pk, stages=[ROTATION]).draws_partners

    def test_that_have_begun_stay_as_they_are(self) -> None:
        event = a_running_night()
        assert rounds_begun(event) == {0: 1}
        for stages in ([SWISS], [{"format": "random", "settings": {"target": "fold"}}]):
            refusal = refusal_of(change_stages, event_id=event.pk, stages=stages)
            assert (refusal.code, refusal.field) == ("stage_begun", "stages.0.format")

    def test_let_two_play_alone_only_by_rules_for_two(self) -> None:
        alone = {"format": "rotation", "settings": {"odd": "two_player_table"}}
        refusal = refusal_of(change_stages, event_id=an_event(0).pk, stages=[alone])
        assert (refusal.code, refusal.field) == ("no_rules_for_two", "stages.0.settings.odd")
        event = an_event(0, ruleset=BAS_SAINT_LAURENT)
        assert change_stages(event_id=event.pk, stages=[alone]).stages == [alone]
        assert code_of(change_rules, event_id=event.pk, ruleset=CANADIAN) == "no_rules_for_two"

    def test_from_before_may_let_two_play_alone_by_any_rules(self) -> None:
        alone = {"format": "by_rank", "settings": {"odd": "two_player_table"}}
        event = an_event(0, stages=[alone])
        assert change_stages(event_id=event.pk, stages=[{**alone, "rounds": 3}]).stages[0]["rounds"] == 3
        assert change_rules(event_id=event.pk, ruleset=MAINE).stages == [{**alone, "rounds": 3}]

    def test_say_while_they_are_played_what_becomes_of_the_results_of_leavers(self) -> None:
        event = a_running_night(pairs=5, draw_format="round_robin")
        annulling = [{"format": "round_robin", "settings": {"leavers": "annul"}}]
        assert change_stages(event_id=event.pk, stages=annulling).stages == annulling
        again = [{"format": "round_robin", "settings": {"leavers": "annul", "legs": 2}}]
        assert code_of(change_stages, event_id=event.pk, stages=again) == "stage_begun"

    @pytest.mark.slow
    def test_a_final_is_added_in_the_middle_of_a_night(self) -> None:
        event = a_played_night(pairs=4)
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}, {**FINAL, "count": 2}])
        drawn = next_round(event)
        assert drawn.draw_format == "knockout"
        assert drawn.tables.count() == 1
        refusal = refusal_of(
            change_stages,
            event_id=event.pk,
            stages=[{"format": "random", "rounds": 3}, {**FINAL, "count": 2}],
        )
        assert (refusal.code, refusal.details["stage"]) == ("stage_begun", 1)

    def test_a_stage_under_way_has_no_fewer_rounds_than_are_drawn(self) -> None:
        event = a_played_night(pairs=6)
        draw_round(event_id=event.pk)
        stages = [{"format": "random", "rounds": 1}, FINAL]
        refusal = refusal_of(change_stages, event_id=event.pk, stages=stages)
        assert (refusal.code, refusal.field) == ("rounds_drawn", "stages.0.rounds")
        discard_draft(event_id=event.pk, number=2)
        assert change_stages(event_id=event.pk, stages=stages).stages == stages

    @pytest.mark.slow
    def test_are_not_undone_while_entries_or_rounds_rest_on_them(self) -> None:
        event = an_event(0, tables=4)
        change_stages(event_id=event.pk, stages=[ROTATION])
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}, {**FINAL, "count": 2}])
        of_pairs = last_action(event)
        add_entries(event_id=event.pk, entries=player_names(4))
        assert code_of(undo_action, event_id=event.pk, action_id=of_pairs.pk) == "later_steps_rest_on_it"
        start_event(event_id=event.pk)
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}])
        change_stages(event_id=event.pk, stages=[{"format": "random", "rounds": 1}, {**FINAL, "count": 2}])
        with_final = last_action(event)
        next_round(event)
        play_round(event)
        draw_round(event_id=event.pk)
        assert code_of(undo_action, event_id=event.pk, action_id=with_final.pk) == "later_steps_rest_on_it"
        discard_draft(event_id=event.pk, number=2)
        undo_action(event_id=event.pk, action_id=with_final.pk)
        event.refresh_from_db()
        assert event.stages == [{"format": "random", "rounds": 1}]


class TestTheRanking:
    def test_of_a_new_event_credits_no_bye_of_a_schedule(self) -> None:
        event = a_played_night(pairs=5, draw_format="round_robin")
        assert sorted(row["match_wins"] for row in standings_after(event)) == [0, 0, 0, 1, 1]

    def test_of_an_event_from_before_credits_it_as_it_always_has(self) -> None:
        event = a_running_night(pairs=5, draw_format="round_robin")
        Event.objects.filter(pk=event.pk).update(ranking={"order": ["match_wins"]})
        play_round(event)
        event.refresh_from_db()
        assert sorted(row["match_wins"] for row in standings_after(event)) == [0, 0, 1, 1, 1]

    def test_is_changed_kept_with_before_and_after_and_recomputed(self) -> None:
        event = a_played_night(pairs=5)
        standings_after(event)
        Job.objects.all().delete()
        director = an_account()
        rules = RankingRules(order=("lots",), bye=Bye.NOTHING)
        by = Actor(account=director, reason="As we agreed.")
        change_ranking(event_id=event.pk, rules=rules, by=by)
        action = last_action(event)
        assert (action.kind, action.account, action.reason) == ("change_ranking", director, "As we agreed.")
        assert action.details == {
            "before": ranking_rules_to_json(usual_rules(event.plan)),
            "after": {"order": ["lots"], "bye": "nothing", "scheduled_bye": "win"},
        }
        assert Job.objects.get().kind == "refresh_standings"
        assert "lots" in standings_after(event)[0]
        undo(event)
        assert ranking_rules_from_json(event.ranking) == usual_rules(event.plan)

    def test_is_changed_once_by_a_double_click(self) -> None:
        event = an_event()
        by = Actor(key=uuid4())
        change_ranking(event_id=event.pk, rules=RankingRules(dropped=1), by=by)
        change_ranking(event_id=event.pk, rules=RankingRules(dropped=2), by=by)
        event.refresh_from_db()
        assert event.ranking["dropped"] == 1

    def test_as_it_is_already_is_no_change(self) -> None:
        event = an_event()
        before = Action.objects.count()
        change_ranking(event_id=event.pk, rules=usual_rules(event.plan))
        change_stages(event_id=event.pk, stages=event.stages)
        change_sections(event_id=event.pk, sections=[])
        rename_event(event_id=event.pk, name=event.name, held_on=TUESDAY)
        assert Action.objects.count() == before


class TestSections:
    def test_take_their_entries_along_when_they_are_renamed(self) -> None:
        event = an_event(4)
        change_sections(event_id=event.pk, sections=[BEGINNERS, MIXED])
        event.entries.filter(number=1).update(section="Beginners")
        event.entries.filter(number=2).update(section="Mixed")
        change_sections(
            event_id=event.pk,
            sections=[{**BEGINNERS, "name": "Mixed"}, {**MIXED, "name": "Beginners"}],
            renamed={"Beginners": "Mixed", "Mixed": "Beginners"},
        )
        assert sections_of(event) == ["Mixed", "Beginners", "", ""]
        undo(event)
        assert sections_of(event) == ["Beginners", "Mixed", "", ""]
        assert event.sections == [BEGINNERS, MIXED]

    def test_that_are_taken_out_leave_their_entries_in_none(self) -> None:
        event = an_event(2)
        change_sections(event_id=event.pk, sections=[BEGINNERS, MIXED])
        event.entries.filter(number=1).update(section="Beginners")
        change_sections(event_id=event.pk, sections=[MIXED], renamed={"Mixed": "Mixed"})
        assert sections_of(event) == ["", ""]
        undo(event)
        assert sections_of(event) == ["Beginners", ""]


def test_sections_of_many_change_in_as_many_queries_as_those_of_one() -> None:
    counted = []
    for pairs in (2, 20):
        event = an_event(pairs)
        change_sections(event_id=event.pk, sections=[BEGINNERS, MIXED])
        event.entries.update(section="Beginners")
        with CaptureQueriesContext(connection) as made:
            change_sections(event_id=event.pk, sections=[MIXED])
        counted.append(len(made))
        assert set(sections_of(event)) == {""}
    assert counted[0] == counted[1]


def sections_of(event: Event) -> list[str]:
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
    def test_rank_a_new_event_whose_matches_can_be_drawn(self, length: MatchFormat, first: str) -> None:
        assert an_event(match_format=length).ranking_rules.order[0] == first

    def test_rank_an_event_in_preparation_whose_matches_can_be_drawn_from_now_on(self) -> None:
        event = an_event(match_format=MatchFormat(games_to_win=2))
        changed = change_match_length(event_id=event.pk, match_format=MatchFormat(minutes=50))
        assert changed.ranking_rules.order[0] == "half_wins"

    def test_rank_no_event_that_ranks_by_something_else_or_had_such_matches_before(self) -> None:
        event = an_event(match_format=MatchFormat(games_to_win=2))
        change_ranking(event_id=event.pk, rules=RankingRules(order=("match_wins", "points_for")))
        changed = change_match_length(event_id=event.pk, match_format=MatchFormat(minutes=50))
        assert changed.ranking_rules.order[0] == "match_wins"
        change_ranking(event_id=event.pk, rules=RankingRules())
        changed = change_match_length(event_id=event.pk, match_format=MatchFormat(minutes=40))
        assert changed.ranking_rules.order[0] == "match_wins"
