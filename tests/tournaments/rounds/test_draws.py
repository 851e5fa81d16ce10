"""Drafts of a round: drawn, drawn again, set by hand, and discarded."""

from itertools import combinations

import pytest

from engine.draws import DrawnTable, EntryId, certificate_from_json, draw
from engine.draws.lineups import reasons_to_json
from rules import Side
from scoring.models import Match
from tests.builders import (
    build_event,
    build_played_night,
    build_running_night,
    get_draw_input,
    get_refusal,
    get_refusal_code,
    play_round,
    start_next_round,
)
from tests.support.event_files import build_tournament
from tournaments.entries.services.check_in import change_attendance
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event, Round
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, discard_draft, draw_round, enter_draw, publish_round

pytestmark = pytest.mark.django_db


def build_started_night(pairs: int = 4) -> Event:
    return start_event(event_id=build_event(pairs).pk)


def list_pairings(drawn: Round) -> list[set[int]]:
    lineup = lineup_of(drawn)
    numbers = dict(drawn.event.entries.values_list("pk", "number"))
    return [{numbers[entry] for entry in (*table.a, *table.b)} for table in lineup.tables]


def list_byes(drawn: Round) -> list[int]:
    return [drawn.event.entries.get(pk=bye.entry).number for bye in lineup_of(drawn).byes]


