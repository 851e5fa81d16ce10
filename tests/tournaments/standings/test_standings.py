"""From results to standings: what counts, and what a bye is worth."""

import json
from typing import Any

import pytest

from engine.standings import count_key
from jobs.models import Job
from jobs.services import enqueue, run_job
from rules import BAS_SAINT_LAURENT, MatchFormat
from tests.builders import (
    TWO_GAMES,
    a_night_awaiting,
    a_played_night,
    a_running_night,
    an_account,
    an_event,
    draw_input,
    fresh,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tournaments.entries.services.check_in import leave_out_entry, mark_present
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.models import Event, Standings
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.standings.queries.standings import standings_of
from tournaments.standings.services import refresh_older_standings, refresh_standings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("JSON is searched as text, and rows are written over"),
]


def row_of(event: Event, number: int) -> dict[str, Any]:
    return next(row for row in standings_after(event) if row["entry"] == number)


def entries_at(event: Event, table: int) -> list[int]:
    """The numbers of the entries at a table of round 1, side A first."""
    seatings = event.rounds.get(number=1).tables.get(number=table).seatings.order_by("side")
    return [seating.entry.number for seating in seatings]


def ranked_by(event: Event, *order: str) -> Event:
    event.ranking = {"order": list(order)}
    event.save(update_fields=["ranking"])
    return event


class TestStandings:
    def test_are_empty_before_they_were_computed(self) -> None:
        assert standings_of(an_event()) == []

    def test_count_what_was_won(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0])
        winner, loser = entries_at(event, table=1)
        rows = standings_after(event)
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

    def test_are_kept_for_whoever_reads_them(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0])
        rows = standings_after(event)
        assert standings_of(event) == rows

    def test_are_computed_by_the_worker(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0])
        run_job(enqueue(kind="refresh_standings", key=str(event.pk)).pk)
        run_job(enqueue(kind="refresh_standings", key=str(event.pk)).pk)
        assert Standings.objects.get().rows[0]["match_wins"] == 1

    @pytest.mark.slow
    def test_do_not_count_a_match_that_goes_on(self) -> None:
        event = a_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        play(matches_of(event)[0], "A charlemagne made", "A 6 made")
        assert {row["games_won"] for row in standings_after(event)} == {0}

    def test_count_no_longer_what_was_undone(self) -> None:
        event = a_running_night()
        match = matches_of(event)[0]
        mark(match, "undone", replacing=win(match)[-1])
        assert {row["match_wins"] for row in standings_after(event)} == {0}

    def test_follow_a_correction_of_a_closed_round(self) -> None:
        event = a_played_night()
        match = matches_of(event)[0]
        winner, _ = entries_at(event, table=1)
        winning = match.marks.get(number=2)
        mark(match, "A charlemagne made", replacing=winning, director=an_account())
        assert row_of(event, winner)["match_wins"] == 0
        assert not fresh(match).is_over

    @pytest.mark.slow
    def test_give_a_drawn_match_to_nobody(self) -> None:
        event = a_running_night(match_format=MatchFormat(minutes=50))
        mark(matches_of(event)[0], "time_called")
        assert {row["match_wins"] for row in standings_after(event)} == {0}

    def test_name_every_entry_without_a_result_too(self) -> None:
        assert [row["rank"] for row in standings_after(an_event(pairs=3))] == [1, 1, 1]

    def test_show_the_points_of_both_sides(self) -> None:
        event = a_running_night()
        win(matches_of(event)[1], "B")
        loser, winner = entries_at(event, table=2)
        assert (row_of(event, winner)["points_for"], row_of(event, winner)["points_against"]) == (32, 6)
        assert (row_of(event, loser)["points_for"], row_of(event, loser)["points_against"]) == (6, 32)

    def test_count_the_contracts_and_charlemagnes_that_were_made(self) -> None:
        event = ranked_by(
            a_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES),
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
        rows = {row["entry"]: (row["charlemagnes"], row["contracts_made"]) for row in standings_after(event)}
        assert [rows[entry] for entry in entries_at(event, table=1)] == [(1, 2), (0, 1)]

    @pytest.mark.slow
    def test_keep_the_match_that_parted_two_who_were_level(self) -> None:
        event = ranked_by(a_running_night(pairs=2), "contracts_made", "head_to_head")
        win(matches_of(event)[0])
        winner, loser = entries_at(event, table=1)
        first, last = standings_after(event)
        assert (first["entry"], first["head_to_head"], last["head_to_head"]) == (winner, 1, 0)
        assert first["met"] == [{"entry": loser, "round": 1, "outcome": "won", "points": [32, 6]}]
        assert last["decided_by"] == "head_to_head"

    @pytest.mark.slow
    def test_keep_what_was_dropped_and_adjusted(self) -> None:
        event = a_running_night()
        event.ranking = {"order": ["points_for"], "dropped": 1}
        event.save(update_fields=["ranking"])
        play_round(event)
        next_round(event)
        winner, _ = entries_at(event, table=1)
        event.adjustments.create(
            entry=event.entries.get(number=winner), metric="points_for", amount=-5, reason="Late."
        )
        for match in matches_of(event, 2):
            win(match)
        row = row_of(event, winner)
        assert (len(row["dropped"]), row["adjusted"]) == (1, {"points_for": -5})
        assert "met" not in row


