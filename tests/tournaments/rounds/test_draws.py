"""Drafts of a round: drawn, drawn anew, made by hand, forgotten."""

from itertools import combinations

import pytest

from engine.draws import DrawnTable, EntryId, certificate_from_json, draw
from engine.draws.lineups import reasons_to_json
from rules import Side
from scoring.models import Match
from tests.builders import (
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    draw_input,
    next_round,
    play_round,
    refusal_of,
)
from tests.support.event_files import a_tournament
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event, Round
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import discard_draft, draw_round, enter_draw, publish_round

pytestmark = pytest.mark.django_db


def a_started_night(pairs: int = 4) -> Event:
    return start_event(event_id=an_event(pairs).pk)


def pairings(drawn: Round) -> list[set[int]]:
    """The entries' numbers at each table."""
    lineup = lineup_of(drawn)
    numbers = dict(drawn.event.entries.values_list("pk", "number"))
    return [{numbers[entry] for entry in (*table.a, *table.b)} for table in lineup.tables]


def byes(drawn: Round) -> list[int]:
    """The entries' numbers that sit out."""
    return [drawn.event.entries.get(pk=bye.entry).number for bye in lineup_of(drawn).byes]


class TestADraft:
    def test_seats_everybody_once(self) -> None:
        drawn = draw_round(event_id=a_started_night(pairs=6).pk)
        assert (drawn.number, drawn.state) == (1, "draft")
        assert sorted(number for pair in pairings(drawn) for number in pair) == [1, 2, 3, 4, 5, 6]
        assert [table.number for table in lineup_of(drawn).tables] == [1, 2, 3]

    @pytest.mark.slow
    @pytest.mark.parametrize("key", ["swiss", "random", "swiss_individual", "by_rank", "progressive"])
    def test_is_the_same_for_the_same_entries_settings_and_seeds_in_every_event(self, key: str) -> None:
        def played(event: Event) -> list[list[set[int]]]:
            drawn = []
            for number in (1, 2, 3):
                drawn.append(pairings(draw_round(event_id=event.pk, seed=40 + number)))
                publish_round(event_id=event.pk, number=number)
                play_round(event, number)
            return drawn

        one, other = (a_tournament(10, stages=[{"format": key}]) for _ in range(2))
        Event.objects.filter(pk=one.pk).update(lot=1)
        Event.objects.filter(pk=other.pk).update(lot=2)
        assert played(one) == played(other)

    @pytest.mark.slow
    def test_that_is_drawn_again_for_the_first_round_gives_the_event_its_lot(self) -> None:
        event = a_started_night(pairs=8)
        for seed in (7, 8):
            drawn = draw_round(event_id=event.pk, seed=seed)
            event.refresh_from_db()
            assert (event.lot, (drawn.drawn_from or {})["lot"]) == (seed, seed)
        publish_round(event_id=event.pk, number=1)
        play_round(event)
        draw_round(event_id=event.pk, seed=9)
        event.refresh_from_db()
        assert event.lot == 8

    def test_is_the_same_by_the_same_seed_and_keeps_it(self) -> None:
        event = a_started_night(pairs=8)
        first = draw_round(event_id=event.pk, seed=7)
        drawn = pairings(first)
        assert (first.seed, first.draw_format) == (7, "random")
        assert pairings(draw_round(event_id=event.pk, seed=7)) == drawn

    @pytest.mark.slow
    def test_keeps_its_price_and_the_proof_that_none_costs_less(self) -> None:
        event = a_played_night(pairs=6)
        drawn = draw_round(event_id=event.pk, seed=11)
        drawn.refresh_from_db()
        assert drawn.certificate is not None
        kept = drawn.price, certificate_from_json(drawn.certificate)
        discard_draft(event_id=event.pk, number=2)
        event.refresh_from_db()
        again = draw("random", draw_input(event, seed=11))
        assert kept == (again.price, again.certificate)

    @pytest.mark.slow
    def test_by_results_brings_together_those_who_have_won_as_many_matches(self) -> None:
        event = a_played_night(pairs=8, draw_format="swiss")
        winners = {table.a for table in draw_input(event).history if table.winner is Side.A}
        drawn = draw_round(event_id=event.pk)
        assert drawn.draw_format == "swiss"
        assert drawn.price["scores"] == drawn.price["repeats"] == 0
        for table in lineup_of(drawn).tables:
            assert (table.a in winners) is (table.b in winners)
            assert [reason.code for reason in table.reasons][:1] == ["score_group"]

    @pytest.mark.slow
    def test_by_results_begins_by_lot(self) -> None:
        event = start_event(event_id=an_event(pairs=8, draw_format="swiss").pk)
        drawn = [pairings(draw_round(event_id=event.pk, seed=seed)) for seed in range(2)]
        assert drawn[0] != drawn[1]
        assert event.rounds.get().settings == {"target": "lot"}

    @pytest.mark.slow
    def test_by_results_knows_who_came_to_a_table_with_more(self) -> None:
        event = a_played_night(pairs=6, draw_format="swiss")
        next_round(event)
        came = [table.scores for table in draw_input(event).history if table.round == 2]
        assert sorted(came) in ([(0, 0), (0, 2), (2, 2)], [(0, 0), (2, 0), (2, 2)])

    def test_drawn_anew_takes_the_place_of_the_one_before(self) -> None:
        event = a_started_night()
        draw_round(event_id=event.pk)
        draw_round(event_id=event.pk)
        assert event.rounds.count() == 1
        assert len(lineup_of(event.rounds.get()).tables) == 2

    def test_opens_no_match(self) -> None:
        draw_round(event_id=a_started_night().pk)
        assert not Match.objects.exists()

    def test_of_an_odd_number_has_a_bye(self) -> None:
        drawn = draw_round(event_id=a_started_night(pairs=5).pk)
        assert len(byes(drawn)) == 1
        assert len(pairings(drawn)) == 2

    @pytest.mark.slow
    def test_keeps_why_two_meet_again(self) -> None:
        event = a_played_night(pairs=2)
        drawn = draw_round(event_id=event.pk)
        (table,) = lineup_of(drawn).tables
        assert reasons_to_json(table.reasons) == [
            {"code": "met_before", "rounds": [1]},
            {"code": "repeats_unavoidable"},
        ]

    def test_may_be_made_by_hand(self) -> None:
        event = a_started_night(pairs=5)
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
        assert pairings(drawn) == [{2, 3}, {1, 4}]
        assert byes(drawn) == [5]

    @pytest.mark.slow
    def test_may_be_forgotten_and_drawn_again(self) -> None:
        event = a_started_night()
        draw_round(event_id=event.pk)
        discard_draft(event_id=event.pk, number=1)
        discard_draft(event_id=event.pk, number=1)
        assert not event.rounds.exists()
        assert draw_round(event_id=event.pk).number == 1

    def test_is_refused_while_a_round_is_played(self) -> None:
        event = a_running_night()
        refusal = refusal_of(draw_round, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("round_not_closed", {"round": 1})

    def test_is_refused_before_the_evening_begins_and_after_it_ended(self) -> None:
        event = an_event()
        assert code_of(draw_round, event_id=event.pk) == "event_not_running"
        start_event(event_id=event.pk)
        end_event(event_id=event.pk)
        assert code_of(draw_round, event_id=event.pk) == "event_not_running"


@pytest.mark.slow
class TestManyRounds:
    @pytest.mark.parametrize("pairs", [4, 5, 6, 7])
    def test_let_nobody_meet_the_same_opponents_twice_while_that_is_possible(self, pairs: int) -> None:
        event = a_started_night(pairs)
        met: list[frozenset[int]] = []
        for number in range(1, pairs - 1):
            drawn = next_round(event, seed=number)
            met += [frozenset(pair) for pair in pairings(drawn)]
            play_round(event, number)
        if pairs % 2 == 0:
            assert len(set(met)) == len(met)
        assert len(met) == (pairs - 2) * (pairs // 2)

    def test_of_a_whole_round_robin_are_played_to_the_end(self) -> None:
        event = a_started_night(pairs=4)
        met = []
        for number in (1, 2, 3):
            met += [frozenset(pair) for pair in pairings(next_round(event, seed=number))]
            play_round(event, number)
        assert set(met) == {frozenset(pair) for pair in combinations((1, 2, 3, 4), 2)}
        assert len(pairings(next_round(event))) == 2

    def test_give_the_bye_to_everybody_before_anybody_has_it_twice(self) -> None:
        event = a_started_night(pairs=5)
        sat_out = []
        for number in range(1, 6):
            sat_out += byes(next_round(event, seed=number))
            play_round(event, number)
        assert sorted(sat_out) == [1, 2, 3, 4, 5]
