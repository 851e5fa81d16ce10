"""Preview of an action's effects: ranks, lost results, and changed opponents."""

from functools import partial

import pytest

from engine.results import RedrawComparison
from rules import Side
from tests.builders import (
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tests.support.office import Office
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import describe_entry, withdraw_entry
from tournaments.events.presenters.names import format_full_names
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.presenters.effects import EffectsView, build_effects_view
from tournaments.history.services.effects import Effects, compute_effects
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.queries.rounds import lineup_of, list_undecided_tables
from tournaments.rounds.services.rounds import close_round, discard_draft, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count, seat_more, swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@saved_state
def build_night_with_forfeit(pairs: int = 8, draw_format: str = "swiss") -> tuple[Event, Action]:
    """Build a night with round 1 closed; table 1 has no hands and a forfeit win for side A."""
    event = build_running_night(pairs=pairs, draw_format=draw_format)
    forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
    forfeit = event.actions.latest("pk")
    for match in matches_of(event)[1:]:
        win(match)
    close_round(event_id=event.pk, number=1)
    return event, forfeit


def preview_undo(event: Event, action: Action) -> Effects:
    return compute_effects(event.pk, lambda: undo_action(event_id=event.pk, action_id=action.pk, may_be_undecided=True))


class TestRankEffects:
    def test_late_entry_changes_ranks_once_a_result_exists(self) -> None:
        event = build_running_night(pairs=5)
        (bye,) = lineup_of(event.rounds.get()).byes
        out = event.entries.get(pk=bye.entry).number
        one, two = (event.entries.get(number=number).player_1 for number in (1, 2))
        event.entries.create(number=6, player_1=one, player_2=two, arrives=2)

        def preview_seating() -> Effects:
            return compute_effects(event.pk, lambda: seat_more(event_id=event.pk, number=1, one=out, other=6))

        assert not preview_seating().ranks
        win(matches_of(event)[0])
        assert [moved.before for moved in preview_seating().ranks if moved.entry == 6] == [None]


class TestSectionEffects:
    def test_section_change_is_reported_without_any_overall_change(self) -> None:
        event = build_running_night(pairs=4)
        event.sections = [{"name": name, "first_table": None, "last_table": None} for name in ("A", "B", "C")]
        event.save(update_fields=["sections"])
        for number, section in ((1, "A"), (2, "B"), (3, "B"), (4, "C")):
            describe_entry(event_id=event.pk, number=number, section=section)

        def preview_move() -> EffectsView:
            moves = partial(describe_entry, event_id=event.pk, number=2, section="A")
            return build_effects_view(event, compute_effects(event.pk, moves))

        assert preview_move().is_empty, "nobody is ahead yet"
        play_round(event)
        effects = preview_move()
        assert (effects.ranks, effects.computed.sections) == ((), ("A", "B"))
        assert not effects.is_empty


class TestUndecidedTables:
    @pytest.mark.long
    def test_undo_preview_lists_the_table_left_undecided(self) -> None:
        event, forfeit = build_night_with_forfeit()
        start_next_round(event)
        play_round(event, 2)
        start_next_round(event)
        assert preview_undo(event, forfeit).undecided == ((1, 1),)
        assert list_undecided_tables(event) == []

    @pytest.mark.long
    def test_unconfirmed_undo_to_an_undecided_table_is_refused(self) -> None:
        event, forfeit = build_night_with_forfeit()
        start_next_round(event)
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=forfeit.pk) == "tables_missing"
        assert get_refusal_code(let_cards_count, event_id=event.pk, number=1, table=1) == "tables_missing"

    @pytest.mark.long
    def test_recounting_the_cards_previews_then_leaves_an_undecided_table(self) -> None:
        event, _ = build_night_with_forfeit()
        effects = compute_effects(
            event.pk,
            lambda: let_cards_count(event_id=event.pk, number=1, table=1, may_be_undecided=True),
        )
        assert effects.undecided == ((1, 1),)
        let_cards_count(event_id=event.pk, number=1, table=1, may_be_undecided=True)
        assert list_undecided_tables(event) == [(1, 1)]
        assert [row["match_wins"] for row in compute_standings(event)].count(1) == 3

    def test_undecided_table_blocks_draw_publish_and_end(self) -> None:
        event, forfeit = build_night_with_forfeit()
        draw_round(event_id=event.pk)
        undo_action(event_id=event.pk, action_id=forfeit.pk, may_be_undecided=True)
        assert get_refusal_code(publish_round, event_id=event.pk, number=2) == "tables_undecided"
        discard_draft(event_id=event.pk, number=2)
        assert get_refusal_code(draw_round, event_id=event.pk) == "tables_undecided"
        assert get_refusal_code(end_event, event_id=event.pk) == "tables_undecided"
        adjust_table(event_id=event.pk, number=1, table=1, games=[1, 0], points=[32, 20])
        assert draw_round(event_id=event.pk).number == 2

    def test_undecided_table_does_not_block_rulings_elsewhere(self) -> None:
        event, forfeit = build_night_with_forfeit()
        undo_action(event_id=event.pk, action_id=forfeit.pk, may_be_undecided=True)
        adjust_table(event_id=event.pk, number=1, table=2, games=[0, 1], points=[20, 32])
        given = event.actions.latest("pk")
        undo_action(event_id=event.pk, action_id=given.pk)
        assert list_undecided_tables(event) == [(1, 1)]

    def test_round_cannot_close_again_with_an_undecided_table(self) -> None:
        event = build_played_night(pairs=4)
        closed = event.actions.latest("pk")
        reopened = undo_action(event_id=event.pk, action_id=closed.pk)
        match = matches_of(event)[0]
        last = match.marks.filter(status="current").order_by("-number").first()
        mark(match, "undone", replaced=last)
        assert (
            get_refusal_code(undo_action, event_id=event.pk, action_id=reopened.pk, may_be_undecided=True)
            == "tables_missing"
        )

    def test_undecided_bracket_table_reports_contradicted_seats(self) -> None:
        event, forfeit = build_night_with_forfeit(pairs=4, draw_format="knockout")
        start_next_round(event)
        effects = preview_undo(event, forfeit)
        assert effects.undecided == ((1, 1),)
        assert effects.contradicted


