"""Late decisions of the director: a bracket takes back a loser, and the desk counts them at once."""

import re
from typing import Any

import pytest
from django.utils import timezone

from errors import Refusal
from rules import Side
from scoring.presenters.rows import TableState
from tests.builders import (
    a_running_night,
    an_account,
    an_event,
    code_of,
    mark,
    matches_of,
    next_round,
    play_round,
    refusal_of,
    standings_after,
    win,
)
from tests.saved_states import saved_state
from tests.support.hall import Hall
from tournaments.events.presenters.desk import desk_view
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Standings
from tournaments.rounds.queries.rounds import undecided_tables
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def seated(event: Event, number: int) -> list[tuple[int, ...]]:
    """The entries' numbers at each table of a round, by table."""
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = lineup_of(event.rounds.get(number=number)).tables
    return [tuple(numbers[entry] for entry in (*table.a, *table.b)) for table in tables]


def overturn(event: Event, number: int, table: int) -> None:
    """The director finds that the other side won there."""
    match = matches_of(event, number)[table - 1]
    mark(match, "B gros_charlemagne made", replacing=match.marks.get(number=2), director=an_account())


def contradictions(event: Event) -> list[dict[str, Any]]:
    standings_after(event)
    found: list[dict[str, Any]] = Standings.objects.get(event=event).contradictions
    return found


@saved_state
def a_bracket(draw_format: str, *, rounds: int, pairs: int = 8) -> Event:
    """So many rounds played, side A winning everywhere, and the next one published."""
    event = a_running_night(pairs, draw_format=draw_format)
    for number in range(1, rounds + 1):
        play_round(event, number)
        next_round(event)
    return event


@pytest.mark.parametrize(
    ("draw_format", "rounds", "table"), [("knockout", 1, 1), ("double_elimination", 2, 3)]
)
class TestWhoWasOutByAWrongResult:
    def test_takes_the_seat_of_who_should_not_be_there(
        self, draw_format: str, rounds: int, table: int
    ) -> None:
        event = a_bracket(draw_format, rounds=rounds)
        before = seated(event, rounds + 1)
        winner, loser = seated(event, rounds)[table - 1]
        overturn(event, rounds, table)
        assert seated(event, rounds + 1) == before, "nothing published changes by itself"
        (found,) = contradictions(event)
        assert (found["round"], found["seated"], found["expected"]) == (rounds + 1, [winner], [loser])
        swap_entries(event_id=event.pk, number=rounds + 1, one=winner, other=loser)
        after = [tuple(loser if entry == winner else entry for entry in sides) for sides in before]
        assert seated(event, rounds + 1) == after
        assert contradictions(event) == []

    def test_gives_it_up_again_by_undo(self, draw_format: str, rounds: int, table: int) -> None:
        event = a_bracket(draw_format, rounds=rounds)
        before = seated(event, rounds + 1)
        winner, loser = seated(event, rounds)[table - 1]
        overturn(event, rounds, table)
        swap_entries(event_id=event.pk, number=rounds + 1, one=loser, other=winner)
        undo_action(event_id=event.pk, action_id=event.actions.first().pk)  # type: ignore[union-attr]
        assert seated(event, rounds + 1) == before

    def test_goes_on_to_the_end_of_the_bracket(self, draw_format: str, rounds: int, table: int) -> None:
        event = a_bracket(draw_format, rounds=rounds)
        winner, loser = seated(event, rounds)[table - 1]
        overturn(event, rounds, table)
        swap_entries(event_id=event.pk, number=rounds + 1, one=winner, other=loser)
        last = play_to_the_end(event, rounds + 1, champion=loser)
        standing = {row["entry"]: row["rank"] for row in standings_after(event)}
        assert loser in seated(event, last)[0]
        assert contradictions(event) == []
        assert standing[loser] == 1


@pytest.mark.snapshot
def test_what_a_correction_contradicts_stands_at_the_desk_until_its_round_is_played() -> None:
    hall = Hall(8, draw_format="knockout")
    play_round(hall.event)
    next_round(hall.event)
    overturn(hall.event, 1, 1)
    told = "Result corrected after the draw"
    assert contradictions(hall.event)
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    assert told in page.text
    assert "Round 2, table 1" in page.text
    play_round(hall.event, 2)
    assert contradictions(hall.event)
    assert told not in hall.desk.open(page.path).text


