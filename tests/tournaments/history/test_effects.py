"""Effects of an act, shown beforehand: ranks, lost results, and changed opponents."""

from functools import partial

import pytest

from engine.results import RedrawComparison
from rules import Side
from tests.builders import (
    a_played_night,
    a_running_night,
    code_of,
    mark,
    matches_of,
    next_round,
    play_round,
    standings_after,
    win,
)
from tests.saved_states import saved_state
from tests.support.office import Office
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import describe_entry, withdraw_entry
from tournaments.events.presenters.names import full_names
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.presenters.effects import EffectsView, effects_view
from tournaments.history.services.effects import Effects, effects_of
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.queries.rounds import undecided_tables
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import close_round, discard_draft, draw_round, publish_round
from tournaments.rounds.services.tables import (
    adjust_table,
    forfeit_table,
    let_cards_count,
    seat_more,
    swap_entries,
)

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@saved_state
def a_night_with_a_forfeit(pairs: int = 8, draw_format: str = "swiss") -> tuple[Event, Action]:
    """Round 1 is closed; at table 1 nothing was marked, and side A has won by forfeit."""
    event = a_running_night(pairs=pairs, draw_format=draw_format)
    forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
    forfeit = event.actions.latest("pk")
    for match in matches_of(event)[1:]:
        win(match)
    close_round(event_id=event.pk, number=1)
    return event, forfeit


def undoing(event: Event, action: Action) -> Effects:
    return effects_of(
        event.pk, lambda: undo_action(event_id=event.pk, action_id=action.pk, may_be_undecided=True)
    )


class TestRanks:
    def test_of_somebody_who_comes_are_told_once_a_table_has_a_result(self) -> None:
        event = a_running_night(pairs=5)
        (bye,) = lineup_of(event.rounds.get()).byes
        out = event.entries.get(pk=bye.entry).number
        one, two = (event.entries.get(number=number).player_1 for number in (1, 2))
        event.entries.create(number=6, player_1=one, player_2=two, arrives=2)

        def seating() -> Effects:
            return effects_of(event.pk, lambda: seat_more(event_id=event.pk, number=1, one=out, other=6))

        assert not seating().ranks
        win(matches_of(event)[0])
        assert [moved.before for moved in seating().ranks if moved.entry == 6] == [None]


class TestSections:
    def test_whose_standings_get_other_people_are_told_though_no_rank_among_all_changes(self) -> None:
        event = a_running_night(pairs=4)
        event.sections = [{"name": name, "first_table": None, "last_table": None} for name in ("A", "B", "C")]
        event.save(update_fields=["sections"])
        for number, section in ((1, "A"), (2, "B"), (3, "B"), (4, "C")):
            describe_entry(event_id=event.pk, number=number, section=section)

        def moving() -> EffectsView:
            moves = partial(describe_entry, event_id=event.pk, number=2, section="A")
            return effects_view(event, effects_of(event.pk, moves))

        assert moving().are_none, "nobody is ahead yet"
        play_round(event)
        effects = moving()
        assert (effects.ranks, effects.sections) == ((), ("A", "B"))
        assert not effects.are_none


