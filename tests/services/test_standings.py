"""From results to standings: what counts, and what a bye is worth."""

from typing import Any

import pytest

from jobs.services import enqueue, run_job
from rules import BAS_SAINT_LAURENT, MatchFormat
from tests.builders import (
    TWO_GAMES,
    a_running_night,
    an_account,
    an_event,
    fresh,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tournaments.models import Event, Standings
from tournaments.selectors import byes_of, draw_input, standings_of
from tournaments.services import draw_round, publish_round, start_event, unpublish_round

pytestmark = pytest.mark.django_db


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
        event = a_running_night()
        play_round(event)
        match = matches_of(event)[0]
        winner, _ = entries_at(event, table=1)
        winning = match.marks.get(number=2)
        mark(match, "A charlemagne made", replacing=winning, director=an_account())
        assert row_of(event, winner)["match_wins"] == 0
        assert not fresh(match).is_over

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

    def test_keep_the_match_that_parted_two_who_were_level(self) -> None:
        event = ranked_by(a_running_night(pairs=2), "contracts_made", "head_to_head")
        win(matches_of(event)[0])
        winner, loser = entries_at(event, table=1)
        first, last = standings_after(event)
        assert (first["entry"], first["head_to_head"], last["head_to_head"]) == (winner, 1, 0)
        assert first["met"] == [{"entry": loser, "round": 1, "outcome": "won", "points": [32, 6]}]
        assert last["decided_by"] == "head_to_head"

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


class TestABye:
    def test_counts_as_won_with_the_games_of_a_match_and_moves_no_points(self) -> None:
        event = a_running_night(pairs=5, ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
        (sitting_out,) = byes_of(event.rounds.get())
        row = row_of(event, sitting_out.entry.number)
        assert (row["match_wins"], row["games_won"]) == (1, 2)
        assert (row["points_for"], row["points_against"]) == (0, 0)

    def test_in_a_match_by_the_clock_is_worth_no_games(self) -> None:
        event = a_running_night(pairs=3, match_format=MatchFormat(minutes=50))
        (sitting_out,) = byes_of(event.rounds.get())
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
    def test_has_the_entries_by_their_standing(self) -> None:
        event = a_running_night(pairs=4)
        win(matches_of(event)[0])
        rows = standings_after(event)
        numbers = dict(event.entries.values_list("pk", "number"))
        assert [numbers[entrant.id] for entrant in draw_input(event, seed=1).entrants] == [
            row["entry"] for row in rows
        ]

    def test_has_them_by_number_before_there_are_standings(self) -> None:
        event = an_event(pairs=4)
        assert [entrant.id for entrant in draw_input(event, seed=1).entrants] == list(
            event.entries.order_by("number").values_list("pk", flat=True)
        )

    def test_has_all_that_was_played_and_who_sat_out(self) -> None:
        event = a_running_night(pairs=5)
        play_round(event)
        next_round(event)
        history = draw_input(event, seed=1).history
        assert sorted(table.round for table in history) == [1, 1, 1, 2, 2, 2]
        assert [len(table.b) for table in history].count(0) == 2
        side_a, side_b = entries_at(event, table=1)
        numbers = dict(event.entries.values_list("pk", "number"))
        met = [(numbers[table.a[0]], numbers[table.b[0]]) for table in history if table.b]
        assert (side_a, side_b) in met