def test_before_final_standings_are_published_it_is_said_who_should_have_played_the_final() -> None:
    hall = Hall(4, draw_format="knockout")
    publishing = f"/e/{hall.event.short}/desk/publishing"
    for number in (1, 2):
        play_round(hall.event, number)
        assert "According to results:" not in hall.desk.open(publishing).text
        if number == 1:
            next_round(hall.event)
    overturn(hall.event, 1, 1)
    assert contradictions(hall.event)
    page = hall.desk.open(publishing)
    assert "Round 2, table 1 Now: " in page.text
    assert "Preview a swap" not in page.text


def test_a_result_that_was_taken_back_leaves_nobody_who_should_sit_there() -> None:
    hall = Hall(8, draw_format="knockout")
    play_round(hall.event)
    next_round(hall.event)
    won = matches_of(hall.event, 1)[0]
    mark(won, "misdeal", replacing=won.marks.order_by("pk").last(), director=an_account())
    assert contradictions(hall.event)
    told = hall.desk.open(f"/e/{hall.event.short}/desk").text.partition(". According to results: nobody.")[0]
    (seated,) = re.findall("Now: (.+)", told)
    assert {*seated.split(" and ")} <= {player.person.name for player in won.players.all()}


def test_two_who_are_both_out_have_nothing_to_trade() -> None:
    event = a_bracket("double_elimination", rounds=3)
    playing = {entry for sides in seated(event, 4) for entry in sides}
    one, other, *_ = sorted(set(range(1, 9)) - playing)
    assert code_of(swap_entries, event_id=event.pk, number=4, one=one, other=other) == "not_in_the_round"


def play_to_the_end(event: Event, number: int, *, champion: int) -> int:
    """Plays on until the plan has no more rounds, the champion winning; returns the last round."""
    while True:
        for match, (_, b) in zip(matches_of(event, number), seated(event, number), strict=True):
            win(match, "B" if b == champion else "A")
        close_round(event_id=event.pk, number=number)
        try:
            next_round(event)
        except Refusal:
            return number
        number += 1


@pytest.mark.parametrize("rounds", [2, 3, 4])
def test_who_is_out_stands_below_everybody_who_is_not(rounds: int) -> None:
    event = a_bracket("double_elimination", rounds=rounds)
    lineup = lineup_of(event.rounds.get(number=rounds + 1))
    still_in = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    still_in |= {bye.entry for bye in lineup.byes}
    ranks = {row["entry"]: row["rank"] for row in standings_after(event)}
    inside = [ranks[entry.number] for entry in event.entries.filter(pk__in=still_in)]
    outside = [ranks[entry.number] for entry in event.entries.exclude(pk__in=still_in)]
    assert max(inside) < min(outside)


def test_who_drops_after_their_round_was_published_does_not_stop_the_bracket() -> None:
    event = a_running_night(10, draw_format="consolation")
    for number in (1, 2):
        for match, (a, b) in zip(matches_of(event, number), seated(event, number), strict=True):
            win(match, "A" if a < b else "B")
        close_round(event_id=event.pk, number=number)
        next_round(event)
    # The first seed, who had a bye, has lost their first match: in round 3 they should have met number 9.
    match = next(
        match for match, sides in zip(matches_of(event, 2), seated(event, 2), strict=True) if 1 in sides
    )
    other = "B" if match.summary["winner"] == "A" else "A"
    mark(match, f"{other} gros_charlemagne made", replacing=match.marks.get(number=2), director=an_account())
    for found in contradictions(event):
        (one,), (expected,) = found["seated"], found["expected"]
        swap_entries(event_id=event.pk, number=3, one=one, other=expected)
    play_round(event, 3)
    next_round(event)
    assert seated(event, 4)