class TestATableOfAClosedRoundWithoutResult:
    def test_is_told_before_a_forfeit_is_undone_two_rounds_later(self) -> None:
        event, forfeit = a_night_with_a_forfeit()
        next_round(event)
        play_round(event, 2)
        next_round(event)
        assert undoing(event, forfeit).undecided == ((1, 1),)
        assert undecided_tables(event) == []

    def test_is_refused_to_who_did_not_say_that_it_may_be(self) -> None:
        event, forfeit = a_night_with_a_forfeit()
        next_round(event)
        assert code_of(undo_action, event_id=event.pk, action_id=forfeit.pk) == "tables_missing"
        assert code_of(let_cards_count, event_id=event.pk, number=1, table=1) == "tables_missing"

    def test_is_told_before_the_cards_count_again_and_then_is_there(self) -> None:
        event, _ = a_night_with_a_forfeit()
        effects = effects_of(
            event.pk,
            lambda: let_cards_count(event_id=event.pk, number=1, table=1, may_be_undecided=True),
        )
        assert effects.undecided == ((1, 1),)
        let_cards_count(event_id=event.pk, number=1, table=1, may_be_undecided=True)
        assert undecided_tables(event) == [(1, 1)]
        assert [row["match_wins"] for row in standings_after(event)].count(1) == 3

    def test_lets_nothing_be_drawn_published_or_ended_before_it_is_decided(self) -> None:
        event, forfeit = a_night_with_a_forfeit()
        draw_round(event_id=event.pk)
        undo_action(event_id=event.pk, action_id=forfeit.pk, may_be_undecided=True)
        assert code_of(publish_round, event_id=event.pk, number=2) == "tables_undecided"
        discard_draft(event_id=event.pk, number=2)
        assert code_of(draw_round, event_id=event.pk) == "tables_undecided"
        assert code_of(end_event, event_id=event.pk) == "tables_undecided"
        adjust_table(event_id=event.pk, number=1, table=1, games=[1, 0], points=[32, 20])
        assert draw_round(event_id=event.pk).number == 2

    def test_holds_up_no_other_act_at_the_tables_beside_it(self) -> None:
        event, forfeit = a_night_with_a_forfeit()
        undo_action(event_id=event.pk, action_id=forfeit.pk, may_be_undecided=True)
        adjust_table(event_id=event.pk, number=1, table=2, games=[0, 1], points=[20, 32])
        given = event.actions.latest("pk")
        undo_action(event_id=event.pk, action_id=given.pk)
        assert undecided_tables(event) == [(1, 1)]

    def test_is_never_made_by_closing_a_round_again(self) -> None:
        event = a_played_night(pairs=4)
        closed = event.actions.latest("pk")
        reopened = undo_action(event_id=event.pk, action_id=closed.pk)
        match = matches_of(event)[0]
        last = match.marks.filter(status="current").order_by("-number").first()
        mark(match, "undone", replacing=last)
        assert (
            code_of(undo_action, event_id=event.pk, action_id=reopened.pk, may_be_undecided=True)
            == "tables_missing"
        )

    def test_in_a_bracket_is_told_beside_the_seats_that_it_contradicts(self) -> None:
        event, forfeit = a_night_with_a_forfeit(pairs=4, draw_format="knockout")
        next_round(event)
        effects = undoing(event, forfeit)
        assert effects.undecided == ((1, 1),)
        assert effects.contradicted