def counted_of(event: Event, number: int) -> dict[str, Any]:
    """Return what the row of that entry is kept to be made of."""
    standings_after(event)
    found: dict[str, Any] = Standings.objects.get(event=event).counted[count_key(number)]
    return found


class TestWhatARowIsMadeOf:
    def test_is_kept_round_by_round_from_the_side_of_the_entry(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0])
        winner, loser = entries_at(event, table=1)
        assert counted_of(event, winner)["rounds"] == [
            {"round": 1, "outcome": "won", "opponents": [loser], "games": [1, 0], "points": [32, 6]}
        ]
        assert counted_of(event, loser)["rounds"][0]["points"] == [6, 32]

    def test_tells_how_a_round_without_cards_counted(self) -> None:
        event = a_running_night(pairs=5)
        (sitting_out,) = event.rounds.get().seatings.filter(table=None)
        event.entries.create(number=6, player_1=event.entries.get(number=1).player_1, arrives=2)
        assert counted_of(event, sitting_out.entry.number)["rounds"] == [
            {"round": 1, "outcome": "won", "kind": "bye"}
        ]
        assert counted_of(event, 6)["rounds"] == [{"round": 1, "outcome": "lost", "kind": "late"}]

    @pytest.mark.slow
    def test_says_which_rounds_do_not_count(self) -> None:
        event = a_running_night()
        event.ranking = {"order": ["match_wins"], "dropped": 1}
        event.save(update_fields=["ranking"])
        play_round(event)
        next_round(event)
        play_round(event, 2)
        for entry in event.entries.all():
            rounds = counted_of(event, entry.number)["rounds"]
            assert [each["round"] for each in rounds] == [1, 2]
            assert [each.get("is_dropped", False) for each in rounds].count(True) == 1

    def test_takes_apart_what_looks_at_opponents(self) -> None:
        event = ranked_by(a_running_night(), "match_wins", "buchholz", "buchholz_cut_1")
        play_round(event)
        _, loser = entries_at(event, table=1)
        assert counted_of(event, loser)["parts"] == {
            "buchholz": [[1, 2, True]],
            "buchholz_cut_1": [[1, 2, False]],
        }

    def test_has_the_reason_of_what_the_director_adjusted(self) -> None:
        event = a_running_night()
        event.adjustments.create(
            entry=event.entries.get(number=2), metric="points_for", amount=-5, round=1, reason="Late."
        )
        assert counted_of(event, 2)["adjusted"] == [
            {"metric": "points_for", "amount": -5, "round": 1, "reason": "Late."}
        ]
        assert "adjusted" not in counted_of(event, 1)


