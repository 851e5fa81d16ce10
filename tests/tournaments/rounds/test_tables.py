"""Seats and results of a table, changed by the director in a draft, during a round, and afterwards."""

from typing import Any

import pytest

from engine.draws.lineups import Lineup
from rules import MatchFormat, Side
from tests.builders import (
    ONE_GAME,
    TWO_GAMES,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    get_score,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of, list_missing_tables
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import (
    adjust_table,
    forfeit_table,
    hold_table,
    let_cards_count,
    seat_more,
    swap_entries,
)

pytestmark = pytest.mark.django_db


def list_seats(event: Event, number: int = 1) -> dict[int, tuple[int, ...]]:
    """Return the entry numbers at each table, side A first."""
    numbers = dict(event.entries.values_list("pk", "number"))
    return {
        table.number: tuple(numbers[entry] for entry in (*table.a, *table.b))
        for table in get_lineup(event, number).tables
    }


def get_lineup(event: Event, number: int = 1) -> Lineup:
    return lineup_of(event.rounds.get(number=number))


@saved_state
def build_draft(pairs: int = 6, *, draw_format: str = "random") -> Event:
    event = start_event(event_id=build_event(pairs, draw_format=draw_format).pk)
    draw_round(event_id=event.pk, seed=3)
    return event


@pytest.mark.slow
class TestDraftSwap:
    @pytest.mark.long
    def test_swap_exchanges_two_entries(self) -> None:
        event = build_draft()
        before = list_seats(event)
        one, other = before[1][0], before[2][1]
        swap_entries(event_id=event.pk, number=1, one=one, other=other)
        assert list_seats(event) == {
            **before,
            1: (other, before[1][1]),
            2: (before[2][0], one),
        }

    @pytest.mark.long
    def test_swap_changes_the_price_and_removes_the_certificate(self) -> None:
        event = build_running_night(pairs=4)
        met = list_seats(event)[1]
        play_round(event)
        drawn = draw_round(event_id=event.pk)
        assert drawn.price["repeats"] == 0
        at = {entry: table for table, entries in list_seats(event, 2).items() for entry in entries}
        partner = next(entry for entry in list_seats(event, 2)[at[met[0]]] if entry != met[0])
        swapped = swap_entries(event_id=event.pk, number=2, one=met[1], other=partner)
        swapped.refresh_from_db()
        assert swapped.price["repeats"] > 0
        assert swapped.certificate is None

    @pytest.mark.long
    def test_swapped_table_shows_manual_and_rematch_reasons(self) -> None:
        event = build_running_night(pairs=4)
        met = list_seats(event)[1]
        play_round(event)
        draw_round(event_id=event.pk)
        at = {entry: table for table, entries in list_seats(event, 2).items() for entry in entries}
        partner = next(entry for entry in list_seats(event, 2)[at[met[0]]] if entry != met[0])
        swap_entries(event_id=event.pk, number=2, one=met[1], other=partner)
        codes = [reason.code for reason in get_lineup(event, 2).get_table(at[met[0]]).reasons]
        assert codes == ["by_hand", "met_before"]

    @pytest.mark.long
    def test_swap_gives_the_bye_to_another_entry(self) -> None:
        event = build_draft(pairs=5)
        (bye,) = get_lineup(event).byes
        out = event.entries.get(pk=bye.entry).number
        one = list_seats(event)[1][0]
        swap_entries(event_id=event.pk, number=1, one=one, other=out)
        assert event.entries.get(pk=get_lineup(event).byes[0].entry).number == one
        assert list_seats(event)[1][0] == out

    @pytest.mark.long
    def test_swap_within_one_side_is_refused(self) -> None:
        event = build_draft(pairs=6, draw_format="rotation")
        a = list_seats(event)[1][:2]
        assert get_refusal_code(swap_entries, event_id=event.pk, number=1, one=a[0], other=a[1]) == "same_place"

    @pytest.mark.slow
    def test_swap_with_an_unknown_entry_is_refused(self) -> None:
        event = build_draft()
        refusal = get_refusal(swap_entries, event_id=event.pk, number=1, one=1, other=77)
        assert (refusal.code, refusal.details) == ("no_entry_of_number", {"entry": 77})


class TestHeldTable:
    @pytest.mark.long
    def test_held_table_stays_when_the_round_is_redrawn(self) -> None:
        event = build_draft(pairs=12)
        hold_table(event_id=event.pk, number=1, table=2, is_held=True)
        held = list_seats(event)[2]
        drawn = set()
        for seed in range(5):
            draw_round(event_id=event.pk, seed=seed)
            assert list_seats(event)[2] == held
            drawn.add(tuple(list_seats(event).values()))
        assert len(drawn) == 5

    @pytest.mark.long
    def test_held_table_is_redrawn_when_one_of_its_entries_has_left(self) -> None:
        event = build_draft(pairs=4)
        hold_table(event_id=event.pk, number=1, table=1, is_held=True)
        gone = list_seats(event)[1][0]
        withdraw_entry(event_id=event.pk, number=gone)
        draft = draw_round(event_id=event.pk)
        assert gone not in list_seats(event)[1]
        assert draft.held == []
        publish_round(event_id=event.pk, number=1)

    @pytest.mark.long
    def test_released_table_is_redrawn_with_the_others(self) -> None:
        event = build_draft(pairs=12)
        hold_table(event_id=event.pk, number=1, table=2, is_held=True)
        hold_table(event_id=event.pk, number=1, table=2, is_held=False)
        assert len({_redraw(event, seed)[2] for seed in range(4)}) > 1

    def test_published_table_cannot_be_held(self) -> None:
        event = build_running_night()
        code = get_refusal_code(hold_table, event_id=event.pk, number=1, table=1, is_held=True)
        assert code == "step_not_allowed"


def _redraw(event: Event, seed: int) -> dict[int, tuple[int, ...]]:
    draw_round(event_id=event.pk, seed=seed)
    return list_seats(event)


@pytest.mark.long
class TestPublishedSwap:
    def test_swap_in_play_keeps_the_marks_at_the_table(self) -> None:
        event = build_running_night()
        first, second = matches_of(event)
        mark(first, "A 6 made")
        before = list_seats(event)
        one, other = before[1][0], before[2][0]
        swap_entries(event_id=event.pk, number=1, one=one, other=other)
        assert matches_of(event) == [first, second]
        assert get_score(first) == [6, 0]
        seated = [player.person for player in first.players.order_by("seat")]
        assert seated[::2] == event.entries.get(number=other).players

    def test_swap_in_a_closed_round_changes_only_the_standings(self) -> None:
        event = build_played_night()
        start_next_round(event)
        drawn = list_seats(event, 2)
        before = {row["entry"]: row["match_wins"] for row in compute_standings(event)}
        winner, loser = list_seats(event)[1]
        swap_entries(event_id=event.pk, number=1, one=winner, other=loser)
        after = {row["entry"]: row["match_wins"] for row in compute_standings(event)}
        assert (after[winner], after[loser]) == (before[loser], before[winner]) == (0, 1)
        assert list_seats(event, 2) == drawn


class TestExtraTable:
    @pytest.mark.long
    def test_extra_table_seats_a_late_pair_against_the_bye(self) -> None:
        event = build_running_night(pairs=5)
        (bye,) = get_lineup(event).byes
        out = event.entries.get(pk=bye.entry).number
        one, two = (event.entries.get(number=number).player_1 for number in (1, 2))
        event.entries.create(number=6, player_1=one, player_2=two, arrives=2)
        seat_more(event_id=event.pk, number=1, one=out, other=6)
        assert list_seats(event)[3] == (out, 6)
        assert not get_lineup(event).byes
        assert matches_of(event)[2].card.number == 3
        assert event.entries.get(number=6).arrives == 1

    def test_extra_table_refuses_a_seated_entry(self) -> None:
        event = build_running_night(pairs=5)
        (bye,) = get_lineup(event).byes
        out = event.entries.get(pk=bye.entry).number
        code = get_refusal_code(seat_more, event_id=event.pk, number=1, one=out, other=list_seats(event)[1][0])
        assert code == "already_at_a_table"

    @pytest.mark.slow
    def test_extra_table_is_refused_in_a_closed_round(self) -> None:
        event = build_played_night()
        for name in ("Zed", "Zwicky"):
            add_entry(event_id=event.pk, players=[f"Zoé {name}", f"Zach {name}"])
        assert get_refusal_code(seat_more, event_id=event.pk, number=1, one=5, other=6) == "step_not_allowed"
        assert event.rounds.get().tables.count() == 2


class TestForfeit:
    def test_forfeit_counts_as_a_win_without_points(self) -> None:
        event = build_running_night()
        mark(matches_of(event)[0], "B 6 made")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        rows = {row["entry"]: row for row in compute_standings(event)}
        winner, loser = (rows[number] for number in list_seats(event)[1])
        assert (winner["match_wins"], winner["games_won"], winner["points_for"]) == (1, 1, 0)
        assert (loser["match_wins"], loser["points_for"]) == (0, 0)

    def test_double_forfeit_has_no_winner(self) -> None:
        event = build_running_night()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=None)
        assert {row["match_wins"] for row in compute_standings(event)} == {0}

    @pytest.mark.slow
    def test_double_forfeit_eliminates_both_sides_in_a_bracket(self) -> None:
        event = build_event(4)
        final = {"format": "knockout", "takes": "top", "count": 2}
        change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 1}, final])
        start_event(event_id=event.pk)
        start_next_round(event)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=None)
        adjust_table(event_id=event.pk, number=1, table=2, games=(0, 0), points=(9, 9))
        close_round(event_id=event.pk, number=1)
        start_next_round(event)
        where: dict[str, Any] = {"event_id": event.pk, "number": 2, "table": 1}
        refusal = get_refusal(adjust_table, **where, games=(0, 0), points=(30, 30))
        assert (refusal.code, refusal.field) == ("somebody_goes_on", "points")
        forfeit_table(**where, winner=None)
        assert close_round(event_id=event.pk, number=2).state == "closed"
        ranks = {row["entry"]: row["rank"] for row in compute_standings(event)}
        assert {ranks[number] for number in list_seats(event, number=2)[1]} == {1}, "both share the place behind nobody"

    @pytest.mark.long
    def test_forfeited_table_allows_closing_the_round(self) -> None:
        event = build_running_night()
        win(matches_of(event)[1])
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        assert list_missing_tables(event.rounds.get()) == []
        assert close_round(event_id=event.pk, number=1).state == "closed"

    @pytest.mark.long
    def test_lifted_forfeit_restores_the_recorded_result(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0], "B")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        let_cards_count(event_id=event.pk, number=1, table=1)
        rows = {row["entry"]: row["points_for"] for row in compute_standings(event)}
        assert [rows[number] for number in list_seats(event)[1]] == [6, 32]

    @pytest.mark.slow
    def test_forfeit_cannot_be_lifted_without_a_finished_match(self) -> None:
        event = build_running_night()
        win(matches_of(event)[1])
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        close_round(event_id=event.pk, number=1)
        refusal = get_refusal(let_cards_count, event_id=event.pk, number=1, table=1)
        assert (refusal.code, refusal.details) == ("tables_missing", {"tables": [1]})

    def test_round_with_a_forfeit_cannot_be_unpublished(self) -> None:
        event = build_running_night()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        assert get_refusal_code(unpublish_round, event_id=event.pk, number=1) == "rulings_stand"

    @pytest.mark.long
    def test_forfeit_winners_advance_in_the_bracket(self) -> None:
        event = start_event(event_id=build_event(4, draw_format="knockout").pk)
        start_next_round(event)
        for table in (1, 2):
            forfeit_table(event_id=event.pk, number=1, table=table, winner=Side.B)
        finalists = {list_seats(event)[1][1], list_seats(event)[2][1]}
        close_round(event_id=event.pk, number=1)
        start_next_round(event)
        assert set(list_seats(event, 2)[1]) == finalists


