"""Late rulings: a loser returns to a bracket, and the desk counts rulings at once."""

import re
from typing import Any

import pytest
from django.utils import timezone

from errors import Refusal
from rules import Side
from scoring.presenters.rows import TableState
from tests.builders import (
    build_account,
    build_event,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tests.support.hall import Hall
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.desk import build_desk_view
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Standings
from tournaments.rounds.queries.rounds import lineup_of, list_undecided_tables
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def list_seated(event: Event, number: int) -> list[tuple[int, ...]]:
    """Return the entry numbers at each table of a round."""
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = lineup_of(event.rounds.get(number=number)).tables
    return [tuple(numbers[entry] for entry in (*table.a, *table.b)) for table in tables]


def reverse_result(event: Event, number: int, table: int) -> None:
    """Correct the match as a director: the other side won."""
    match = matches_of(event, number)[table - 1]
    mark(match, "B gros_charlemagne made", replaced=match.marks.get(number=2), director=build_account())


def list_contradictions(event: Event) -> list[dict[str, Any]]:
    compute_standings(event)
    found: list[dict[str, Any]] = Standings.objects.get(event=event).contradictions
    return found


@saved_state
def build_bracket(draw_format: str, *, rounds: int, pairs: int = 8) -> Event:
    """Build a bracket with so many rounds played, all won by side A, and the next round published."""
    event = build_running_night(pairs, draw_format=draw_format)
    for number in range(1, rounds + 1):
        play_round(event, number)
        start_next_round(event)
    return event


@pytest.mark.long
@pytest.mark.parametrize(("draw_format", "rounds", "table"), [("knockout", 1, 1), ("double_elimination", 2, 3)])
class TestWrongfulElimination:
    def test_wrongly_eliminated_entry_takes_its_seat_by_swap(self, draw_format: str, rounds: int, table: int) -> None:
        event = build_bracket(draw_format, rounds=rounds)
        before = list_seated(event, rounds + 1)
        winner, loser = list_seated(event, rounds)[table - 1]
        reverse_result(event, rounds, table)
        assert list_seated(event, rounds + 1) == before, "nothing published changes by itself"
        (found,) = list_contradictions(event)
        assert (found["round"], found["seated"], found["expected"]) == (rounds + 1, [winner], [loser])
        swap_entries(event_id=event.pk, number=rounds + 1, one=winner, other=loser)
        after = [tuple(loser if entry == winner else entry for entry in sides) for sides in before]
        assert list_seated(event, rounds + 1) == after
        assert list_contradictions(event) == []

    def test_undo_returns_the_seat_to_the_previous_entry(self, draw_format: str, rounds: int, table: int) -> None:
        event = build_bracket(draw_format, rounds=rounds)
        before = list_seated(event, rounds + 1)
        winner, loser = list_seated(event, rounds)[table - 1]
        reverse_result(event, rounds, table)
        swap_entries(event_id=event.pk, number=rounds + 1, one=loser, other=winner)
        undo_action(event_id=event.pk, action_id=event.actions.first().pk)  # type: ignore[union-attr]
        assert list_seated(event, rounds + 1) == before

    def test_reinstated_entry_can_win_the_bracket(self, draw_format: str, rounds: int, table: int) -> None:
        event = build_bracket(draw_format, rounds=rounds)
        winner, loser = list_seated(event, rounds)[table - 1]
        reverse_result(event, rounds, table)
        swap_entries(event_id=event.pk, number=rounds + 1, one=winner, other=loser)
        last = play_to_the_end(event, rounds + 1, champion=loser)
        standing = {row["entry"]: row["rank"] for row in compute_standings(event)}
        assert loser in list_seated(event, last)[0]
        assert list_contradictions(event) == []
        assert standing[loser] == 1


@pytest.mark.snapshot
def test_desk_shows_contradictions_until_the_round_is_played() -> None:
    hall = Hall(8, draw_format="knockout")
    play_round(hall.event)
    start_next_round(hall.event)
    reverse_result(hall.event, 1, 1)
    warning = "Result corrected after the draw"
    assert list_contradictions(hall.event)
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    assert warning in page.text
    assert "Round 2, table 1" in page.text
    play_round(hall.event, 2)
    assert list_contradictions(hall.event)
    assert warning not in hall.desk.open(page.path).text


@pytest.mark.long
def test_publishing_page_shows_who_should_have_played_the_final() -> None:
    hall = Hall(4, draw_format="knockout")
    publishing = f"/e/{hall.event.short}/desk/publishing"
    for number in (1, 2):
        play_round(hall.event, number)
        assert "According to results:" not in hall.desk.open(publishing).text
        if number == 1:
            start_next_round(hall.event)
    reverse_result(hall.event, 1, 1)
    assert list_contradictions(hall.event)
    page = hall.desk.open(publishing)
    assert "Round 2, table 1 Now: " in page.text
    assert "Preview a swap" not in page.text


def test_removed_result_leaves_no_expected_entry() -> None:
    hall = Hall(8, draw_format="knockout")
    play_round(hall.event)
    start_next_round(hall.event)
    won = matches_of(hall.event, 1)[0]
    mark(won, "misdeal", replaced=won.marks.order_by("pk").last(), director=build_account())
    assert list_contradictions(hall.event)
    desk_text = hall.desk.open(f"/e/{hall.event.short}/desk").text.partition(". According to results: nobody.")[0]
    (seated,) = re.findall("Now: (.+)", desk_text)
    assert {*seated.split(" and ")} <= {player.person.name for player in won.players.all()}


@pytest.mark.long
def test_eliminated_entries_cannot_be_swapped() -> None:
    event = build_bracket("double_elimination", rounds=3)
    playing = {entry for sides in list_seated(event, 4) for entry in sides}
    one, other, *_ = sorted(set(range(1, 9)) - playing)
    assert get_refusal_code(swap_entries, event_id=event.pk, number=4, one=one, other=other) == "not_in_the_round"


def play_to_the_end(event: Event, number: int, *, champion: int) -> int:
    """Play all remaining rounds, won by the champion and otherwise by side A; return the last round's number."""
    while True:
        for match, (_, b) in zip(matches_of(event, number), list_seated(event, number), strict=True):
            win(match, "B" if b == champion else "A")
        close_round(event_id=event.pk, number=number)
        try:
            start_next_round(event)
        except Refusal:
            return number
        number += 1


@pytest.mark.long
@pytest.mark.parametrize("rounds", [2, 3, 4])
def test_eliminated_entries_rank_below_remaining_ones(rounds: int) -> None:
    event = build_bracket("double_elimination", rounds=rounds)
    lineup = lineup_of(event.rounds.get(number=rounds + 1))
    still_in = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    still_in |= {bye.entry for bye in lineup.byes}
    ranks = {row["entry"]: row["rank"] for row in compute_standings(event)}
    inside = [ranks[entry.number] for entry in event.entries.filter(pk__in=still_in)]
    outside = [ranks[entry.number] for entry in event.entries.exclude(pk__in=still_in)]
    assert max(inside) < min(outside)


@pytest.mark.long
def test_loser_corrected_after_publishing_does_not_stop_the_bracket() -> None:
    event = build_running_night(10, draw_format="consolation")
    for number in (1, 2):
        for match, (a, b) in zip(matches_of(event, number), list_seated(event, number), strict=True):
            win(match, "A" if a < b else "B")
        close_round(event_id=event.pk, number=number)
        start_next_round(event)
    # The first seed, who had a bye, lost their first match: in round 3 they should have met number 9.
    match = next(match for match, sides in zip(matches_of(event, 2), list_seated(event, 2), strict=True) if 1 in sides)
    other = "B" if match.summary["winner"] == "A" else "A"
    mark(match, f"{other} gros_charlemagne made", replaced=match.marks.get(number=2), director=build_account())
    for found in list_contradictions(event):
        (one,), (expected,) = found["seated"], found["expected"]
        swap_entries(event_id=event.pk, number=3, one=one, other=expected)
    play_round(event, 3)
    start_next_round(event)
    assert list_seated(event, 4)


@pytest.mark.long
def test_qualified_entry_keeps_its_bracket_place_after_a_correction() -> None:
    event = build_event(8, draw_format="swiss")
    last_four = {"format": "knockout", "takes": "top", "count": 4}
    change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 1}, last_four])
    start_event(event_id=event.pk)
    start_next_round(event)
    play_round(event)
    start_next_round(event)
    semifinals = list_seated(event, 2)
    adjust_table(event_id=event.pk, number=1, table=1, games=[0, 1], points=[0, 300])
    play_round(event, 2)
    start_next_round(event)
    winners = {a for a, _ in semifinals}
    assert [set(finalists) for finalists in list_seated(event, 3)] == [winners]


