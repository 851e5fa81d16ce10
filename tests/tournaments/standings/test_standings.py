"""From results to standings: what counts, and how much a bye is worth."""

import json
from typing import Any

import pytest

from engine.standings import build_count_key
from jobs.models import Job
from jobs.services import enqueue, run_job
from rules import BAS_SAINT_LAURENT, MatchFormat
from tests.builders import (
    TWO_GAMES,
    build_account,
    build_event,
    build_night_with_absentee,
    build_played_night,
    build_running_night,
    compute_standings,
    get_draw_input,
    mark,
    matches_of,
    play,
    play_round,
    reload_match,
    start_next_round,
    win,
)
from tournaments.entries.services.check_in import leave_out_entry, mark_present
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.models import Event, Standings
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.standings.queries.standings import get_standings_rows
from tournaments.standings.services import refresh_older_standings, refresh_standings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("JSON searched as text, and upserts"),
]


def get_row(event: Event, number: int) -> dict[str, Any]:
    return next(row for row in compute_standings(event) if row["entry"] == number)


def list_entries_at(event: Event, table: int) -> list[int]:
    """Return the numbers of the entries at a table of round 1, side A first."""
    seatings = event.rounds.get(number=1).tables.get(number=table).seatings.order_by("side")
    return [seating.entry.number for seating in seatings]


def set_ranking(event: Event, *order: str) -> Event:
    event.ranking = {"order": list(order)}
    event.save(update_fields=["ranking"])
    return event


class TestStandings:
    def test_standings_are_empty_before_computation(self) -> None:
        assert get_standings_rows(build_event()) == []

    def test_standings_count_match_results(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0])
        winner, loser = list_entries_at(event, table=1)
        rows = compute_standings(event)
        assert rows[0] == {
            "rank": 1,
            "entry": winner,
            "match_wins": 1,
            "games_won": 1,
            "points_for": 32,
            "points_against": 6,
            "difference": 26,
            "decided_by": None,
        }
        assert rows[-1]["entry"] == loser
        assert (rows[-1]["rank"], rows[-1]["difference"]) == (4, -26)
        assert [row["rank"] for row in rows] == [1, 2, 2, 4]

    def test_computed_standings_are_stored(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0])
        rows = compute_standings(event)
        assert get_standings_rows(event) == rows

    def test_worker_computes_the_standings(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0])
        run_job(enqueue(kind="refresh_standings", key=str(event.pk)).pk)
        run_job(enqueue(kind="refresh_standings", key=str(event.pk)).pk)
        assert Standings.objects.get().rows[0]["match_wins"] == 1

    @pytest.mark.long
    def test_unfinished_match_does_not_count(self) -> None:
        event = build_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        play(matches_of(event)[0], "A charlemagne made", "A 6 made")
        assert {row["games_won"] for row in compute_standings(event)} == {0}

    def test_undone_win_no_longer_counts(self) -> None:
        event = build_running_night()
        match = matches_of(event)[0]
        mark(match, "undone", replaced=win(match)[-1])
        assert {row["match_wins"] for row in compute_standings(event)} == {0}

    @pytest.mark.slow
    def test_standings_follow_a_correction_of_a_closed_round(self) -> None:
        event = build_played_night()
        match = matches_of(event)[0]
        winner, _ = list_entries_at(event, table=1)
        winning = match.marks.get(number=2)
        mark(match, "A charlemagne made", replaced=winning, director=build_account())
        assert get_row(event, winner)["match_wins"] == 0
        assert not reload_match(match).is_over

    @pytest.mark.long
    def test_drawn_match_gives_no_one_a_win(self) -> None:
        event = build_running_night(match_format=MatchFormat(minutes=50))
        mark(matches_of(event)[0], "time_called")
        assert {row["match_wins"] for row in compute_standings(event)} == {0}

    def test_standings_list_entries_without_a_result(self) -> None:
        assert [row["rank"] for row in compute_standings(build_event(pairs=3))] == [1, 1, 1]

    @pytest.mark.long
    def test_standings_show_points_of_both_sides(self) -> None:
        event = build_running_night()
        win(matches_of(event)[1], "B")
        loser, winner = list_entries_at(event, table=2)
        assert (get_row(event, winner)["points_for"], get_row(event, winner)["points_against"]) == (32, 6)
        assert (get_row(event, loser)["points_for"], get_row(event, loser)["points_against"]) == (6, 32)

    @pytest.mark.long
    def test_standings_count_made_contracts_and_charlemagnes(self) -> None:
        event = set_ranking(
            build_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES),
            "charlemagnes",
            "contracts_made",
        )
        play(
            matches_of(event)[0],
            "A 6 made",
            "B 7 failed",
            "A charlemagne made",
            "B 5 made",
            "B charlemagne failed",
        )
        rows = {row["entry"]: (row["charlemagnes"], row["contracts_made"]) for row in compute_standings(event)}
        assert [rows[entry] for entry in list_entries_at(event, table=1)] == [(1, 2), (0, 1)]

    @pytest.mark.slow
    def test_standings_store_the_deciding_head_to_head_match(self) -> None:
        event = set_ranking(build_running_night(pairs=2), "contracts_made", "head_to_head")
        win(matches_of(event)[0])
        winner, loser = list_entries_at(event, table=1)
        first, last = compute_standings(event)
        assert (first["entry"], first["head_to_head"], last["head_to_head"]) == (winner, 1, 0)
        assert first["met"] == [{"entry": loser, "round": 1, "outcome": "won", "points": [32, 6]}]
        assert last["decided_by"] == "head_to_head"

    @pytest.mark.long
    def test_standings_store_dropped_rounds_and_adjustments(self) -> None:
        event = build_running_night()
        event.ranking = {"order": ["points_for"], "dropped": 1}
        event.save(update_fields=["ranking"])
        play_round(event)
        start_next_round(event)
        winner, _ = list_entries_at(event, table=1)
        event.adjustments.create(entry=event.entries.get(number=winner), metric="points_for", amount=-5, reason="Late.")
        for match in matches_of(event, 2):
            win(match)
        row = get_row(event, winner)
        assert (len(row["dropped"]), row["adjusted"]) == (1, {"points_for": -5})
        assert "met" not in row