class TestAdjustedScore:
    def test_adjusted_score_replaces_the_recorded_one(self) -> None:
        event = build_running_night()
        win(matches_of(event)[0], "B")
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(32, 20))
        rows = {row["entry"]: row for row in compute_standings(event)}
        winner, loser = (rows[number] for number in list_seats(event)[1])
        assert (winner["match_wins"], winner["difference"], loser["difference"]) == (1, 12, -12)

    @pytest.mark.parametrize(
        ("games", "points", "wins"),
        [((2, 1), (40, 60), (1, 0)), ((1, 1), (40, 60), (0, 1)), ((1, 1), (40, 40), (0, 0))],
    )
    def test_adjusted_winner_is_decided_by_games_then_points(
        self, games: tuple[int, int], points: tuple[int, int], wins: tuple[int, int]
    ) -> None:
        event = build_running_night(match_format=TWO_GAMES)
        adjust_table(event_id=event.pk, number=1, table=1, games=games, points=points)
        rows = {row["entry"]: row["match_wins"] for row in compute_standings(event)}
        assert tuple(rows[number] for number in list_seats(event)[1]) == wins

    def test_negative_adjusted_score_is_refused(self) -> None:
        event = build_running_night()
        refusal = get_refusal(adjust_table, event_id=event.pk, number=1, table=1, games=(1, 0), points=(-1, 0))
        assert (refusal.code, refusal.field) == ("number_too_small", "points")

    @pytest.mark.parametrize(
        ("match_format", "games", "most"),
        [
            (ONE_GAME, (1, 1), (1, 1)),
            (ONE_GAME, (11, 0), (1, 1)),
            (TWO_GAMES, (3, 0), (2, 3)),
            (TWO_GAMES, (2, 2), (2, 3)),
            (MatchFormat(hands=8), (5, 4), (8, 8)),
        ],
    )
    def test_more_games_than_the_match_can_have_are_refused(
        self, match_format: MatchFormat, games: tuple[int, int], most: tuple[int, int]
    ) -> None:
        event = build_running_night(match_format=match_format)
        refusal = get_refusal(adjust_table, event_id=event.pk, number=1, table=1, games=games, points=(40, 30))
        assert (refusal.code, refusal.field) == ("too_many_games", "games")
        assert (refusal.details["one"], refusal.details["both"]) == most

    def test_excessive_adjusted_score_is_refused(self) -> None:
        event = build_running_night()
        refusal = get_refusal(adjust_table, event_id=event.pk, number=1, table=1, games=(1, 0), points=(10**6, 0))
        assert (refusal.code, refusal.field) == ("number_too_large", "points")


def test_draft_table_cannot_receive_a_ruling() -> None:
    event = build_draft()
    assert get_refusal_code(forfeit_table, event_id=event.pk, number=1, table=1, winner=None) == "step_not_allowed"


@pytest.mark.long
def test_published_seats_equal_the_draft() -> None:
    event = build_draft()
    before = list_seats(event)
    publish_round(event_id=event.pk, number=1)
    assert list_seats(event) == before
    unpublish_round(event_id=event.pk, number=1)
    assert list_seats(event) == before