class TestAWithdrawal:
    """Tells how many play the next round: in a bracket it is not so many, and none of them sits out."""

    def withdrawing(self, event: Event, number: int) -> EffectsView:
        return effects_view(
            event, effects_of(event.pk, lambda: withdraw_entry(event_id=event.pk, number=number))
        )

    def a_bracket(self) -> tuple[Event, list[int], list[int]]:
        """After its first round: who is still in it, and who is out."""
        event = a_played_night(pairs=8, draw_format="knockout")
        numbers = dict(event.entries.values_list("pk", "number"))
        tables = lineup_of(event.rounds.get()).tables
        return event, [numbers[each.a[0]] for each in tables], [numbers[each.b[0]] for each in tables]

    def test_leaves_an_odd_number(self) -> None:
        event = a_played_night(pairs=8)
        effects = self.withdrawing(event, 8)
        assert (effects.playing_next, effects.left_over_next, effects.has_walkover_next) == (7, 1, False)

    @pytest.mark.parametrize("draw_format", ["swiss", "round_robin"])
    def test_from_an_odd_number_leaves_everybody_else_a_table(self, draw_format: str) -> None:
        event = a_played_night(pairs=7, draw_format=draw_format)
        (idle,) = lineup_of(draw_round(event_id=event.pk)).byes
        effects = self.withdrawing(event, event.entries.get(pk=idle.entry).number)
        assert (effects.playing_next, effects.left_over_next) == (6, 0)

    def test_in_pools_leaves_over_whoever_has_no_opponent_in_their_pool(self) -> None:
        event = a_played_night(pairs=8, draw_format="pools")
        pools = pools_of(event)
        effects = self.withdrawing(event, pools["A"][0])
        assert (effects.playing_next, effects.left_over_next, effects.is_in_pools_next) == (7, 1, True)
        withdraw_entry(event_id=event.pk, number=pools["A"][0])
        effects = self.withdrawing(event, pools["B"][0])
        assert (effects.playing_next, effects.left_over_next) == (6, 2), "an even number, in odd pools"
        effects = self.withdrawing(event, pools["A"][2])
        assert (effects.playing_next, effects.left_over_next) == (6, 0)
        effects = self.withdrawing(event, pools["A"][1])
        assert effects.left_over_next == 0, "who are left of the pool have met: it is over"

    def test_of_one_of_several_people_tells_how_many_have_no_table(self) -> None:
        event = a_running_night(8, draw_format="swiss_individual")
        effects = self.withdrawing(event, 8)
        assert (effects.playing_next, effects.left_over_next) == (7, 3)

    def test_of_who_is_out_of_a_bracket_changes_nothing(self) -> None:
        event, _, out = self.a_bracket()
        assert self.withdrawing(event, out[0]).are_none

    def test_of_who_is_still_in_a_bracket_is_a_walkover(self) -> None:
        event, still_in, _ = self.a_bracket()
        effects = self.withdrawing(event, still_in[0])
        assert (effects.playing_next, effects.left_over_next, effects.has_walkover_next) == (None, None, True)
        assert not effects.are_none

    def test_says_that_a_draft_which_seats_them_fits_no_more(self) -> None:
        event = a_played_night(pairs=8)
        assert self.withdrawing(event, 8).unfit_draft is None
        draw_round(event_id=event.pk)
        assert self.withdrawing(event, 8).unfit_draft == 2
        withdraw_entry(event_id=event.pk, number=7)
        assert self.withdrawing(event, 8).unfit_draft == 2

    def test_of_who_is_out_of_a_bracket_leaves_its_draft_as_it_is(self) -> None:
        event, still_in, out = self.a_bracket()
        draw_round(event_id=event.pk)
        assert self.withdrawing(event, out[0]).are_none
        assert self.withdrawing(event, still_in[0]).unfit_draft == 2

    def test_of_who_has_won_a_bracket_is_none(self) -> None:
        event, *_ = self.a_bracket()
        for number in (2, 3):
            next_round(event)
            play_round(event, number)
        champion = standings_after(event)[0]["entry"]
        assert not self.withdrawing(event, champion).has_walkover_next

    def test_before_a_stage_begins_lets_the_next_one_go_on_to_it(self) -> None:
        event = a_running_night(
            8, stages=[{"format": "swiss", "rounds": 1}, {"format": "knockout", "takes": "top", "count": 4}]
        )
        play_round(event)
        best, *_, last = [row["entry"] for row in standings_after(event)]
        assert not self.withdrawing(event, last).going_on
        effects = self.withdrawing(event, best)
        assert (effects.playing_next, effects.has_walkover_next) == (None, False)
        withdraw_entry(event_id=event.pk, number=best)
        won = {entry for each in lineup_of(event.rounds.get()).tables for entry in each.a}
        semifinals = lineup_of(draw_round(event_id=event.pk)).tables
        (following,) = {entry for each in semifinals for entry in (*each.a, *each.b)} - won
        assert effects.going_on == (full_names(event.entries.get(pk=following)),)


class TestASittingOutThatIsAskedFor:
    """A requested bye leaves the entry present: the others are one fewer."""

    def asking(self, event: Event, number: int, attendance: str = "bye") -> EffectsView:
        asks = partial(
            change_attendance, event_id=event.pk, number=number, round_number=2, attendance=attendance
        )
        return effects_view(event, effects_of(event.pk, asks))

    def test_leaves_a_table_for_everybody_else_of_an_odd_number(self) -> None:
        event = a_played_night(pairs=7, draw_format="swiss")
        effects = self.asking(event, 3)
        assert (effects.playing_next, effects.left_over_next) == (None, 0)
        assert not effects.are_none

    def test_leaves_somebody_else_over_of_an_even_number(self) -> None:
        event = a_played_night(pairs=8, draw_format="swiss")
        assert self.asking(event, 3).left_over_next == 1
        change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye")
        assert self.asking(event, 3, attendance="plays").left_over_next == 0

    def test_in_pools_leaves_over_their_opponent(self) -> None:
        event = a_played_night(pairs=8, draw_format="pools")
        effects = self.asking(event, pools_of(event)["A"][0])
        assert (effects.left_over_next, effects.is_in_pools_next) == (1, True)

    def test_of_a_later_round_says_nothing_of_the_next(self) -> None:
        event = a_running_night(pairs=7, draw_format="swiss")
        assert self.asking(event, 3).left_over_next == 0
        asks = partial(change_attendance, event_id=event.pk, number=3, round_number=3, attendance="bye")
        assert effects_view(event, effects_of(event.pk, asks)).are_none

    @pytest.mark.parametrize(
        ("pairs", "draw_format", "sentence"),
        [
            (7, "swiss", "Next round: everyone else has a table."),
            (8, "swiss", "Odd number in the next round: one more bye."),
            (8, "pools", "Next round: 1 entry has no opponent in its pool and gets a bye."),
        ],
    )
    def test_is_said_in_words_before_it_is_done(self, pairs: int, draw_format: str, sentence: str) -> None:
        office = Office(pairs=pairs, draw_format=draw_format)
        start_event(event_id=office.event.pk)
        next_round(office.event)
        page = office.browser.open(f"{office.entries}/3")
        page = office.browser.send(page, page.form(having="attendance"), round="2", attendance="bye")
        assert sentence in page.text
        assert "No rank or table changes." not in page.text