@pytest.mark.postgresql("outer joins")
class TestUndecidedMatch:
    """A tied match that the director ends, for example because the hall closes."""

    def build_level_match(self) -> Event:
        event = build_running_night(8, draw_format="knockout")
        first, *others = matches_of(event)
        mark(first, "time_called", director=build_account())
        for match in others:
            win(match)
        return event

    @pytest.mark.long
    def test_undecided_bracket_match_keeps_its_round_open(self) -> None:
        event = self.build_level_match()
        refusal = get_refusal(close_round, event_id=event.pk, number=1)
        assert (refusal.code, refusal.details) == ("nobody_goes_on", {"tables": [1]})
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        close_round(event_id=event.pk, number=1)
        start_next_round(event)

    def test_deciding_ruling_of_a_closed_round_cannot_be_lifted(self) -> None:
        event = self.build_level_match()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        ruled = event.actions.latest("pk")
        close_round(event_id=event.pk, number=1)
        assert get_refusal_code(let_cards_count, event_id=event.pk, number=1, table=1) == "nobody_goes_on"
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=ruled.pk) == "nobody_goes_on"

    @pytest.mark.long
    def test_level_match_without_a_bracket_is_a_draw(self) -> None:
        event = build_running_night(4, draw_format="swiss")
        first, second = matches_of(event)
        mark(first, "time_called", director=build_account())
        win(second)
        close_round(event_id=event.pk, number=1)
        start_next_round(event)