class TestDraft:
    def test_draft_seats_every_entry_once(self) -> None:
        drawn = draw_round(event_id=build_started_night(pairs=6).pk)
        assert (drawn.number, drawn.state) == (1, "draft")
        assert sorted(number for pair in list_pairings(drawn) for number in pair) == [1, 2, 3, 4, 5, 6]
        assert [table.number for table in lineup_of(drawn).tables] == [1, 2, 3]

    @pytest.mark.parametrize("key", ["swiss", "random", "swiss_individual", "by_rank", "progressive"])
    @pytest.mark.long
    def test_draw_depends_only_on_entries_settings_and_seeds(self, key: str) -> None:
        def play_all_rounds(event: Event) -> list[list[set[int]]]:
            drawn = []
            for number in (1, 2, 3):
                drawn.append(list_pairings(draw_round(event_id=event.pk, seed=40 + number)))
                publish_round(event_id=event.pk, number=number)
                play_round(event, number)
            return drawn

        one, other = (build_tournament(10, stages=[{"format": key}]) for _ in range(2))
        Event.objects.filter(pk=one.pk).update(lot=1)
        Event.objects.filter(pk=other.pk).update(lot=2)
        assert play_all_rounds(one) == play_all_rounds(other)

    @pytest.mark.long
    def test_redrawn_first_round_changes_the_event_lot(self) -> None:
        event = build_started_night(pairs=8)
        for seed in (7, 8):
            drawn = draw_round(event_id=event.pk, seed=seed)
            event.refresh_from_db()
            assert (event.lot, (drawn.drawn_from or {})["lot"]) == (seed, seed)
        publish_round(event_id=event.pk, number=1)
        play_round(event)
        draw_round(event_id=event.pk, seed=9)
        event.refresh_from_db()
        assert event.lot == 8

    @pytest.mark.long
    def test_same_seed_gives_the_same_draft(self) -> None:
        event = build_started_night(pairs=8)
        first = draw_round(event_id=event.pk, seed=7)
        drawn = list_pairings(first)
        assert (first.seed, first.draw_format) == (7, "random")
        assert list_pairings(draw_round(event_id=event.pk, seed=7)) == drawn

    @pytest.mark.long
    def test_draft_stores_its_price_and_certificate(self) -> None:
        event = build_played_night(pairs=6)
        drawn = draw_round(event_id=event.pk, seed=11)
        drawn.refresh_from_db()
        assert drawn.certificate is not None
        price_and_certificate = drawn.price, certificate_from_json(drawn.certificate)
        discard_draft(event_id=event.pk, number=2)
        event.refresh_from_db()
        again = draw("random", get_draw_input(event, seed=11))
        assert price_and_certificate == (again.price, again.certificate)

    @pytest.mark.long
    def test_swiss_draw_pairs_entries_with_equal_wins(self) -> None:
        event = build_played_night(pairs=8, draw_format="swiss")
        winners = {table.a for table in get_draw_input(event).history if table.winner is Side.A}
        drawn = draw_round(event_id=event.pk)
        assert drawn.draw_format == "swiss"
        assert drawn.price["scores"] == drawn.price["repeats"] == 0
        for table in lineup_of(drawn).tables:
            assert (table.a in winners) is (table.b in winners)
            assert [reason.code for reason in table.reasons][:1] == ["score_group"]

    @pytest.mark.long
    def test_swiss_draw_starts_by_lot(self) -> None:
        event = start_event(event_id=build_event(pairs=8, draw_format="swiss").pk)
        drawn = [list_pairings(draw_round(event_id=event.pk, seed=seed)) for seed in range(2)]
        assert drawn[0] != drawn[1]
        assert event.rounds.get().settings == {"target": "lot"}

    @pytest.mark.long
    def test_swiss_history_records_the_scores_of_each_table(self) -> None:
        event = build_played_night(pairs=6, draw_format="swiss")
        start_next_round(event)
        came = [table.scores for table in get_draw_input(event).history if table.round == 2]
        assert sorted(came) in ([(0, 0), (0, 2), (2, 2)], [(0, 0), (2, 0), (2, 2)])

    @pytest.mark.long
    def test_new_draft_replaces_the_previous_one(self) -> None:
        event = build_started_night()
        draw_round(event_id=event.pk)
        draw_round(event_id=event.pk)
        assert event.rounds.count() == 1
        assert len(lineup_of(event.rounds.get()).tables) == 2

    def test_draft_opens_no_match(self) -> None:
        draw_round(event_id=build_started_night().pk)
        assert not Match.objects.exists()

    @pytest.mark.long
    def test_odd_number_of_entries_gives_a_bye(self) -> None:
        drawn = draw_round(event_id=build_started_night(pairs=5).pk)
        assert len(list_byes(drawn)) == 1
        assert len(list_pairings(drawn)) == 2

    @pytest.mark.long
    def test_draft_explains_a_rematch(self) -> None:
        event = build_played_night(pairs=2)
        drawn = draw_round(event_id=event.pk)
        (table,) = lineup_of(drawn).tables
        assert reasons_to_json(table.reasons) == [
            {"code": "met_before", "rounds": [1]},
            {"code": "repeats_unavoidable"},
        ]

    def test_draft_can_be_entered_by_hand(self) -> None:
        event = build_started_night(pairs=5)
        ids = [EntryId(entry.pk) for entry in event.entries.all()]
        drawn = enter_draw(
            event_id=event.pk,
            tables=[
                DrawnTable(number=2, a=(ids[3],), b=(ids[0],)),
                DrawnTable(number=1, a=(ids[1],), b=(ids[2],)),
            ],
            byes=[ids[4]],
        )
        assert drawn.draw_format == "manual"
        assert list_pairings(drawn) == [{2, 3}, {1, 4}]
        assert list_byes(drawn) == [5]

    @pytest.mark.slow
    def test_round_of_a_schedule_passes_without_tables(self) -> None:
        event = build_played_night(3, draw_format="round_robin")
        (number,) = list_byes(event.rounds.get())
        change_attendance(event_id=event.pk, number=number, round_number=2, attendance="absent")
        drawn = start_next_round(event)
        assert (list_pairings(drawn), len(list_byes(drawn))) == ([], 2)
        close_round(event_id=event.pk, number=2)
        assert number in list_pairings(start_next_round(event))[0]
        play_round(event, 3)
        assert get_refusal_code(draw_round, event_id=event.pk) == "nothing_left_to_draw"

    def test_discarded_draft_can_be_drawn_again(self) -> None:
        event = build_started_night()
        draw_round(event_id=event.pk)
        discard_draft(event_id=event.pk, number=1)
        discard_draft(event_id=event.pk, number=1)
        assert not event.rounds.exists()
        assert draw_round(event_id=event.pk).number == 1

    def test_draw_is_refused_during_a_round(self) -> None:
        event = build_running_night()
        refusal = get_refusal(draw_round, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("round_not_closed", {"round": 1})

    def test_draw_is_refused_unless_the_event_is_running(self) -> None:
        event = build_event()
        assert get_refusal_code(draw_round, event_id=event.pk) == "event_not_running"
        start_event(event_id=event.pk)
        end_event(event_id=event.pk)
        assert get_refusal_code(draw_round, event_id=event.pk) == "event_not_running"


@pytest.mark.slow
class TestManyRounds:
    @pytest.mark.parametrize("pairs", [4, 5, 6, 7])
    @pytest.mark.long
    def test_rounds_avoid_rematches_while_possible(self, pairs: int) -> None:
        event = build_started_night(pairs)
        met: list[frozenset[int]] = []
        for number in range(1, pairs - 1):
            drawn = start_next_round(event, seed=number)
            met += [frozenset(pair) for pair in list_pairings(drawn)]
            play_round(event, number)
        if pairs % 2 == 0:
            assert len(set(met)) == len(met)
        assert len(met) == (pairs - 2) * (pairs // 2)

    @pytest.mark.long
    def test_random_rounds_complete_a_round_robin(self) -> None:
        event = build_started_night(pairs=4)
        met = []
        for number in (1, 2, 3):
            met += [frozenset(pair) for pair in list_pairings(start_next_round(event, seed=number))]
            play_round(event, number)
        assert set(met) == {frozenset(pair) for pair in combinations((1, 2, 3, 4), 2)}
        assert len(list_pairings(start_next_round(event))) == 2

    @pytest.mark.long
    def test_every_entry_gets_one_bye_before_any_second(self) -> None:
        event = build_started_night(pairs=5)
        sat_out = []
        for number in range(1, 6):
            sat_out += list_byes(start_next_round(event, seed=number))
            play_round(event, number)
        assert sorted(sat_out) == [1, 2, 3, 4, 5]
