"""Seats and results of a table, changed by the director: in a draft, in play, afterwards."""

from typing import Any

import pytest

from engine.draws.lineups import Lineup
from rules import Side
from tests.builders import (
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    mark,
    matches_of,
    next_round,
    play_round,
    refusal_of,
    score,
    standings_after,
    win,
)
from tests.saved_states import saved_state
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_stages
from tournaments.models import Event
from tournaments.rounds.queries.rounds import missing_tables
from tournaments.rounds.queries.seatings import lineup_of
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


def seats(event: Event, number: int = 1) -> dict[int, tuple[int, ...]]:
    """The entries' numbers at each table, side A first."""
    numbers = dict(event.entries.values_list("pk", "number"))
    return {
        table.number: tuple(numbers[entry] for entry in (*table.a, *table.b))
        for table in lineup(event, number).tables
    }


def lineup(event: Event, number: int = 1) -> Lineup:
    return lineup_of(event.rounds.get(number=number))


@saved_state
def a_draft(pairs: int = 6, *, draw_format: str = "random") -> Event:
    event = start_event(event_id=an_event(pairs, draw_format=draw_format).pk)
    draw_round(event_id=event.pk, seed=3)
    return event


class TestASwapInADraft:
    @pytest.mark.slow
    def test_brings_two_to_each_other_s_places(self) -> None:
        event = a_draft()
        before = seats(event)
        one, other = before[1][0], before[2][1]
        swap_entries(event_id=event.pk, number=1, one=one, other=other)
        assert seats(event) == {
            **before,
            1: (other, before[1][1]),
            2: (before[2][0], one),
        }

    @pytest.mark.slow
    def test_changes_the_price_and_leaves_no_proof(self) -> None:
        event = a_running_night(pairs=4)
        met = seats(event)[1]
        play_round(event)
        drawn = draw_round(event_id=event.pk)
        assert drawn.price["repeats"] == 0
        at = {entry: table for table, entries in seats(event, 2).items() for entry in entries}
        partner = next(entry for entry in seats(event, 2)[at[met[0]]] if entry != met[0])
        swapped = swap_entries(event_id=event.pk, number=2, one=met[1], other=partner)
        swapped.refresh_from_db()
        assert swapped.price["repeats"] > 0
        assert swapped.certificate is None

    @pytest.mark.slow
    def test_says_that_it_was_made_by_hand_and_that_the_two_have_met(self) -> None:
        event = a_running_night(pairs=4)
        met = seats(event)[1]
        play_round(event)
        draw_round(event_id=event.pk)
        at = {entry: table for table, entries in seats(event, 2).items() for entry in entries}
        partner = next(entry for entry in seats(event, 2)[at[met[0]]] if entry != met[0])
        swap_entries(event_id=event.pk, number=2, one=met[1], other=partner)
        codes = [reason.code for reason in lineup(event, 2).table(at[met[0]]).reasons]
        assert codes == ["by_hand", "met_before"]

    @pytest.mark.slow
    def test_gives_the_bye_to_another(self) -> None:
        event = a_draft(pairs=5)
        (bye,) = lineup(event).byes
        out = event.entries.get(pk=bye.entry).number
        one = seats(event)[1][0]
        swap_entries(event_id=event.pk, number=1, one=one, other=out)
        assert event.entries.get(pk=lineup(event).byes[0].entry).number == one
        assert seats(event)[1][0] == out

    def test_of_two_who_sit_on_one_side_or_both_out_is_refused(self) -> None:
        event = a_draft(pairs=6, draw_format="rotation")
        a = seats(event)[1][:2]
        assert code_of(swap_entries, event_id=event.pk, number=1, one=a[0], other=a[1]) == "same_place"

    def test_with_somebody_who_is_not_there_is_refused(self) -> None:
        event = a_draft()
        refusal = refusal_of(swap_entries, event_id=event.pk, number=1, one=1, other=77)
        assert (refusal.code, refusal.details) == ("no_entry_of_number", {"entry": 77})