class TestWithdrawalEffects:
    """A withdrawal's preview counts the next round's entries and byes, except in brackets, where others get
    walkovers."""

    def preview_withdrawal(self, event: Event, number: int) -> EffectsView:
        return build_effects_view(
            event, compute_effects(event.pk, lambda: withdraw_entry(event_id=event.pk, number=number))
        )

    def build_bracket(self) -> tuple[Event, list[int], list[int]]:
        """Build a bracket after its first round; return the event, the winners' numbers and the losers' numbers."""
        event = build_played_night(pairs=8, draw_format="knockout")
        numbers = dict(event.entries.values_list("pk", "number"))
        tables = lineup_of(event.rounds.get()).tables
        return event, [numbers[each.a[0]] for each in tables], [numbers[each.b[0]] for each in tables]

    @pytest.mark.long
    def test_withdrawal_preview_counts_an_odd_field(self) -> None:
        event = build_played_night(pairs=8)
        effects = self.preview_withdrawal(event, 8)
        assert (effects.computed.playing_next, effects.computed.unseated_next, effects.computed.has_walkover_next) == (
            7,
            1,
            False,
        )

    @pytest.mark.parametrize("draw_format", ["swiss", "round_robin"])
    @pytest.mark.long
    def test_withdrawal_from_an_odd_field_leaves_no_bye(self, draw_format: str) -> None:
        event = build_played_night(pairs=7, draw_format=draw_format)
        (idle,) = lineup_of(draw_round(event_id=event.pk)).byes
        effects = self.preview_withdrawal(event, event.entries.get(pk=idle.entry).number)
        assert (effects.computed.playing_next, effects.computed.unseated_next) == (6, 0)

    @pytest.mark.long
    def test_withdrawal_from_a_pool_leaves_the_unmatched_without_a_table(self) -> None:
        event = build_played_night(pairs=8, draw_format="pools")
        pools = get_pools(event)
        effects = self.preview_withdrawal(event, pools["A"][0])
        assert (effects.computed.playing_next, effects.computed.unseated_next, effects.computed.is_in_pools_next) == (
            7,
            1,
            True,
        )
        withdraw_entry(event_id=event.pk, number=pools["A"][0])
        effects = self.preview_withdrawal(event, pools["B"][0])
        assert (effects.computed.playing_next, effects.computed.unseated_next) == (6, 2), "an even number, in odd pools"
        effects = self.preview_withdrawal(event, pools["A"][2])
        assert (effects.computed.playing_next, effects.computed.unseated_next) == (6, 0)
        effects = self.preview_withdrawal(event, pools["A"][1])
        assert effects.computed.unseated_next == 0, "who are left of the pool have met: it is over"

    @pytest.mark.long
    def test_individual_withdrawal_counts_players_without_a_table(self) -> None:
        event = build_running_night(8, draw_format="swiss_individual")
        effects = self.preview_withdrawal(event, 8)
        assert (effects.computed.playing_next, effects.computed.unseated_next) == (7, 3)

    @pytest.mark.long
    def test_withdrawal_of_an_eliminated_entry_changes_nothing(self) -> None:
        event, _, out = self.build_bracket()
        assert self.preview_withdrawal(event, out[0]).is_empty

    @pytest.mark.long
    def test_withdrawal_from_a_bracket_gives_a_walkover(self) -> None:
        event, still_in, _ = self.build_bracket()
        effects = self.preview_withdrawal(event, still_in[0])
        assert (effects.computed.playing_next, effects.computed.unseated_next, effects.computed.has_walkover_next) == (
            None,
            None,
            True,
        )
        assert not effects.is_empty

    @pytest.mark.long
    def test_withdrawal_outdates_a_draft_that_seats_the_entry(self) -> None:
        event = build_played_night(pairs=8)
        assert self.preview_withdrawal(event, 8).computed.unfit_draft is None
        draw_round(event_id=event.pk)
        assert self.preview_withdrawal(event, 8).computed.unfit_draft == 2
        withdraw_entry(event_id=event.pk, number=7)
        assert self.preview_withdrawal(event, 8).computed.unfit_draft == 2

    def test_withdrawal_of_an_eliminated_entry_keeps_the_draft(self) -> None:
        event, still_in, out = self.build_bracket()
        draw_round(event_id=event.pk)
        assert self.preview_withdrawal(event, out[0]).is_empty
        assert self.preview_withdrawal(event, still_in[0]).computed.unfit_draft == 2

    @pytest.mark.long
    def test_withdrawal_of_the_bracket_winner_gives_no_walkover(self) -> None:
        event, *_ = self.build_bracket()
        for number in (2, 3):
            start_next_round(event)
            play_round(event, number)
        champion = compute_standings(event)[0]["entry"]
        assert not self.preview_withdrawal(event, champion).computed.has_walkover_next

    @pytest.mark.long
    def test_withdrawal_before_the_final_qualifies_the_next_entry(self) -> None:
        event = build_running_night(
            8, stages=[{"format": "swiss", "rounds": 1}, {"format": "knockout", "takes": "top", "count": 4}]
        )
        play_round(event)
        best, *_, last = [row["entry"] for row in compute_standings(event)]
        assert not self.preview_withdrawal(event, last).qualifying
        effects = self.preview_withdrawal(event, best)
        assert (effects.computed.playing_next, effects.computed.has_walkover_next) == (None, False)
        withdraw_entry(event_id=event.pk, number=best)
        won = {entry for each in lineup_of(event.rounds.get()).tables for entry in each.a}
        semifinals = lineup_of(draw_round(event_id=event.pk)).tables
        (following,) = {entry for each in semifinals for entry in (*each.a, *each.b)} - won
        assert effects.qualifying == (format_full_names(event.entries.get(pk=following)),)