@pytest.mark.postgresql("what is tried is taken back to a savepoint")
class TestWhoWouldHaveMet:
    def redrawn(self, event: Event, *, games: list[int]) -> tuple[RedrawComparison, ...]:
        effects = effects_of(
            event.pk,
            lambda: adjust_table(
                event_id=event.pk, number=1, table=1, games=games, points=[10 * each for each in games]
            ),
        )
        return effects.redrawn

    def test_is_what_the_same_lot_draws_of_the_corrected_results(self) -> None:
        event = a_played_night(pairs=8, draw_format="swiss")
        drawn = next_round(event, seed=5)
        met = {frozenset(sides) for sides in sides_of(event, 2)}
        (again,) = self.redrawn(event, games=[0, 1])
        assert again.round == 2
        told = {frozenset(sides) for sides in again.tables}
        assert told
        assert not told & met
        # the oracle: the round taken back, the result corrected, and drawn by the same lot
        undo_action(event_id=event.pk, action_id=event.actions.get(kind="publish_round", details__round=2).pk)
        adjust_table(event_id=event.pk, number=1, table=1, games=[0, 1], points=[0, 10])
        draw_round(event_id=event.pk, seed=drawn.seed)
        publish_round(event_id=event.pk, number=2)
        assert told == {frozenset(sides) for sides in sides_of(event, 2)} - met

    def test_is_the_same_where_the_winner_stays_and_so_do_the_scores(self) -> None:
        event = a_played_night(pairs=8, draw_format="round_robin")
        next_round(event)
        assert self.redrawn(event, games=[0, 1]) == (RedrawComparison(round=2, tables=(), byes=()),)

    def test_is_told_of_every_later_round_and_of_no_draft(self) -> None:
        event = a_running_night(pairs=8, draw_format="swiss")
        for number in (1, 2):
            play_round(event, number)
            next_round(event)
        play_round(event, 3)
        draw_round(event_id=event.pk)
        assert [again.round for again in self.redrawn(event, games=[0, 1])] == [2, 3]

    def test_does_not_tell_a_swap_of_the_director_as_a_consequence(self) -> None:
        event = a_played_night(pairs=8, draw_format="round_robin")
        next_round(event)
        swap_entries(event_id=event.pk, number=2, one=1, other=stranger(event, 2, 1))
        assert self.redrawn(event, games=[0, 1])[0].tables == ()

    def test_changes_nothing(self) -> None:
        event = a_played_night(pairs=8, draw_format="swiss")
        next_round(event)
        before, actions = sides_of(event, 2), event.actions.count()
        self.redrawn(event, games=[0, 1])
        assert (sides_of(event, 2), event.actions.count()) == (before, actions)


def sides_of(event: Event, number: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Both sides of each table of a round, by the ids of the entries."""
    found = set()
    for table in event.rounds.get(number=number).tables.all():
        a, b = (
            tuple(table.seatings.filter(side=side).order_by("place").values_list("entry", flat=True))
            for side in Side
        )
        found.add((a, b))
    return found


def pools_of(event: Event) -> dict[str, list[int]]:
    """The numbers of those who played in each pool in the first round."""
    found: dict[str, list[int]] = {}
    for table in event.rounds.get(number=1).tables.all():
        numbers = table.seatings.values_list("entry__number", flat=True)
        found.setdefault(table.slot.rpartition(":")[2], []).extend(numbers)
    return found


def stranger(event: Event, number: int, entry: int) -> int:
    """The number of an entry that sits at another table of the round."""
    table = event.rounds.get(number=number).tables.get(seatings__entry__number=entry)
    others = event.entries.exclude(seatings__table=table)
    return others.values_list("number", flat=True)[0]