def get_breakdown(event: Event, number: int) -> dict[str, Any]:
    """Return the stored breakdown of an entry's row."""
    compute_standings(event)
    found: dict[str, Any] = Standings.objects.get(event=event).counted[build_count_key(number)]
    return found


class TestRowBreakdown:
    def test_breakdown_lists_rounds_from_the_entry_side(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0])
        winner, loser = list_entries_at(event, table=1)
        assert get_breakdown(event, winner)["rounds"] == [
            {"round": 1, "outcome": "won", "opponents": [loser], "games": [1, 0], "points": [32, 6]}
        ]
        assert get_breakdown(event, loser)["rounds"][0]["points"] == [6, 32]

    def test_breakdown_explains_rounds_without_play(self) -> None:
        event = build_running_night(pairs=5)
        (sitting_out,) = event.rounds.get().seatings.filter(table=None)
        event.entries.create(number=6, player_1=event.entries.get(number=1).player_1, arrives=2)
        assert get_breakdown(event, sitting_out.entry.number)["rounds"] == [
            {"round": 1, "outcome": "won", "kind": "bye"}
        ]
        assert get_breakdown(event, 6)["rounds"] == [{"round": 1, "outcome": "lost", "kind": "late"}]

    @pytest.mark.long
    def test_breakdown_marks_dropped_rounds(self) -> None:
        event = build_running_night()
        event.ranking = {"order": ["match_wins"], "dropped": 1}
        event.save(update_fields=["ranking"])
        play_round(event)
        start_next_round(event)
        play_round(event, 2)
        for entry in event.entries.all():
            rounds = get_breakdown(event, entry.number)["rounds"]
            assert [each["round"] for each in rounds] == [1, 2]
            assert [each.get("is_dropped", False) for each in rounds].count(True) == 1

    @pytest.mark.long
    def test_breakdown_lists_parts_of_opponent_metrics(self) -> None:
        event = set_ranking(build_running_night(), "match_wins", "buchholz", "buchholz_cut_1")
        play_round(event)
        _, loser = list_entries_at(event, table=1)
        assert get_breakdown(event, loser)["parts"] == {
            "buchholz": [[1, 2, True]],
            "buchholz_cut_1": [[1, 2, False]],
        }

    def test_breakdown_contains_adjustment_reasons(self) -> None:
        event = build_running_night()
        event.adjustments.create(
            entry=event.entries.get(number=2), metric="points_for", amount=-5, round=1, reason="Late."
        )
        assert get_breakdown(event, 2)["adjusted"] == [
            {"metric": "points_for", "amount": -5, "round": 1, "reason": "Late."}
        ]
        assert "adjusted" not in get_breakdown(event, 1)