class TestAHeldTable:
    @pytest.mark.slow
    def test_stays_when_the_rest_is_drawn_again(self) -> None:
        event = a_draft(pairs=12)
        hold_table(event_id=event.pk, number=1, table=2, is_held=True)
        held = seats(event)[2]
        drawn = set()
        for seed in range(5):
            draw_round(event_id=event.pk, seed=seed)
            assert seats(event)[2] == held
            drawn.add(tuple(seats(event).values()))
        assert len(drawn) == 5

    @pytest.mark.slow
    def test_is_free_again_when_let_go(self) -> None:
        event = a_draft(pairs=12)
        hold_table(event_id=event.pk, number=1, table=2, is_held=True)
        hold_table(event_id=event.pk, number=1, table=2, is_held=False)
        assert len({_redrawn(event, seed)[2] for seed in range(4)}) > 1

    def test_is_of_a_draft_only(self) -> None:
        event = a_running_night()
        code = code_of(hold_table, event_id=event.pk, number=1, table=1, is_held=True)
        assert code == "step_not_allowed"


def _redrawn(event: Event, seed: int) -> dict[int, tuple[int, ...]]:
    draw_round(event_id=event.pk, seed=seed)
    return seats(event)


class TestAWrongPairThatSatDownAndPlayed:
    def test_is_written_where_it_sat_and_the_marks_stay_with_the_table(self) -> None:
        event = a_running_night()
        first, second = matches_of(event)
        mark(first, "A 6 made")
        before = seats(event)
        one, other = before[1][0], before[2][0]
        swap_entries(event_id=event.pk, number=1, one=one, other=other)
        assert matches_of(event) == [first, second]
        assert score(first) == [6, 0]
        seated = [player.person for player in first.players.order_by("seat")]
        assert seated[::2] == event.entries.get(number=other).players

    @pytest.mark.slow
    def test_found_after_the_round_was_closed_changes_the_standings_and_no_later_draw(self) -> None:
        event = a_played_night()
        next_round(event)
        drawn = seats(event, 2)
        before = {row["entry"]: row["match_wins"] for row in standings_after(event)}
        winner, loser = seats(event)[1]
        swap_entries(event_id=event.pk, number=1, one=winner, other=loser)
        after = {row["entry"]: row["match_wins"] for row in standings_after(event)}
        assert (after[winner], after[loser]) == (before[loser], before[winner]) == (0, 1)
        assert seats(event, 2) == drawn


class TestOneTableMore:
    def test_seats_a_late_pair_against_the_one_that_sits_out(self) -> None:
        event = a_running_night(pairs=5)
        (bye,) = lineup(event).byes
        out = event.entries.get(pk=bye.entry).number
        one, two = (event.entries.get(number=number).player_1 for number in (1, 2))
        event.entries.create(number=6, player_1=one, player_2=two, arrives=2)
        seat_more(event_id=event.pk, number=1, one=out, other=6)
        assert seats(event)[3] == (out, 6)
        assert not lineup(event).byes
        assert matches_of(event)[2].card.number == 3
        assert event.entries.get(number=6).arrives == 1

    def test_takes_nobody_who_sits_at_a_table(self) -> None:
        event = a_running_night(pairs=5)
        (bye,) = lineup(event).byes
        out = event.entries.get(pk=bye.entry).number
        code = code_of(seat_more, event_id=event.pk, number=1, one=out, other=seats(event)[1][0])
        assert code == "already_at_a_table"

    @pytest.mark.slow
    def test_is_refused_in_a_closed_round_where_it_could_have_no_result(self) -> None:
        event = a_played_night()
        for name in ("Zed", "Zwicky"):
            add_entry(event_id=event.pk, players=[f"Zoé {name}", f"Zach {name}"])
        assert code_of(seat_more, event_id=event.pk, number=1, one=5, other=6) == "step_not_allowed"
        assert event.rounds.get().tables.count() == 2