class TestRequestedByeEffects:
    """A requested bye leaves the entry checked in, but one entry fewer plays."""

    def preview_request(self, event: Event, number: int, attendance: str = "bye") -> EffectsView:
        asks = partial(change_attendance, event_id=event.pk, number=number, round_number=2, attendance=attendance)
        return build_effects_view(event, compute_effects(event.pk, asks))

    @pytest.mark.long
    def test_requested_bye_in_an_odd_field_leaves_no_other_bye(self) -> None:
        event = build_played_night(pairs=7, draw_format="swiss")
        effects = self.preview_request(event, 3)
        assert (effects.computed.playing_next, effects.computed.unseated_next) == (None, 0)
        assert not effects.is_empty

    @pytest.mark.long
    def test_requested_bye_in_an_even_field_leaves_another_bye(self) -> None:
        event = build_played_night(pairs=8, draw_format="swiss")
        assert self.preview_request(event, 3).computed.unseated_next == 1
        change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye")
        assert self.preview_request(event, 3, attendance="plays").computed.unseated_next == 0

    @pytest.mark.long
    def test_requested_bye_in_a_pool_leaves_the_opponent_idle(self) -> None:
        event = build_played_night(pairs=8, draw_format="pools")
        effects = self.preview_request(event, get_pools(event)["A"][0])
        assert (effects.computed.unseated_next, effects.computed.is_in_pools_next) == (1, True)

    @pytest.mark.long
    def test_requested_bye_in_a_later_round_has_no_next_round_effect(self) -> None:
        event = build_running_night(pairs=7, draw_format="swiss")
        assert self.preview_request(event, 3).computed.unseated_next == 0
        asks = partial(change_attendance, event_id=event.pk, number=3, round_number=3, attendance="bye")
        assert build_effects_view(event, compute_effects(event.pk, asks)).is_empty

    @pytest.mark.parametrize(
        ("pairs", "draw_format", "sentence"),
        [
            (7, "swiss", "Next round: everyone else has a table."),
            (8, "swiss", "Odd number in the next round: one more bye."),
            (8, "pools", "Next round: 1 entry has no opponent in its pool and gets a bye."),
        ],
    )
    def test_bye_request_page_states_its_effect(self, pairs: int, draw_format: str, sentence: str) -> None:
        office = Office(pairs=pairs, draw_format=draw_format)
        start_event(event_id=office.event.pk)
        start_next_round(office.event)
        page = office.browser.open(f"{office.entries}/3")
        page = office.browser.send(page, page.find_form(control_name="attendance"), round="2", attendance="bye")
        assert sentence in page.text
        assert "No rank or table changes." not in page.text