class TestAbsentPair:
    def test_absent_pair_is_listed_before_the_first_round(self) -> None:
        event = build_event(5)
        leave_out_entry(event_id=event.pk, number=2, is_coming=False)
        start_event(event_id=event.pk)
        assert 2 in {row["entry"] for row in compute_standings(event)}

    @pytest.mark.long
    def test_absent_pair_has_no_rank(self) -> None:
        rows = compute_standings(build_night_with_absentee(2))
        assert [(row["rank"], row["match_wins"]) for row in rows] == [(1, 1), (1, 1), (3, 0), (3, 0)]
        assert 2 not in {row["entry"] for row in rows}

    @pytest.mark.long
    def test_absent_pair_is_ranked_after_check_in(self) -> None:
        event = build_night_with_absentee(2)
        mark_present(event_id=event.pk, number=2, is_present=True)
        start_next_round(event)
        assert get_row(event, 2)["match_wins"] == 0

    def test_withdrawn_pair_stays_in_the_standings(self) -> None:
        event = build_running_night()
        withdraw_entry(event_id=event.pk, number=1)
        assert {row["entry"] for row in compute_standings(event)} == {1, 2, 3, 4}


def build_knockout() -> Event:
    """Build a knockout with its semifinals played and the final published."""
    event = build_played_night(draw_format="knockout")
    start_next_round(event)
    return event


def reverse_result(event: Event) -> None:
    """Correct table 1 of the semifinals as a director: the other side won."""
    match = matches_of(event)[0]
    mark(match, "B gros_charlemagne made", replaced=match.marks.get(number=2), director=build_account())


def remove_scores(stored_charts: Any) -> Any:
    """Return the charts as stored before they contained scores."""
    if isinstance(stored_charts, list):
        return [remove_scores(each) for each in stored_charts]
    if isinstance(stored_charts, dict):
        return {name: remove_scores(each) for name, each in stored_charts.items() if name != "score"}
    return stored_charts


@pytest.mark.slow
class TestStoredCharts:
    @pytest.mark.long
    def test_stored_charts_cover_only_stages_with_charts(self) -> None:
        event = build_event()
        by_lot = {"format": "random", "rounds": 1}
        change_stages(event_id=event.pk, stages=[by_lot, {"format": "knockout", "takes": "top", "count": 2}])
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        start_next_round(event)
        charts = refresh_standings(event_id=event.pk).charts
        assert [chart["format"] for chart in charts] == ["knockout"]
        assert refresh_standings(event_id=build_running_night().pk).charts == []

    @pytest.mark.long
    def test_stored_charts_contain_no_draft(self) -> None:
        event = build_played_night(draw_format="round_robin")
        published = refresh_standings(event_id=event.pk).charts
        draw_round(event_id=event.pk)
        assert refresh_standings(event_id=event.pk).charts == published
        publish_round(event_id=event.pk, number=2)
        assert refresh_standings(event_id=event.pk).charts != published

    @pytest.mark.long
    def test_charts_without_scores_are_refreshed(self) -> None:
        events = {name: build_knockout() for name in ("older", "newer")}
        for event in (*events.values(), set_ranking(build_running_night(), "match_wins")):
            compute_standings(event)
        older = Standings.objects.get(event=events["older"])
        newer = Standings.objects.get(event=events["newer"])
        older.charts = remove_scores(older.charts)
        older.save()
        refresh_older_standings()
        (job,) = Job.objects.filter(kind="refresh_standings")
        assert job.key == str(events["older"].pk)
        run_job(job.pk)
        drawn = Standings.objects.get(event=events["older"]).charts
        assert json.dumps(drawn).count('"score"') == json.dumps(newer.charts).count('"score"') > 0

    def test_brackets_without_remaining_entries_are_refreshed(self) -> None:
        event = build_played_night(draw_format="knockout")
        compute_standings(event)
        older = Standings.objects.get(event=event)
        older.rows = [{name: row[name] for name in row.keys() - {"plays_on"}} for row in older.rows]
        older.save()
        refresh_older_standings()
        run_job(Job.objects.get(kind="refresh_standings").pk)
        assert sum(row.get("plays_on", False) for row in Standings.objects.get(event=event).rows) == 2
        refresh_older_standings()
        assert not Job.objects.filter(kind="refresh_standings", ended_at=None).exists()

    def test_standings_without_rounds_left_out_by_a_final_are_refreshed(self) -> None:
        final = {"format": "knockout", "takes": "top", "count": 2, "carried": "none"}
        event = build_played_night(stages=[{"format": "swiss", "rounds": 1}, final])
        start_next_round(event)
        compute_standings(event)
        older = Standings.objects.get(event=event)
        complete = {name: dict(count) for name, count in older.counted.items()}
        for count in older.counted.values():
            count.pop("left_out", None)
        older.save()
        refresh_older_standings()
        run_job(Job.objects.get(kind="refresh_standings").pk)
        assert Standings.objects.get(event=event).counted == complete
        refresh_older_standings()
        assert not Job.objects.filter(kind="refresh_standings", ended_at=None).exists()

    @pytest.mark.long
    def test_stored_charts_list_contradictions_of_a_correction(self) -> None:
        event = build_knockout()
        assert refresh_standings(event_id=event.pk).contradictions == []
        winner, loser = list_entries_at(event, table=1)
        reverse_result(event)
        (found,) = refresh_standings(event_id=event.pk).contradictions
        assert (found["round"], found["table"]) == (2, 1)
        assert (found["seated"], found["expected"]) == ([winner], [loser])

    @pytest.mark.long
    def test_manually_seated_table_is_no_contradiction(self) -> None:
        event = build_knockout()
        reverse_result(event)
        for table in event.rounds.get(number=2).tables.all():
            table.reasons = [{"code": "locked"}]
            table.save(update_fields=["reasons"])
        assert refresh_standings(event_id=event.pk).contradictions == []