class TestAForfeit:
    def test_counts_as_a_match_won_without_points(self) -> None:
        event = a_running_night()
        mark(matches_of(event)[0], "B 6 made")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        rows = {row["entry"]: row for row in standings_after(event)}
        winner, loser = (rows[number] for number in seats(event)[1])
        assert (winner["match_wins"], winner["games_won"], winner["points_for"]) == (1, 1, 0)
        assert (loser["match_wins"], loser["points_for"]) == (0, 0)

    def test_of_both_is_won_by_nobody(self) -> None:
        event = a_running_night()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=None)
        assert {row["match_wins"] for row in standings_after(event)} == {0}

    @pytest.mark.slow
    def test_of_both_leaves_nobody_in_a_bracket_where_a_drawn_score_is_refused(self) -> None:
        event = an_event(4)
        final = {"format": "knockout", "takes": "top", "count": 2}
        change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 1}, final])
        start_event(event_id=event.pk)
        next_round(event)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=None)
        adjust_table(event_id=event.pk, number=1, table=2, games=(0, 0), points=(9, 9))
        close_round(event_id=event.pk, number=1)
        next_round(event)
        where: dict[str, Any] = {"event_id": event.pk, "number": 2, "table": 1}
        refusal = refusal_of(adjust_table, **where, games=(1, 1), points=(30, 30))
        assert (refusal.code, refusal.field) == ("somebody_goes_on", "points")
        forfeit_table(**where, winner=None)
        assert close_round(event_id=event.pk, number=2).state == "closed"
        ranks = {row["entry"]: row["rank"] for row in standings_after(event)}
        assert {ranks[number] for number in seats(event, number=2)[1]} == {1}, (
            "both share the place behind nobody"
        )

    def test_lets_the_round_be_closed(self) -> None:
        event = a_running_night()
        win(matches_of(event)[1])
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        assert missing_tables(event.rounds.get()) == []
        assert close_round(event_id=event.pk, number=1).state == "closed"

    def test_keeps_what_was_marked_and_lets_it_count_again(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0], "B")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        let_cards_count(event_id=event.pk, number=1, table=1)
        rows = {row["entry"]: row["points_for"] for row in standings_after(event)}
        assert [rows[number] for number in seats(event)[1]] == [6, 32]

    def test_of_a_closed_round_cannot_be_lifted_where_no_match_is_over(self) -> None:
        event = a_running_night()
        win(matches_of(event)[1])
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        close_round(event_id=event.pk, number=1)
        refusal = refusal_of(let_cards_count, event_id=event.pk, number=1, table=1)
        assert (refusal.code, refusal.details) == ("tables_missing", {"tables": [1]})

    def test_keeps_its_round_published(self) -> None:
        event = a_running_night()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        assert code_of(unpublish_round, event_id=event.pk, number=1) == "rulings_stand"

    @pytest.mark.slow
    def test_decides_who_goes_on_in_the_next_draw(self) -> None:
        event = start_event(event_id=an_event(4, draw_format="knockout").pk)
        next_round(event)
        for table in (1, 2):
            forfeit_table(event_id=event.pk, number=1, table=table, winner=Side.B)
        finalists = {seats(event)[1][1], seats(event)[2][1]}
        close_round(event_id=event.pk, number=1)
        next_round(event)
        assert set(seats(event, 2)[1]) == finalists


class TestAnAdjustedScore:
    def test_counts_instead_of_what_was_marked(self) -> None:
        event = a_running_night()
        win(matches_of(event)[0], "B")
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(32, 20))
        rows = {row["entry"]: row for row in standings_after(event)}
        winner, loser = (rows[number] for number in seats(event)[1])
        assert (winner["match_wins"], winner["difference"], loser["difference"]) == (1, 12, -12)

    @pytest.mark.parametrize(
        ("games", "points", "wins"),
        [((2, 1), (40, 60), (1, 0)), ((1, 1), (40, 60), (0, 1)), ((1, 1), (40, 40), (0, 0))],
    )
    def test_is_won_by_games_then_points_or_drawn(
        self, games: tuple[int, int], points: tuple[int, int], wins: tuple[int, int]
    ) -> None:
        event = a_running_night()
        adjust_table(event_id=event.pk, number=1, table=1, games=games, points=points)
        rows = {row["entry"]: row["match_wins"] for row in standings_after(event)}
        assert tuple(rows[number] for number in seats(event)[1]) == wins

    def test_below_nothing_is_refused(self) -> None:
        event = a_running_night()
        refusal = refusal_of(adjust_table, event_id=event.pk, number=1, table=1, games=(1, 0), points=(-1, 0))
        assert (refusal.code, refusal.field) == ("number_too_small", "points")

    def test_beyond_what_anybody_plays_is_refused(self) -> None:
        event = a_running_night()
        refusal = refusal_of(
            adjust_table, event_id=event.pk, number=1, table=1, games=(1, 0), points=(10**6, 0)
        )
        assert (refusal.code, refusal.field) == ("number_too_large", "points")


def test_a_table_of_a_draft_has_nothing_to_rule_on() -> None:
    event = a_draft()
    assert code_of(forfeit_table, event_id=event.pk, number=1, table=1, winner=None) == "step_not_allowed"


@pytest.mark.slow
def test_what_is_published_follows_the_draft() -> None:
    event = a_draft()
    before = seats(event)
    publish_round(event_id=event.pk, number=1)
    assert seats(event) == before
    unpublish_round(event_id=event.pk, number=1)
    assert seats(event) == before