@pytest.mark.long
class TestDirectorDecision:
    def test_forfeited_table_is_not_missing_at_the_desk(self) -> None:
        event = build_running_night()
        forfeit_table(event_id=event.pk, number=1, table=2, winner=Side.B)
        view = build_desk_view(event, event.rounds.get(), get_entries(event), now=timezone.now())
        (row,) = (row for row in view.rows if row.number == 2)
        assert (view.missing, view.done_count) == ([1], 1)
        assert (row.state, [side.has_won for side in row.sides]) == (TableState.AWARDED, [False, True])

    def test_desk_shows_the_adjusted_score(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0], "A")
        adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(12, 32))
        row = next(
            row
            for row in build_desk_view(event, event.rounds.get(), get_entries(event), now=timezone.now()).rows
            if row.number == 1
        )
        assert [(side.points, side.has_won) for side in row.sides] == [(12, False), (32, True)]


@pytest.mark.long
def test_ruling_can_be_undone_at_an_unfinished_table() -> None:
    """A table in progress needs no winner: the desk shows it as undecided."""
    event = build_running_night(4, draw_format="knockout")
    first, second = matches_of(event)
    mark(first, "A 6 made")
    win(second)
    adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(32, 6))
    close_round(event_id=event.pk, number=1)
    ruling = event.actions.filter(kind="adjust_table").get()
    undo_action(event_id=event.pk, action_id=ruling.pk, may_be_undecided=True)
    assert list_undecided_tables(event) == [(1, 1)]


@pytest.mark.long
def test_undecided_tables_are_listed_by_round() -> None:
    event = build_running_night(4)
    for number, missing in ((1, 2), (2, 1)):
        for match in matches_of(event, number):
            if match.card.number != missing:
                win(match)
        adjust_table(event_id=event.pk, number=number, table=missing, games=(1, 0), points=(32, 6))
        close_round(event_id=event.pk, number=number)
        start_next_round(event)
    for ruling in event.actions.filter(kind="adjust_table"):
        undo_action(event_id=event.pk, action_id=ruling.pk, may_be_undecided=True)
    assert list_undecided_tables(event) == [(1, 2), (2, 1)]