@pytest.mark.long
class TestBye:
    def test_bye_counts_as_a_win_without_points(self) -> None:
        event = build_running_night(pairs=5, ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        (sitting_out,) = event.rounds.get().seatings.filter(table=None)
        row = get_row(event, sitting_out.entry.number)
        assert (row["match_wins"], row["games_won"]) == (1, 2)
        assert (row["points_for"], row["points_against"]) == (0, 0)

    def test_bye_in_a_timed_match_gives_no_games(self) -> None:
        event = build_running_night(pairs=3, match_format=MatchFormat(minutes=50))
        (sitting_out,) = event.rounds.get().seatings.filter(table=None)
        row = get_row(event, sitting_out.entry.number)
        assert (row["match_wins"], row["games_won"]) == (1, 0)

    def test_draft_bye_does_not_count(self) -> None:
        event = start_event(event_id=build_event(pairs=3).pk)
        draw_round(event_id=event.pk)
        assert {row["match_wins"] for row in compute_standings(event)} == {0}
        publish_round(event_id=event.pk, number=1)
        assert {row["match_wins"] for row in compute_standings(event)} == {0, 1}
        unpublish_round(event_id=event.pk, number=1)
        assert {row["match_wins"] for row in compute_standings(event)} == {0}


class TestDrawInput:
    @pytest.mark.long
    def test_draw_input_orders_entries_by_rank(self) -> None:
        event = build_running_night(pairs=4)
        win(matches_of(event)[0])
        ranks = {row["entry"]: row["rank"] for row in compute_standings(event)}
        drawn = [ranks[entrant.number] for entrant in get_draw_input(event).entrants]
        assert drawn == [1, 2, 2, 4]

    @pytest.mark.long
    def test_draw_input_orders_ties_by_the_event_lot(self) -> None:
        orders = set()
        for lot in range(8):
            event = build_event(pairs=4)
            Event.objects.filter(pk=event.pk).update(lot=lot)
            event.refresh_from_db()
            orders.add(tuple(entrant.number for entrant in get_draw_input(event).entrants))
        assert len(orders) > 2

    def test_draw_input_orders_seeded_ties_by_number(self) -> None:
        event = build_event(pairs=4)
        Event.objects.filter(pk=event.pk).update(is_seeded=True)
        event.refresh_from_db()
        assert [entrant.number for entrant in get_draw_input(event).entrants] == [1, 2, 3, 4]

    @pytest.mark.long
    def test_draw_input_contains_all_matches_and_byes(self) -> None:
        event = build_played_night(pairs=5)
        start_next_round(event)
        history = get_draw_input(event).history
        assert sorted(table.round for table in history) == [1, 1, 1, 2, 2, 2]
        assert [len(table.b) for table in history].count(0) == 2
        side_a, side_b = list_entries_at(event, table=1)
        numbers = dict(event.entries.values_list("pk", "number"))
        met = [(numbers[table.a[0]], numbers[table.b[0]]) for table in history if table.b]
        assert (side_a, side_b) in met