@pytest.mark.long
@pytest.mark.postgresql("savepoints")
class TestRedrawComparison:
    def preview_redraw(self, event: Event, *, games: list[int]) -> tuple[RedrawComparison, ...]:
        effects = compute_effects(
            event.pk,
            lambda: adjust_table(
                event_id=event.pk, number=1, table=1, games=games, points=[10 * each for each in games]
            ),
        )
        return effects.redrawn

    def test_redraw_comparison_matches_a_real_redraw(self) -> None:
        event = build_played_night(pairs=8, draw_format="swiss")
        drawn = start_next_round(event, seed=5)
        met = {frozenset(sides) for sides in list_sides(event, 2)}
        (again,) = self.preview_redraw(event, games=[0, 1])
        assert again.round == 2
        redrawn_sides = {frozenset(sides) for sides in again.tables}
        assert redrawn_sides
        assert not redrawn_sides & met
        # expected result: unpublish the round, correct the result, and draw again with the original seed
        undo_action(event_id=event.pk, action_id=event.actions.get(kind="publish_round", details__round=2).pk)
        adjust_table(event_id=event.pk, number=1, table=1, games=[0, 1], points=[0, 10])
        draw_round(event_id=event.pk, seed=drawn.seed)
        publish_round(event_id=event.pk, number=2)
        assert redrawn_sides == {frozenset(sides) for sides in list_sides(event, 2)} - met

    def test_redraw_comparison_is_empty_when_scores_do_not_change(self) -> None:
        event = build_played_night(pairs=8, draw_format="round_robin")
        start_next_round(event)
        assert self.preview_redraw(event, games=[0, 1]) == (RedrawComparison(round=2, tables=(), byes=()),)

    def test_redraw_comparison_covers_later_rounds_but_no_draft(self) -> None:
        event = build_running_night(pairs=8, draw_format="swiss")
        for number in (1, 2):
            play_round(event, number)
            start_next_round(event)
        play_round(event, 3)
        draw_round(event_id=event.pk)
        assert [again.round for again in self.preview_redraw(event, games=[0, 1])] == [2, 3]

    def test_redraw_comparison_ignores_manual_swaps(self) -> None:
        event = build_played_night(pairs=8, draw_format="round_robin")
        start_next_round(event)
        swap_entries(event_id=event.pk, number=2, one=1, other=find_other_entry(event, 2, 1))
        assert self.preview_redraw(event, games=[0, 1])[0].tables == ()

    def test_redraw_comparison_changes_no_data(self) -> None:
        event = build_played_night(pairs=8, draw_format="swiss")
        start_next_round(event)
        before, actions = list_sides(event, 2), event.actions.count()
        self.preview_redraw(event, games=[0, 1])
        assert (list_sides(event, 2), event.actions.count()) == (before, actions)


def list_sides(event: Event, number: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return both sides of each table of a round, as ids of entries."""
    found = set()
    for table in event.rounds.get(number=number).tables.all():
        a, b = (
            tuple(table.seatings.filter(side=side).order_by("place").values_list("entry", flat=True)) for side in Side
        )
        found.add((a, b))
    return found


def get_pools(event: Event) -> dict[str, list[int]]:
    """Return the entry numbers of each pool in the first round."""
    found: dict[str, list[int]] = {}
    for table in event.rounds.get(number=1).tables.all():
        numbers = table.seatings.values_list("entry__number", flat=True)
        found.setdefault(table.slot.rpartition(":")[2], []).extend(numbers)
    return found


def find_other_entry(event: Event, number: int, entry: int) -> int:
    """Return the number of an entry at another table of the round."""
    table = event.rounds.get(number=number).tables.get(seatings__entry__number=entry)
    others = event.entries.exclude(seatings__table=table)
    return others.values_list("number", flat=True)[0]