def test_who_went_on_to_the_bracket_plays_it_to_its_end_though_a_result_before_it_was_corrected() -> None:
    event = an_event(8, draw_format="swiss")
    last_four = {"format": "knockout", "takes": "top", "count": 4}
    change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 1}, last_four])
    start_event(event_id=event.pk)
    next_round(event)
    play_round(event)
    next_round(event)
    semifinals = seated(event, 2)
    adjust_table(event_id=event.pk, number=1, table=1, games=[0, 1], points=[0, 300])
    play_round(event, 2)
    next_round(event)
    winners = {a for a, _ in semifinals}
    assert [set(finalists) for finalists in seated(event, 3)] == [winners]


@pytest.mark.postgresql("tables are read with what they may not have")
class TestAMatchThatNobodyWon:
    """The hall closes, and the director ends a match that is level."""

    def a_level_match(self) -> Event:
        event = a_running_night(8, draw_format="knockout")
        first, *others = matches_of(event)
        mark(first, "time_called", director=an_account())
        for match in others:
            win(match)
        return event

    def test_keeps_its_round_open_and_not_only_the_next_draw_from_being_made(self) -> None:
        event = self.a_level_match()
        refusal = refusal_of(close_round, event_id=event.pk, number=1)
        assert (refusal.code, refusal.details) == ("nobody_goes_on", {"tables": [1]})
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        close_round(event_id=event.pk, number=1)
        next_round(event)

    def test_keeps_the_ruling_that_decided_it(self) -> None:
        event = self.a_level_match()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        ruled = event.actions.latest("pk")
        close_round(event_id=event.pk, number=1)
        assert code_of(let_cards_count, event_id=event.pk, number=1, table=1) == "nobody_goes_on"
        assert code_of(undo_action, event_id=event.pk, action_id=ruled.pk) == "nobody_goes_on"

    def test_is_a_draw_where_there_is_no_bracket(self) -> None:
        event = a_running_night(4, draw_format="swiss")
        first, second = matches_of(event)
        mark(first, "time_called", director=an_account())
        win(second)
        close_round(event_id=event.pk, number=1)
        next_round(event)


class TestATableThatTheDirectorDecided:
    def test_is_not_missing_at_the_desk(self) -> None:
        event = a_running_night()
        forfeit_table(event_id=event.pk, number=1, table=2, winner=Side.B)
        view = desk_view(event, event.rounds.get(), now=timezone.now())
        (row,) = (row for row in view.rows if row.number == 2)
        assert (view.missing, view.done_count) == ([1], 1)
        assert (row.state, [side.has_won for side in row.sides]) == (TableState.AWARDED, [False, True])

    def test_shows_what_counts_there_and_not_what_was_marked(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0], "A")
        adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(12, 32))
        row = next(
            row for row in desk_view(event, event.rounds.get(), now=timezone.now()).rows if row.number == 1
        )
        assert [(side.points, side.has_won) for side in row.sides] == [(12, False), (32, True)]


def test_a_ruling_is_lifted_though_the_cards_of_its_table_were_not_finished() -> None:
    """A table that is not over needs no winner: the desk is told that it is undecided."""
    event = a_running_night(4, draw_format="knockout")
    first, second = matches_of(event)
    mark(first, "A 6 made")
    win(second)
    adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(32, 6))
    close_round(event_id=event.pk, number=1)
    ruling = event.actions.filter(kind="adjust_table").get()
    undo_action(event_id=event.pk, action_id=ruling.pk, may_be_undecided=True)
    assert undecided_tables(event) == [(1, 1)]


def test_tables_that_lost_their_result_are_told_round_by_round() -> None:
    event = a_running_night(4)
    for number, missing in ((1, 2), (2, 1)):
        for match in matches_of(event, number):
            if match.card.number != missing:
                win(match)
        adjust_table(event_id=event.pk, number=number, table=missing, games=(1, 0), points=(32, 6))
        close_round(event_id=event.pk, number=number)
        next_round(event)
    for ruling in event.actions.filter(kind="adjust_table"):
        undo_action(event_id=event.pk, action_id=ruling.pk, may_be_undecided=True)
    assert undecided_tables(event) == [(1, 2), (2, 1)]