class TestAPairThatHasNotCome:
    def test_is_there_with_all_others_before_the_first_round(self) -> None:
        event = an_event(5)
        leave_out_entry(event_id=event.pk, number=2, is_coming=False)
        start_event(event_id=event.pk)
        assert 2 in {row["entry"] for row in standings_after(event)}

    @pytest.mark.slow
    def test_has_no_rank_and_stands_before_nobody_who_lost(self) -> None:
        rows = standings_after(a_night_awaiting(2))
        assert [(row["rank"], row["match_wins"]) for row in rows] == [(1, 1), (1, 1), (3, 0), (3, 0)]
        assert 2 not in {row["entry"] for row in rows}

    @pytest.mark.slow
    def test_is_ranked_once_it_is_there(self) -> None:
        event = a_night_awaiting(2)
        mark_present(event_id=event.pk, number=2, is_present=True)
        next_round(event)
        assert row_of(event, 2)["match_wins"] == 0

    def test_is_no_pair_that_left(self) -> None:
        event = a_running_night()
        withdraw_entry(event_id=event.pk, number=1)
        assert {row["entry"] for row in standings_after(event)} == {1, 2, 3, 4}


def a_knockout() -> Event:
    """Semifinals played, the final published."""
    event = a_played_night(draw_format="knockout")
    next_round(event)
    return event


def overturn(event: Event) -> None:
    """The director finds that the other side won at table 1 of the semifinals."""
    match = matches_of(event)[0]
    mark(match, "B gros_charlemagne made", replacing=match.marks.get(number=2), director=an_account())


def without_scores(kept: Any) -> Any:
    """Charts as they were kept before they told scores."""
    if isinstance(kept, list):
        return [without_scores(each) for each in kept]
    if isinstance(kept, dict):
        return {name: without_scores(each) for name, each in kept.items() if name != "score"}
    return kept


@pytest.mark.slow
class TestTheChartsThatAreKept:
    def test_are_those_of_the_stages_that_have_any(self) -> None:
        event = an_event()
        by_lot = {"format": "random", "rounds": 1}
        change_stages(event_id=event.pk, stages=[by_lot, {"format": "knockout", "takes": "top", "count": 2}])
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        next_round(event)
        charts = refresh_standings(event_id=event.pk).charts
        assert [chart["format"] for chart in charts] == ["knockout"]
        assert refresh_standings(event_id=a_running_night().pk).charts == []

    def test_have_no_draft_in_them(self) -> None:
        event = a_played_night(draw_format="round_robin")
        published = refresh_standings(event_id=event.pk).charts
        draw_round(event_id=event.pk)
        assert refresh_standings(event_id=event.pk).charts == published
        publish_round(event_id=event.pk, number=2)
        assert refresh_standings(event_id=event.pk).charts != published

    def test_without_scores_are_of_an_older_program_and_drawn_anew(self) -> None:
        events = {name: a_knockout() for name in ("older", "newer")}
        for event in (*events.values(), ranked_by(a_running_night(), "match_wins")):
            standings_after(event)
        older = Standings.objects.get(event=events["older"])
        newer = Standings.objects.get(event=events["newer"])
        older.charts = without_scores(older.charts)
        older.save()
        refresh_older_standings()
        (job,) = Job.objects.filter(kind="refresh_standings")
        assert job.key == str(events["older"].pk)
        run_job(job.pk)
        drawn = Standings.objects.get(event=events["older"]).charts
        assert json.dumps(drawn).count('"score"') == json.dumps(newer.charts).count('"score"') > 0

    def test_of_a_bracket_that_do_not_say_who_plays_on_are_of_an_older_program_and_made_anew(self) -> None:
        event = a_played_night(draw_format="knockout")
        standings_after(event)
        older = Standings.objects.get(event=event)
        older.rows = [{name: row[name] for name in row.keys() - {"plays_on"}} for row in older.rows]
        older.save()
        refresh_older_standings()
        run_job(Job.objects.get(kind="refresh_standings").pk)
        assert sum(row.get("plays_on", False) for row in Standings.objects.get(event=event).rows) == 2
        refresh_older_standings()
        assert not Job.objects.filter(kind="refresh_standings", ended_at=None).exists()

    def test_come_with_what_a_correction_contradicts(self) -> None:
        event = a_knockout()
        assert refresh_standings(event_id=event.pk).contradictions == []
        winner, loser = entries_at(event, table=1)
        overturn(event)
        (found,) = refresh_standings(event_id=event.pk).contradictions
        assert (found["round"], found["table"]) == (2, 1)
        assert (found["seated"], found["expected"]) == ([winner], [loser])

    def test_where_the_director_has_set_the_table_nothing_is_contradicted(self) -> None:
        event = a_knockout()
        overturn(event)
        for table in event.rounds.get(number=2).tables.all():
            table.reasons = [{"code": "locked"}]
            table.save(update_fields=["reasons"])
        assert refresh_standings(event_id=event.pk).contradictions == []


@pytest.mark.slow
class TestABye:
    def test_counts_as_won_with_the_games_of_a_match_and_moves_no_points(self) -> None:
        event = a_running_night(pairs=5, ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        (sitting_out,) = event.rounds.get().seatings.filter(table=None)
        row = row_of(event, sitting_out.entry.number)
        assert (row["match_wins"], row["games_won"]) == (1, 2)
        assert (row["points_for"], row["points_against"]) == (0, 0)

    def test_in_a_match_by_the_clock_is_worth_no_games(self) -> None:
        event = a_running_night(pairs=3, match_format=MatchFormat(minutes=50))
        (sitting_out,) = event.rounds.get().seatings.filter(table=None)
        row = row_of(event, sitting_out.entry.number)
        assert (row["match_wins"], row["games_won"]) == (1, 0)

    def test_of_a_draft_does_not_count(self) -> None:
        event = start_event(event_id=an_event(pairs=3).pk)
        draw_round(event_id=event.pk)
        assert {row["match_wins"] for row in standings_after(event)} == {0}
        publish_round(event_id=event.pk, number=1)
        assert {row["match_wins"] for row in standings_after(event)} == {0, 1}
        unpublish_round(event_id=event.pk, number=1)
        assert {row["match_wins"] for row in standings_after(event)} == {0}


class TestTheInputOfADraw:
    @pytest.mark.slow
    def test_has_the_entries_by_their_standing(self) -> None:
        event = a_running_night(pairs=4)
        win(matches_of(event)[0])
        ranks = {row["entry"]: row["rank"] for row in standings_after(event)}
        drawn = [ranks[entrant.number] for entrant in draw_input(event).entrants]
        assert drawn == [1, 2, 2, 4]

    @pytest.mark.slow
    def test_has_those_of_one_rank_by_the_lot_of_the_event_and_not_by_who_was_typed_first(self) -> None:
        orders = set()
        for lot in range(8):
            event = an_event(pairs=4)
            Event.objects.filter(pk=event.pk).update(lot=lot)
            event.refresh_from_db()
            orders.add(tuple(entrant.number for entrant in draw_input(event).entrants))
        assert len(orders) > 2

    def test_has_those_of_one_rank_by_number_where_the_starting_list_goes_by_strength(self) -> None:
        event = an_event(pairs=4)
        Event.objects.filter(pk=event.pk).update(is_seeded=True)
        event.refresh_from_db()
        assert [entrant.number for entrant in draw_input(event).entrants] == [1, 2, 3, 4]

    def test_has_all_that_was_played_and_who_sat_out(self) -> None:
        event = a_played_night(pairs=5)
        next_round(event)
        history = draw_input(event).history
        assert sorted(table.round for table in history) == [1, 1, 1, 2, 2, 2]
        assert [len(table.b) for table in history].count(0) == 2
        side_a, side_b = entries_at(event, table=1)
        numbers = dict(event.entries.values_list("pk", "number"))
        met = [(numbers[table.a[0]], numbers[table.b[0]]) for table in history if table.b]
        assert (side_a, side_b) in met
